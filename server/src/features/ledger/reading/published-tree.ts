import { type Checkpoint, checkpointText, type Hash, parseCheckpoint, parseSignatures, parseVerifierKey } from '@pergamin/ledger';
import { findLog } from '#features/ledger/ledger.store.ts';
import { isSignedByLog } from '#features/ledger/signed-by-log.ts';
import type { Db } from '#platform/database/schema.ts';
import { findCheckpoint } from './reading.store.ts';
import type { Refusals } from './refusals.ts';

/** A published tree, its checkpoint as it is handed out: with the cosignatures that have come for it. */
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

/** The newest one; `covering`: of those that cover this entry the newest that a witness has cosigned, if there is one. */
export type FindTree = (options?: { readonly covering?: number }) => Promise<PublishedTree | undefined>;

export const createPublishedTree = ({ db, refusals }: { readonly db: Db; readonly refusals: Refusals }): FindTree => {
  const { refuse, orRefused } = refusals;
  let verified: { readonly note: string; readonly checkpoint: Checkpoint } | undefined;

  const verifyCheckpoint = (note: string, verifierKey: string): Checkpoint => {
    if (verified?.note === note) return verified.checkpoint;
    const checkpoint = parseCheckpoint(note);
    if (!isSignedByLog(checkpoint, parseVerifierKey(verifierKey)))
      throw refuse('the published checkpoint is not signed by the key of the ledger');
    verified = { note, checkpoint };
    return checkpoint;
  };

  /** Undefined while nothing was ever published. */
  return async (options) => {
    const [row, known] = await Promise.all([findCheckpoint(db, options), findLog(db)]);
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
