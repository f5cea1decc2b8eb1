import { makeWorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import { withoutDeadline } from '#platform/database/deadline.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import type { Log } from '#platform/log/log.ts';
import type { JobHandlers } from './jobs.ts';
import { keepRunning } from './kept-runner.ts';
import { holdProcessLock } from './process-lock.ts';
import { recoverDeadWorkers } from './recovery.ts';
import { queueLogger } from './runner.ts';

interface Options {
  readonly pool: pg.Pool;
  readonly handlers: JobHandlers;
  readonly concurrency: number;
  /** Lines of five cron fields and a job's name; see graphile-worker's crontab. */
  readonly crontab?: string;
  readonly log: Log;
  /** Told the name of a job that failed for the last time. */
  readonly onGivenUp?: (job: string) => void;
  readonly recoverEveryMs?: number;
}

export type Worker = Awaited<ReturnType<typeof startWorker>>;

export const jobsSchema = 'graphile_worker';

/** Of graphile-worker's own migrations, as this version of it has them. */
export const newestJobsMigration = 20;

const newerQueue = 'The database is newer than this Pergamin, which does not know its queue of jobs';

/**
 * What migrateJobs would refuse. Changes nothing.
 * @throws MigrationError
 */
export const judgeJobs = async (pool: Pick<pg.Pool, 'query'>): Promise<void> => {
  const { rows: tables } = await pool.query<{ is_there: boolean }>(
    `select to_regclass('${jobsSchema}.migrations') is not null as is_there`,
  );
  if (tables[0]?.is_there !== true) return;
  const { rows } = await pool.query(`select from ${jobsSchema}.migrations where breaking and id > $1`, [newestJobsMigration]);
  if (rows.length > 0) throw new MigrationError(newerQueue);
};

/**
 * Creates the queue's own schema or brings it up to date; to be run before the first job is added.
 * @throws MigrationError
 */
export const migrateJobs = (pool: pg.Pool, log: Log): Promise<void> =>
  withoutDeadline(async () => {
    const tools = await makeWorkerUtils({ pgPool: pool, logger: queueLogger(log) }).catch((error: unknown) => {
      // The queue's own sentence speaks of itself, and of what it sells.
      if (!(error instanceof Error && /includes breaking migration/.test(error.message))) throw error;
      process.exitCode = undefined;
      throw new MigrationError(newerQueue, { cause: error });
    });
    await tools.release();
  });

/** Keeps this process known as alive and frees the jobs of dead ones, one round at a time. */
const startRounds = (round: () => Promise<void>, { everyMs, log }: { everyMs: number; log: Log }) => {
  let running: Promise<void> | undefined;
  const begin = (): void => {
    running ??= round()
      .catch((error: unknown) => log.error({ err: error }, 'jobs of dead workers could not be freed'))
      .finally(() => {
        running = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};

/**
 * Runs jobs in this process until stopped, through any number of outages of the database. Jobs of processes that were killed are freed at
 * start and every ten seconds (see recovery.ts).
 */
export const startWorker = async (options: Options) => {
  const { pool, log, recoverEveryMs = 10_000 } = options;
  const lock = await holdProcessLock(pool, log);
  const stopping = new AbortController();
  const runners = await keepRunning({ ...options, lock, stopping: stopping.signal });
  let isFirst = true;
  const rounds = startRounds(
    async () => {
      // Taken just now.
      if (!isFirst) await lock.keep();
      isFirst = false;
      await runners.free();
      await recoverDeadWorkers(pool, log, { signal: stopping.signal });
    },
    { everyMs: recoverEveryMs, log },
  );
  return {
    /** Lets running jobs finish, takes no new ones. */
    async stop(): Promise<void> {
      stopping.abort();
      try {
        await Promise.all([runners.stop(), rounds.stop()]);
        await lock.release();
      } catch (error) {
        // Others will find that this process has gone.
        log.warn({ err: error }, 'the worker could not be deregistered');
      }
    },
  };
};
