import { formatNote, type Policy, type ReadTile, tilePath } from '@pergamin/ledger';
import type { Clock } from '#platform/clock/clock.ts';
import type { Trx } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { createLedgerFiles, type LedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import type { Log } from '#platform/log/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { createContinuity } from './continuity.ts';
import { createCosigning, readWitnesses } from './cosigning.ts';
import { createNextRound, type RoundOutcome } from './next-round.ts';
import { type Authority, createDating } from './dating.ts';
import { createHalts, type HaltReason } from './halt.ts';
import { createKeyring } from './keyring.ts';
import { eraseStatements, insertPending, isPublicationPending, readLag } from './ledger.store.ts';
import { createRound, type RoundParts } from './round.ts';
import type { LedgerFact } from './statements.rules.ts';
import { createTips } from './tip.ts';

export { latestHead } from './cosigning.store.ts';
export { readWitnesses } from './cosigning.ts';
export { type HaltReason, LedgerHalt } from './halt.ts';
export { judgeLedgerKey } from './judge-key.ts';
/** As `enter`, also while the ledger is halted: of what has happened already, and is entered when it goes on. */
export { insertPending as enterLater } from './ledger.store.ts';
export { auditLedgerOf, createLedgerReader, type LedgerReader } from './reading/reader.ts';
export type { LedgerFindings } from './reading/audit.ts';
export { compareKept, type KeptComparison } from './reading/kept-checkpoint.ts';
export { nothingStated, readStated, type Said, type Stated, statedOf, type StatedRow } from './reading/stated.ts';
export { type AdoptionPlan, createLedgerRepair, type LedgerRepair, LedgerRepairError } from './repair.ts';
export type { PublishedEntry } from './round.ts';
export { type LedgerStanding, readLedgerStanding } from './standing.ts';
export { hashOfLines, hashOfMetadata, hashOfPublication, type LedgerFact, ownersOf } from './statements.rules.ts';

export interface Ledger {
  /**
   * Within the transaction of the change that the facts are about; what was entered as published is not entered again. Throws BC_ERROR while the
   * ledger is halted.
   */
  enter(trx: Trx, facts: readonly LedgerFact[]): Promise<void>;
  /** Resolves when everything that was committed before the call is covered by a published checkpoint. Throws BC_ERROR. */
  cover(): Promise<void>;
  /** Resolves when the publication of this document is covered, whatever waits beside it. Throws BC_ERROR. */
  coverPublication(documentId: string): Promise<void>;
  /** The same in the background; failures are logged. */
  coverSoon(): void;
  /** What the log says of these documents goes, but that something was said. */
  forget(trx: Trx, documentIds: readonly string[]): Promise<void>;
  /** Why nothing is entered any more. */
  halted(): HaltReason | undefined;
}

interface Given extends Pick<RoundParts, 'db' | 'covered'> {
  /** Whose cosignatures it asks for. */
  readonly policy: Policy;
  readonly settings: {
    readonly ledgerDir: string;
    readonly ledgerKeyFile: string;
    readonly ledgerIntervalMs: number;
    /** Whether a checkpoint is published before the quorum of the policy has cosigned it. */
    readonly ledgerQuorum: 'later' | 'wait';
    readonly publicUrl: URL;
    /** Who dates checkpoints. */
    readonly timestamps: Authority | undefined;
  };
  readonly running: { readonly clock: Clock; readonly log: Log; readonly metrics: Pick<Metrics, 'observeLedger'> };
}

/** Longer than any round takes; a publication is answered before its publisher gives up. */
const coveredWithinMs = 30_000;

/** What happened to documents, as a log that proves it (T1): the writing side. */
export const createLedger = ({
  db,
  policy,
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
  const getKey = createKeyring({ db, files, settings, running });
  const { cosigning, cosign } = openCosigning({ db, policy, settings, running }, { files, getKey });
  const round = createRound({ db, files, tips, readContinued: createContinuity(files), getKey, clock, cosign, covered });
  const halts = createHalts(log);
  const swept = sweepSpool({ files, running });
  const watched = async (): Promise<RoundOutcome> => {
    const outcome = await halts.guard(round);
    if (outcome !== 'idle') void cosigning.followUp();
    return outcome;
  };
  const nextRound = createNextRound({ round: watched, intervalMs: settings.ledgerIntervalMs });
  const coverUntil = async (isCovered: () => Promise<boolean>): Promise<void> => {
    while ((await nextRound()) === 'more') if (await isCovered()) return;
  };
  const coverAll = () => coverUntil(async () => false);
  const background = createBackground(coverAll, log);
  observeStanding({ db, policy, running, haltedBy: () => halts.halted() });
  return {
    async enter(trx, facts) {
      halts.assertOpen();
      if (facts.length > 0) await insertPending(trx, facts);
    },
    halted: () => halts.halted(),
    cover: () => inTime(coverAll()),
    coverPublication: (id) => inTime(coverUntil(async () => !(await isPublicationPending(db, id)))),
    coverSoon: () => background.begin(),
    forget: eraseStatements,
    jobs: {
      'ledger:round': async () => {
        await coverAll();
        await cosigning.followUp();
      },
      'ledger:date': createDating({ db, authority: settings.timestamps, log }),
    },
    async settled() {
      await Promise.all([swept, background.settled()]);
      await cosigning.settled();
    },
  };
};

const unfinishedForMs = 86_400_000;

/** What killed processes left. Never rejects. */
const sweepSpool = async ({ files, running: { clock, log } }: Pick<Given, 'running'> & { readonly files: LedgerFiles }): Promise<void> => {
  try {
    const removed = await files.sweepSpool(new Date(clock.now().getTime() - unfinishedForMs));
    if (removed > 0) log.info({ removed }, 'unfinished files of the ledger were removed');
  } catch (error) {
    log.warn({ err: error }, 'unfinished files of the ledger could not be removed');
  }
};

const openCosigning = (
  { db, policy, settings, running }: Pick<Given, 'db' | 'policy' | 'settings' | 'running'>,
  { files, getKey }: { readonly files: LedgerFiles; readonly getKey: RoundParts['getKey'] },
) => {
  const cosigning = createCosigning({
    db,
    policy,
    getKey: async () => (await getKey()).key,
    readTile: createReadTile(files),
    // The next round finds it there, and halts.
    onFork: ({ note }) => files.writeEvidence(formatNote(note)),
    ...running,
  });
  const cosign = async (note: string): Promise<void> => {
    if (settings.ledgerQuorum === 'wait' && !(await cosigning.hasQuorum(note)))
      throw new PortalError('BC_ERROR', { cause: new Error('too few witnesses have cosigned the checkpoint') });
  };
  return { cosigning, cosign };
};

const createReadTile =
  (files: LedgerFiles): ReadTile =>
  async (name) => {
    const bytes = await files.read(name);
    if (bytes === undefined) throw new PortalError('BC_ERROR', { cause: new Error(`the ledger has no ${tilePath(name)}`) });
    return bytes;
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

const observeStanding = ({
  db,
  policy,
  running: { metrics },
  haltedBy,
}: Pick<Given, 'db' | 'policy' | 'running'> & { readonly haltedBy: () => string | undefined }): void =>
  metrics.observeLedger({
    async readStanding() {
      const { size, pending, oldestAt } = await readLag(db);
      const oldestSeconds = oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000);
      return { size, pending, oldestSeconds };
    },
    haltedBy,
    readWitnesses: () => readWitnesses(db, policy),
  });
