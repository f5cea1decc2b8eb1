import { createHash } from 'node:crypto';
import {
  emptyEdge,
  entryOf,
  formatReceipt,
  formatStatement,
  growTree,
  leafHash,
  noHash,
  parseCheckpoint,
  proveInclusion,
  rootOfEdge,
  signCheckpoint,
  type Statement,
} from '#index.ts';
import { createTileFiles } from './naive-tree.ts';
import { aSigner } from './signers.ts';

export const log = aSigner('portal.example/log', 1);

export const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');

const aStatement = (index: number, sha256: string): Statement => {
  const isPublic = index % 5 === 0;
  return {
    event: 'PUBLISHED',
    time: 1_800_000_000_000 + index,
    documentId: `document-${index}`,
    sha256,
    size: index,
    owner: isPublic ? 'public' : `cif:${index}\ncif:ż${index}`,
    type: isPublic ? 'PUBLIC' : 'PRIVATE',
    state: 'ACTIVE',
    previous: noHash,
    metadata: checksum('{}'),
    salt: isPublic ? noHash : checksum(`salt ${index}`),
  };
};

/** Receipts of every entry of a log of this size, in order; the file of entry N is `file N`, or that of the checksum that is given. */
export const receiptsOf = async (size: number, sha256Of = (index: number) => checksum(`file ${index}`)): Promise<readonly string[]> => {
  const statements = Array.from({ length: size }, (_, index) => aStatement(index, sha256Of(index)));
  const entries = statements.map((statement) => entryOf(formatStatement(statement), { isPublic: statement.type === 'PUBLIC' }));
  const { edge, tiles } = growTree(
    emptyEdge,
    entries.map((entry) => leafHash(entry)),
  );
  const files = createTileFiles();
  files.write(tiles);
  const checkpoint = parseCheckpoint(signCheckpoint({ origin: log.key.name, size, root: rootOfEdge(edge) }, log.key, log.sign));
  return Promise.all(
    statements.map(async (statement, index) =>
      formatReceipt({ extra: formatStatement(statement), index, proof: await proveInclusion(index, size, files.read), checkpoint }),
    ),
  );
};
