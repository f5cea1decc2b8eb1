import { formatVerifierKey } from '@pergamin/ledger';
import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';
import { ledgerKeyOf, readLedgerKey } from './ledger-key.ts';
import { findLog } from './ledger.store.ts';

interface Judged {
  /** Of the log; undefined while there is none. */
  readonly origin: string | undefined;
  /** `new`: there is neither a log nor a key. `unused`: a key without a log. */
  readonly fit: 'fits' | 'new' | 'unused' | 'missing' | 'another' | 'unreadable';
}

/** Whether the key file is the one that signs the log of this database. Makes nothing. */
export const judgeLedgerKey = async (db: Db, path: string): Promise<Judged> => {
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass('ledger_log') is not null as is_there`.execute(db);
  const log = rows[0]?.is_there === true ? await findLog(db) : undefined;
  const origin = log?.origin;
  try {
    const key = await readLedgerKey(path);
    if (key === undefined) return { origin, fit: log === undefined ? 'new' : 'missing' };
    if (log === undefined) return { origin, fit: 'unused' };
    return { origin, fit: formatVerifierKey(ledgerKeyOf(key, log.origin).key) === log.verifierKey ? 'fits' : 'another' };
  } catch {
    return { origin, fit: 'unreadable' };
  }
};
