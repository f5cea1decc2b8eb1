import { type Checkpoint, formatVerifierKey } from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import type { LedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import { sizeOfTiles } from '#platform/ledger-files/tiles-on-disk.ts';
import type { Log } from '#platform/log/log.ts';
import { LedgerHalt } from './halt.ts';
import { readSigned } from './continuity.ts';
import { createLedgerKey, type LedgerKey, ledgerKeyOf, readLedgerKey } from './ledger-key.ts';
import { findLog, hasBegun, keepLog } from './ledger.store.ts';
import { isSignedByLog } from './signed-by-log.ts';

interface Parts {
  readonly db: Db;
  readonly files: LedgerFiles;
  readonly settings: { readonly ledgerKeyFile: string; readonly publicUrl: URL };
  readonly running: { readonly log: Log };
}

/**
 * The key at hand; a new log takes the name of the portal's address, and keeps it. A log that the database does not know any more, and has signed
 * before, keeps its name when its last checkpoint is there, and else is no new one: throws LedgerHalt.
 */
export const createKeyring = ({ db, files, settings, running }: Parts): (() => Promise<LedgerKey>) => {
  const { ledgerKeyFile, publicUrl } = settings;
  let known: LedgerKey | undefined;
  const open = async (): Promise<LedgerKey> => {
    const log = await findLog(db);
    const signed = log === undefined ? await findSignedBefore({ db, files }) : undefined;
    const found = await readLedgerKey(ledgerKeyFile);
    if (found === undefined && (log ?? signed) !== undefined) throw new LedgerHalt('OTHER_KEY', `there is no key at ${ledgerKeyFile}`);
    if (found === undefined)
      running.log.warn({ file: ledgerKeyFile }, 'a key was made for the ledger: back it up; without it the log ends');
    const privateKey = found ?? (await createLedgerKey(ledgerKeyFile));
    const own = ledgerKeyOf(privateKey, log?.origin ?? signed?.origin ?? `${publicUrl.host}/log`);
    if (signed !== undefined && !isSignedByLog(signed, own.key))
      throw new LedgerHalt('OTHER_KEY', 'the last checkpoint is not signed by the key at hand');
    const kept = log ?? (await keepLog(db, { origin: own.key.name, verifierKey: formatVerifierKey(own.key) }));
    if (kept.verifierKey !== formatVerifierKey(own.key)) throw new LedgerHalt('OTHER_KEY', `the key of ${kept.origin} is another one`);
    return own;
  };
  return async () => (known ??= await open());
};

/** The last checkpoint of a log that the database does not know; undefined: there was none. Throws LedgerHalt where other traces of one are left. */
export const findSignedBefore = async ({ db, files }: Pick<Parts, 'db' | 'files'>): Promise<Checkpoint | undefined> => {
  const signed = await readSigned(files);
  if (signed !== undefined) return signed;
  const onDisk = sizeOfTiles(await files.listTiles());
  const isBegun = onDisk > 0 || (await hasBegun(db));
  // Another process may have begun it meanwhile.
  if (!isBegun || (await findLog(db)) !== undefined) return undefined;
  if (onDisk > 0) throw new LedgerHalt('DATABASE_OLDER', `the files of the ledger have ${onDisk} entries, the database has no ledger`);
  throw new LedgerHalt('CHECKPOINT_LOST', 'this portal has signed a ledger before; its name and its last checkpoint are gone');
};
