import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';
import type { JobHandlers } from './jobs.ts';
import type { ProcessLock } from './process-lock.ts';
import { freeEnded, type EndedWorker } from './recovery.ts';
import { type Runner, startRunner } from './runner.ts';

interface Options {
  readonly pool: pg.Pool;
  readonly lock: ProcessLock;
  readonly handlers: JobHandlers;
  readonly concurrency: number;
  readonly crontab?: string;
  readonly stopping: AbortSignal;
  readonly onGivenUp?: (job: string) => void;
  readonly log: Log;
}

const endWithinMs = 5_000;
/** A statement of a runner may reach the database after the runner was given up, and lock jobs in its name: they are freed repeatedly. */
const lateForMs = 60_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** A runner that lived this long has shown that the database is back. */
const healthyAfterMs = 30_000;

/** One runner at a time: a broken one is replaced, and its jobs are freed when they have ended. */
export const keepRunning = async (options: Options) => {
  const { pool, log, lock, stopping } = options;
  const ending = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
  const draining = new Set<Promise<void>>();
  const ended = createEndedRunners({ pool, lock });

  const drain = async (runner: Runner): Promise<void> => {
    await runner.stop();
    await ended.add(runner).catch((error: unknown) => log.warn({ err: error }, 'jobs of an ended runner will be freed later'));
  };
  const startOne = (): Promise<Runner | undefined> =>
    startRunner({ crontab: undefined, ...options, signal: ending.signal }).catch((error: unknown) => {
      log.error({ err: error }, 'the job runner could not be started');
      return undefined;
    });
  const replaceBroken = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.aborted) {
      const startedAtMs = performance.now();
      current ??= await startOne();
      if (current !== undefined) {
        await Promise.race([current.broken, stopped]);
        if (stopping.aborted) return;
        log.info('the job runner is restarted');
        const drained = drain(current).finally(() => draining.delete(drained));
        draining.add(drained);
        current = undefined;
      }
      if (performance.now() - startedAtMs > healthyAfterMs) pauseMs = firstPauseMs;
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };

  let current = await startOne();
  const kept = replaceBroken();
  return {
    async free(): Promise<void> {
      await ended.free();
      if (current !== undefined) await forgetWritten(pool, current.finished);
    },
    async stop(): Promise<void> {
      const timer = setTimeout(() => ending.abort(), endWithinMs);
      try {
        // At once, so that it takes no more jobs; a runner that is being started now is stopped once it has started.
        const last = current;
        await Promise.all([last === undefined ? undefined : drain(last), kept]);
        if (current !== undefined && current !== last) await drain(current);
        await Promise.all(draining);
      } finally {
        clearTimeout(timer);
      }
    },
  };
};

/** Runners that have ended, whose jobs are freed. */
const createEndedRunners = ({ pool, lock }: Pick<Options, 'pool' | 'lock'>) => {
  const ended = new Map<EndedWorker, number>();
  const free = async (): Promise<void> => {
    for (const [worker, endedAtMs] of ended) {
      await freeEnded(pool, worker);
      lock.forget(worker.workerId);
      if (performance.now() - endedAtMs > lateForMs) ended.delete(worker);
    }
  };
  return {
    free,
    add: async (worker: EndedWorker): Promise<void> => {
      ended.set(worker, performance.now());
      await free();
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
