import { formatVerifierKey } from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import { LedgerHalt } from './halt.ts';
import { createLedgerKey, type LedgerKey, ledgerKeyOf, readLedgerKey } from './ledger-key.ts';
import { findLog, keepLog } from './ledger.store.ts';

interface Parts {
  readonly db: Db;
  readonly settings: { readonly ledgerKeyFile: string; readonly publicUrl: URL };
  readonly running: { readonly log: Log };
}

/** The key at hand; a new log takes the name of the portal's address, and keeps it. */
export const createKeyring = ({ db, settings, running }: Parts): (() => Promise<LedgerKey>) => {
  const { ledgerKeyFile, publicUrl } = settings;
  let known: LedgerKey | undefined;
  const open = async (): Promise<LedgerKey> => {
    const log = await findLog(db);
    const found = await readLedgerKey(ledgerKeyFile);
    if (found === undefined && log !== undefined) throw new LedgerHalt('OTHER_KEY', `there is no key at ${ledgerKeyFile}`);
    if (found === undefined)
      running.log.warn({ file: ledgerKeyFile }, 'a key was made for the ledger: back it up; without it the log ends');
    const privateKey = found ?? (await createLedgerKey(ledgerKeyFile));
    const own = ledgerKeyOf(privateKey, log?.origin ?? `${publicUrl.host}/log`);
    const kept = log ?? (await keepLog(db, { origin: own.key.name, verifierKey: formatVerifierKey(own.key) }));
    if (kept.verifierKey !== formatVerifierKey(own.key)) throw new LedgerHalt('OTHER_KEY', `the key of ${kept.origin} is another one`);
    return own;
  };
  return async () => (known ??= await open());
};
