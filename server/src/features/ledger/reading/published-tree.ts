import { createPublicKey, verify } from 'node:crypto';
import {
  type Checkpoint,
  checkpointText,
  type Hash,
  parseCheckpoint,
  parseSignatures,
  parseVerifierKey,
  signaturesBy,
} from '@pergamin/ledger';
import { findLog } from '#features/ledger/ledger.store.ts';
import type { Db } from '#platform/database/schema.ts';
import { findLatestCheckpoint } from './reading.store.ts';
import type { Refusals } from './refusals.ts';

/** The newest published tree, its checkpoint as it is handed out: with the cosignatures that have come for it. */
export interface PublishedTree {
  readonly origin: string;
  readonly verifierKey: string;
  readonly size: number;
  readonly root: Hash;
  readonly at: Date;
  readonly checkpoint: Checkpoint;
  readonly text: string;
  readonly cosignatures: readonly { readonly witness: string; readonly at: number }[];
}

export const createPublishedTree = ({
  db,
  refusals,
}: {
  readonly db: Db;
  readonly refusals: Refusals;
}): (() => Promise<PublishedTree | undefined>) => {
  const { refuse, orRefused } = refusals;
  let verified: { readonly note: string; readonly checkpoint: Checkpoint } | undefined;

  const verifyCheckpoint = (note: string, verifierKey: string): Checkpoint => {
    if (verified?.note === note) return verified.checkpoint;
    const checkpoint = parseCheckpoint(note);
    if (!isSignedByLog(checkpoint, verifierKey)) throw refuse('the published checkpoint is not signed by the key of the ledger');
    verified = { note, checkpoint };
    return checkpoint;
  };

  /** Undefined while nothing was ever published. */
  return async () => {
    const [row, known] = await Promise.all([findLatestCheckpoint(db), findLog(db)]);
    if (row === undefined || known === undefined) return undefined;
    return orRefused('the published checkpoint cannot be read', () => {
      const { origin, verifierKey } = known;
      const { size, root, at } = row;
      const checkpoint = verifyCheckpoint(row.note, verifierKey);
      if (checkpoint.note.text !== checkpointText({ origin, size, root })) throw refuse('the published checkpoint is that of another tree');
      const lines = row.cosignatures.map(({ line }) => `${line.trimEnd()}\n`).join('');
      const signatures = [...checkpoint.note.signatures, ...parseSignatures(lines)];
      return {
        origin,
        verifierKey,
        size,
        root,
        at,
        checkpoint: { ...checkpoint, note: { ...checkpoint.note, signatures } },
        text: `${row.note}${lines}`,
        cosignatures: row.cosignatures.map(({ witness, at: cosignedAt }) => ({ witness, at: Date.parse(cosignedAt) })),
      };
    });
  };
};

const spkiOfEd25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** By the platform's own Ed25519, as an opening of a document waits for it after every new checkpoint. */
const isSignedByLog = (checkpoint: Checkpoint, verifierKey: string): boolean => {
  const key = parseVerifierKey(verifierKey);
  const publicKey = createPublicKey({ key: Buffer.concat([spkiOfEd25519, key.publicKey]), format: 'der', type: 'spki' });
  const signatures = signaturesBy(checkpoint.note, key);
  const message = Buffer.from(checkpoint.note.text);
  return signatures.length > 0 && signatures.every(({ signature }) => verify(null, message, publicKey, signature));
};
