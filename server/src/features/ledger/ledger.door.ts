import type { Clock } from '#platform/clock/clock.ts';
import type { Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { createLedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import type { Log } from '#platform/log/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { createCovering } from './covering.ts';
import { createHalts, type HaltReason } from './halt.ts';
import { createKeyring } from './keyring.ts';
import { eraseStatements, insertPending, readLag } from './ledger.store.ts';
import { createRound, type RoundParts } from './round.ts';
import type { LedgerFact } from './statements.rules.ts';
import { createTips } from './tip.ts';

export { type HaltReason, LedgerHalt } from './halt.ts';
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
  const halts = createHalts(log);
  const coverAll = createCovering({ round: () => halts.guard(round), intervalMs: settings.ledgerIntervalMs });
  const background = createBackground(coverAll, log);
  observeLag({ db, running, isHalted: () => halts.halted() !== undefined });
  return {
    async enter(trx, facts) {
      halts.assertOpen();
      if (facts.length > 0) await insertPending(trx, facts);
    },
    assertOpen: halts.assertOpen,
    halted: halts.halted,
    cover: () => inTime(coverAll()),
    coverSoon: background.begin,
    forget: eraseStatements,
    jobs: { 'ledger:round': () => coverAll() },
    settled: background.settled,
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

/** Rounds that no caller waits for. */
const createBackground = (cover: () => Promise<void>, log: Log) => {
  const works = new Set<Promise<void>>();
  return {
    begin(): void {
      const work = cover()
        .catch((error: unknown) => log.warn({ err: error }, 'the ledger could not be continued; the next round tries again'))
        .finally(() => works.delete(work));
      works.add(work);
    },
    async settled(): Promise<void> {
      await Promise.all(works);
    },
  };
};

const observeLag = ({ db, running, isHalted }: Pick<Given, 'db' | 'running'> & { readonly isHalted: () => boolean }): void =>
  running.metrics.observeLedger(async () => {
    const { size, pending, oldestAt } = await readLag(db);
    const oldestSeconds = oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000);
    return { size, pending, oldestSeconds };
  }, isHalted);
