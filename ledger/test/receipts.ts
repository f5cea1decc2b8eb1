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
  type StatementEvent,
  type StatementState,
} from '#index.ts';
import { createTileFiles } from './naive-tree.ts';
import { aSigner } from './signers.ts';

export const log = aSigner('portal.example/log', 1);

export const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The statement that a publication with the number `index` has in these logs; every fifth is public. */
const aStatement = (index: number): Statement => {
  const isPublic = index % 5 === 0;
  return {
    event: 'PUBLISHED',
    time: 1_800_000_000_000 + index,
    documentId: `document-${index}`,
    sha256: checksum(`file ${index}`),
    size: index,
    owner: isPublic ? 'public' : `cif:${index}\ncif:ż${index}`,
    type: isPublic ? 'PUBLIC' : 'PRIVATE',
    state: 'ACTIVE',
    previous: noHash,
    metadata: checksum('{}'),
    salt: isPublic ? noHash : checksum(`salt ${index}`),
  };
};

const events: readonly StatementEvent[] = ['PUBLISHED', 'STATE_CHANGED', 'NOTIFIED', 'RECEIVED', 'RETENTION_EXTENDED', 'FORGOTTEN'];
const states: readonly StatementState[] = ['ACTIVE', 'CANCELLED', 'OBSOLETE', 'DELETED', 'FORGOTTEN'];

/** Every event in every state, again and again: 30 make a round. */
export const ofEveryEvent = (index: number): Pick<Statement, 'event' | 'state'> => ({
  event: events[index % events.length] ?? 'PUBLISHED',
  state: states[Math.floor(index / events.length) % states.length] ?? 'ACTIVE',
});

/** Receipts of every entry of a log of this size, in order: publications of `file N`, but for what `partOf` says of entry N. */
export const receiptsOf = async (size: number, partOf: (index: number) => Partial<Statement> = () => ({})): Promise<readonly string[]> => {
  const statements = Array.from({ length: size }, (_, index): Statement => ({ ...aStatement(index), ...partOf(index) }));
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
