import { setTimeout as pause } from 'node:timers/promises';
import { makeWorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import { withoutDeadline } from '#platform/database/deadline.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import type { Log } from '#platform/log/log.ts';
import type { JobHandlers } from './jobs.ts';
import { freeEnded, type EndedWorker, holdProcessLock, recoverDeadWorkers } from './recovery.ts';
import { queueLogger, type Runner, startRunner } from './runner.ts';

interface Options {
  readonly pool: pg.Pool;
  readonly handlers: JobHandlers;
  readonly concurrency: number;
  /** Lines of five cron fields and a job's name; see graphile-worker's crontab. */
  readonly crontab?: string;
  readonly log: Log;
  readonly recoverEveryMs?: number;
}

export interface Worker {
  /** Lets running jobs finish, takes no new ones. */
  stop(): Promise<void>;
}

export const jobsSchema = 'graphile_worker';

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
      throw new MigrationError('The database is newer than this Pergamin, which does not know its queue of jobs', { cause: error });
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

const endWithinMs = 5_000;
/** What a runner asked for may reach the database after it was given up, and take jobs in its name: they are freed again and again. */
const lateForMs = 60_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** A runner that lived this long has shown that the database is back. */
const healthyAfterMs = 30_000;

/**
 * Runs jobs in this process until stopped, through any number of outages of the database. Jobs of processes that were killed are freed at
 * start and every ten seconds (see recovery.ts).
 */
export const startWorker = async (options: Options): Promise<Worker> => {
  const { pool, log, recoverEveryMs = 10_000 } = options;
  const lock = await holdProcessLock(pool, log);
  const stopping = new AbortController();
  const ending = new AbortController();
  const stopped = Promise.withResolvers<void>();
  const ended = new Map<EndedWorker, number>();
  const draining = new Set<Promise<void>>();
  let current: Runner | undefined;

  const free = async (): Promise<void> => {
    for (const [worker, endedAtMs] of ended) {
      await freeEnded(pool, worker);
      lock.forget(worker.workerId);
      if (performance.now() - endedAtMs > lateForMs) ended.delete(worker);
    }
  };
  const drain = async (runner: Runner): Promise<void> => {
    await runner.stop();
    ended.set(runner, performance.now());
    await free().catch((error: unknown) => log.warn({ err: error }, 'jobs of a runner that ended are freed later'));
  };
  const startOne = async (): Promise<Runner | undefined> => {
    try {
      const { handlers, concurrency, crontab } = options;
      return await startRunner({ pool, lock, handlers, concurrency, crontab, signal: ending.signal, log });
    } catch (error) {
      log.error({ err: error }, 'the job runner could not be started');
      return undefined;
    }
  };
  const keepRunning = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now();
      current ??= await startOne();
      if (current !== undefined) {
        await Promise.race([current.broken, stopped.promise]);
        if (stopping.signal.aborted) return;
        log.warn('the job runner is started anew');
        const drained = drain(current).finally(() => draining.delete(drained));
        draining.add(drained);
        current = undefined;
      }
      if (performance.now() - startedAtMs > healthyAfterMs) pauseMs = firstPauseMs;
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };

  current = await startOne();
  const kept = keepRunning();
  let isFirst = true;
  const rounds = startRounds(
    async () => {
      // Taken just now.
      if (!isFirst) await lock.keep();
      isFirst = false;
      await free();
      if (current !== undefined) await forgetWritten(pool, current.finished);
      await recoverDeadWorkers(pool, log, { signal: stopping.signal });
    },
    { everyMs: recoverEveryMs, log },
  );
  return {
    async stop() {
      stopping.abort();
      stopped.resolve();
      const timer = setTimeout(() => ending.abort(), endWithinMs);
      try {
        // At once, so that it takes no more; one that is being started now is found when that is over.
        const last = current;
        await Promise.all([last === undefined ? undefined : drain(last), rounds.stop(), kept]);
        if (current !== undefined && current !== last) await drain(current);
        await Promise.all(draining);
        await lock.release();
      } catch (error) {
        // Others will find that this process has gone.
        log.warn({ err: error }, 'the worker could not be signed off');
      } finally {
        clearTimeout(timer);
      }
    },
  };
};

/** What was finished is remembered until it is written: should its runner break before, it is not run again. */
const forgetWritten = async (pool: pg.Pool, finished: Set<string>): Promise<void> => {
  const asked = [...finished];
  if (asked.length === 0) return;
  const { rows } = await pool.query<{ id: string }>('select id::text as id from graphile_worker.jobs where id = any($1::bigint[])', [
    asked,
  ]);
  const unwritten = new Set(rows.map(({ id }) => id));
  for (const id of asked) if (!unwritten.has(id)) finished.delete(id);
};
