import {
  type Checkpoint,
  commitmentOf,
  formatVerifierKey,
  isSignedBy,
  parseCheckpoint,
  parseStatement,
  parseVerifierKey,
  splitEntries,
  type Statement,
  tileWidth,
} from '@pergamin/ledger';
import type { Db, Trx } from '#platform/database/schema.ts';
import { createLedgerFiles, type LedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import * as store from './ledger.store.ts';
import { sha256 } from './statements.rules.ts';
import { growTip, isSameHead, rebuildTiles } from './tip.ts';

/** What an operator can put right, in a sentence. */
export class LedgerRepairError extends Error {
  override readonly name = 'LedgerRepairError';
}

export interface LedgerRepair {
  /** Writes every tile anew from the entries of the database; says of how many. Throws LedgerHalt when they do not give the tree. */
  rebuild(): Promise<number>;
  /**
   * For a database that was restored from a backup: takes over, from the files of the log, what was signed after it, so that the log goes on
   * without a second history. What those entries opened is lost. Says how many there were. Throws LedgerRepairError.
   */
  adopt(): Promise<number>;
}

interface Parts {
  readonly db: Db;
  readonly files: LedgerFiles;
}

export const createLedgerRepair = ({
  db,
  settings,
}: {
  readonly db: Db;
  readonly settings: { readonly ledgerDir: string };
}): LedgerRepair => {
  const files = createLedgerFiles(settings.ledgerDir);
  return {
    rebuild: () =>
      db.transaction().execute(async (trx) => {
        await store.lockLedger(trx);
        const { tree } = await store.readState(trx);
        return (await rebuildTiles({ db: trx, files }, tree)).size;
      }),
    adopt: () =>
      db.transaction().execute(async (trx) => {
        await store.lockLedger(trx);
        return adopt(files, trx);
      }),
  };
};

const adopt = async (files: LedgerFiles, trx: Trx): Promise<number> => {
  const { tree, lastAt } = await store.readState(trx);
  const signed = await readSigned({ db: trx, files });
  if (signed.size <= tree.size) return 0;
  // The tree that the database has must be the beginning of the one that was signed.
  const tip = await rebuildTiles({ db: trx, files: { ...files, write: async () => {} } }, tree);
  const entries = await readBundles(files, { from: tree.size, to: signed.size });
  const grown = growTip(tip, entries);
  if (!isSameHead(grown.tip, signed)) throw new LedgerRepairError('the files of the ledger do not give the tree that was signed');
  const rows = entries.map((bytes, nth) => adoptedOf(bytes, tree.size + nth));
  const at = new Date(Math.max(lastAt?.getTime() ?? 0, ...rows.map(({ time }) => time)));
  // The next round publishes the same checkpoint, and what it makes visible.
  await store.insertAdopted(trx, rows, { size: signed.size, root: signed.root, at });
  return entries.length;
};

const readSigned = async ({ db, files }: Parts): Promise<Checkpoint> => {
  const [note, log] = [await files.readCheckpoint(), await store.findLog(db)];
  if (note === undefined || log === undefined) throw new LedgerRepairError('there is no ledger here yet');
  const signed = parseCheckpoint(note);
  const key = parseVerifierKey(log.verifierKey);
  if (!isSignedBy(signed, key)) throw new LedgerRepairError(`the last checkpoint is not signed by ${formatVerifierKey(key)}`);
  return signed;
};

const readBundles = async (files: LedgerFiles, { from, to }: { from: number; to: number }): Promise<Uint8Array[]> => {
  const entries: Uint8Array[] = [];
  for (let index = Math.floor(from / tileWidth); index * tileWidth < to; index += 1) {
    const width = Math.min(tileWidth, to - index * tileWidth);
    const bundle = await files.read({ level: 'entries', index, width });
    if (bundle === undefined) throw new LedgerRepairError(`the files of the ledger have no entries from ${index * tileWidth} on`);
    entries.push(...splitEntries(bundle, width).slice(Math.max(0, from - index * tileWidth)));
  }
  return entries;
};

/** The statement of a public document stands in the log; of another one there is the commitment alone. */
const adoptedOf = (bytes: Uint8Array, index: number): store.AdoptedEntry => {
  const [kind] = bytes;
  const rest = bytes.subarray(1);
  if (kind === 1) return { index, commitment: rest, time: 0 };
  const { documentId, event, time }: Statement = parseStatement(rest);
  return { index, commitment: commitmentOf(rest, sha256), time, open: { documentId, event, statement: rest } };
};
