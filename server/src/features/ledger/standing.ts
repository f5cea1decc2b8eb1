import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '@pergamin/ledger';
import type { Db, Trx } from '#platform/database/schema.ts';
import { createLedgerFiles, type LedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import { findPublished, listAdoptions } from './adoption.store.ts';
import { createContinuity } from './continuity.ts';
import { type HaltReason, LedgerHalt } from './halt.ts';
import { findSignedBefore } from './keyring.ts';
import { ledgerKeyOf, readLedgerKey } from './ledger-key.ts';
import * as store from './ledger.store.ts';

interface Given {
  readonly db: Db;
  readonly settings: { readonly ledgerDir: string; readonly ledgerKeyFile: string };
}

/** What is known of the ledger without a portal that runs. */
export interface LedgerStanding {
  /** The newest one that was published. */
  readonly checkpoint: { readonly size: number; readonly at: Date } | null;
  /** Why the next round would be refused. */
  readonly halted: { readonly reason: HaltReason; readonly details: string } | null;
  /** Facts that no published checkpoint covers, and since when the oldest of them waits. */
  readonly pending: number;
  readonly oldestAt: Date | null;
  readonly adoptions: Awaited<ReturnType<typeof listAdoptions>>;
}

/** Compares as the next round does, beside a portal that runs as well as while none does. Changes nothing. */
export const readLedgerStanding = async ({ db, settings }: Given): Promise<LedgerStanding> => {
  const files = createLedgerFiles(settings.ledgerDir);
  const halted = await db.transaction().execute(async (trx) => {
    await store.lockLedger(trx);
    return findHalt(trx, { files, settings });
  });
  const { pending, oldestAt } = await store.readLag(db);
  return {
    checkpoint: (await findPublished(db)) ?? null,
    halted,
    pending,
    oldestAt,
    adoptions: await listAdoptions(db),
  };
};

const findHalt = async (trx: Trx, parts: { files: LedgerFiles } & Pick<Given, 'settings'>): Promise<LedgerStanding['halted']> => {
  try {
    const key = await findKey(trx, parts);
    if (key !== undefined) await createContinuity(parts.files)(trx, key);
    return null;
  } catch (error) {
    if (!(error instanceof LedgerHalt)) throw error;
    return { reason: error.reason, details: error.details };
  }
};

/** The key of the log, which must be the one at hand. Undefined: there is no log yet. */
const findKey = async (
  trx: Trx,
  { files, settings }: { files: LedgerFiles } & Pick<Given, 'settings'>,
): Promise<VerifierKey | undefined> => {
  const log = await store.findLog(trx);
  const signed = log === undefined ? await findSignedBefore({ db: trx, files }) : undefined;
  const origin = log?.origin ?? signed?.origin;
  if (origin === undefined) return undefined;
  const privateKey = await readLedgerKey(settings.ledgerKeyFile);
  if (privateKey === undefined) throw new LedgerHalt('OTHER_KEY', `there is no key at ${settings.ledgerKeyFile}`);
  const { key } = ledgerKeyOf(privateKey, origin);
  if (log !== undefined && formatVerifierKey(key) !== formatVerifierKey(parseVerifierKey(log.verifierKey)))
    throw new LedgerHalt('OTHER_KEY', `the key of ${origin} is another one than that of ${settings.ledgerKeyFile}`);
  return key;
};
