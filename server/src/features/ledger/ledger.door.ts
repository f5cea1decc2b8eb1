import { formatVerifierKey } from '@pergamin/ledger';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { createLedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import type { Log } from '#platform/log/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { createCovering } from './covering.ts';
import { type HaltReason, LedgerHalt } from './halt.ts';
import { createLedgerKey, type LedgerKey, ledgerKeyOf, readLedgerKey } from './ledger-key.ts';
import { eraseStatements, findLog, insertPending, keepLog, readLag } from './ledger.store.ts';
import { createRound, type RoundParts } from './round.ts';
import type { LedgerFact } from './statements.rules.ts';
import { createTips } from './tip.ts';

export { type HaltReason, LedgerHalt } from './halt.ts';
export { auditLedgerOf, createLedgerReader, type LedgerReader } from './reading/reader.ts';
export type { LedgerFindings } from './reading/audit.ts';
export type { Registered } from './reading/reading.service.ts';
export { createLedgerRepair, type LedgerRepair, LedgerRepairError } from './repair.ts';
export type { PublishedEntry } from './round.ts';
export { hashOfMetadata, type LedgerFact } from './statements.rules.ts';

export interface Ledger {
  /**
   * Within the transaction of the change that the facts are about; what was entered as published is not entered again. Throws BC_ERROR while the
   * ledger is halted.
   */
  enter(trx: Trx, facts: readonly LedgerFact[]): Promise<void>;
  /** Resolves when everything that was committed before the call is covered by a published checkpoint. Throws BC_ERROR. */
  cover(): Promise<void>;
  /** The same in the background; for what nobody waits for. */
  coverSoon(): void;
  /** What the log says of these documents goes, but that something was said. */
  forget(trx: Trx, documentIds: readonly string[]): Promise<void>;
  /** Throws BC_ERROR while the ledger is halted. */
  assertOpen(): void;
  /** Why nothing is entered any more. */
  halted(): HaltReason | undefined;
}

interface Given extends Pick<RoundParts, 'db' | 'cosign' | 'covered'> {
  readonly settings: {
    readonly ledgerDir: string;
    readonly ledgerKeyFile: string;
    readonly ledgerIntervalMs: number;
    readonly publicUrl: URL;
  };
  readonly running: { readonly clock: Clock; readonly log: Log; readonly metrics: Pick<Metrics, 'observeLedger'> };
}

/** Longer than any round takes; a publication is answered before its publisher gives up. */
const coveredWithinMs = 30_000;

/** The key at hand; a new log takes the name of the portal's address, and keeps it. */
const createKeyring = ({ db, settings, running }: Pick<Given, 'db' | 'settings' | 'running'>): (() => Promise<LedgerKey>) => {
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

/** What happened to documents, as a log that proves it (T1): the writing side. */
export const createLedger = ({
  db,
  cosign,
  covered,
  settings,
  running,
}: Given): Ledger & {
  readonly jobs: JobHandlers;
  /** Resolves when no round runs. */
  settled(): Promise<void>;
} => {
  const { clock, log } = running;
  const files = createLedgerFiles(settings.ledgerDir);
  const tips = createTips({
    db,
    files,
    onRebuilt: (size) => log.warn({ size }, 'the tiles of the ledger were not those of its entries, and were written anew'),
  });
  const round = createRound({ db, files, tips, getKey: createKeyring({ db, settings, running }), clock, cosign, covered });
  let halt: HaltReason | undefined;

  const guarded = async (): Promise<'idle' | 'done' | 'more'> => {
    try {
      const outcome = await round();
      if (halt !== undefined) log.info({ reason: halt }, 'the ledger goes on');
      halt = undefined;
      return outcome;
    } catch (error) {
      if (error instanceof LedgerHalt) {
        if (halt !== error.reason) log.error({ alarm: 'ledger', reason: error.reason, err: error.cause }, 'the ledger is halted');
        halt = error.reason;
      }
      throw error;
    }
  };

  const coverAll = createCovering({ round: guarded, intervalMs: settings.ledgerIntervalMs });
  const background = new Set<Promise<void>>();

  const inBackground = (): void => {
    const work = coverAll()
      .catch((error: unknown) => log.warn({ err: error }, 'the ledger could not be continued; the next round tries again'))
      .finally(() => background.delete(work));
    background.add(work);
  };

  running.metrics.observeLedger(
    async () => {
      const { size, pending, oldestAt } = await readLag(db);
      const oldestSeconds = oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000);
      return { size, pending, oldestSeconds };
    },
    () => halt !== undefined,
  );

  return {
    async enter(trx, facts) {
      if (halt !== undefined) throw new PortalError('BC_ERROR');
      if (facts.length > 0) await insertPending(trx, facts);
    },
    assertOpen() {
      if (halt !== undefined) throw new PortalError('BC_ERROR', { cause: new Error(`the ledger is halted: ${halt}`) });
    },
    cover: () => inTime(coverAll()),
    coverSoon: inBackground,
    forget: eraseStatements,
    halted: () => halt,
    jobs: { 'ledger:round': () => coverAll() },
    async settled() {
      await Promise.all(background);
    },
  };
};

const inTime = async (work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new PortalError('BC_ERROR')), coveredWithinMs);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
