import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, makeWorkerUtils, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';
import type { JobHandlers } from './jobs.ts';
import { holdProcessLock, recoverDeadWorkers } from './recovery.ts';

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

const queueLogger = (log: Log): Logger =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ err: meta['error'] }, message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });

/** Creates the queue's own schema or brings it up to date; to be run before the first job is added. */
export const migrateJobs = async (pool: pg.Pool, log: Log): Promise<void> => {
  const tools = await makeWorkerUtils({ pgPool: pool, logger: queueLogger(log) });
  try {
    await tools.migrate();
  } finally {
    await tools.release();
  }
};

/** Keeps this process known as alive and frees the jobs of dead ones, one round at a time. */
const startRounds = (round: () => Promise<void>, { everyMs, log }: { everyMs: number; log: Log }) => {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= round()
      .catch((error: unknown) => log.error({ err: error }, 'jobs of dead workers could not be freed'))
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};

/**
 * The queue looks for the next job before the end of the last one is written (graphile-worker 0.18). One that had to wait for it in the same
 * line is not found then, and would wait for the next look in two seconds: so it is looked for again, soon and once more.
 */
const createNudges = () => {
  let isStopped = false;
  return {
    add({ workerPool }: { readonly workerPool: { nudge(workers: number): void } }): void {
      for (const afterMs of [15, 120])
        setTimeout(() => {
          if (isStopped) return;
          try {
            // Its own worker may have begun with another one meanwhile.
            workerPool.nudge(1);
          } catch {
            // It has ended: others look in its place.
          }
        }, afterMs).unref();
    },
    stop(): void {
      isStopped = true;
    },
  };
};

const writtenWithinMs = 5_000;

/** The queue does not wait until the end of a job is written (graphile-worker 0.18); whoever stops would close the database before that. */
const waitUntilWritten = async (pool: pg.Pool, workerIds: readonly string[], log: Log): Promise<void> => {
  const deadline = Date.now() + writtenWithinMs;
  for (;;) {
    const { rowCount } = await pool.query('select from graphile_worker.jobs where locked_by = any($1::text[]) limit 1', [workerIds]);
    if (rowCount === 0) return;
    if (Date.now() > deadline) {
      log.warn('the end of a job could not be written; it will be run again');
      return;
    }
    await pause(10);
  }
};

/** Runs jobs in this process until stopped. Jobs of processes that were killed are freed at start and every ten seconds (see recovery.ts). */
export const startWorker = async ({ pool, handlers, concurrency, crontab, log, recoverEveryMs = 10_000 }: Options): Promise<Worker> => {
  const lock = await holdProcessLock(pool, log);
  await recoverDeadWorkers(pool, log);
  const tasks: TaskList = {};
  for (const [name, handle] of Object.entries(handlers)) tasks[name] = (payload, { abortSignal }) => handle(payload, abortSignal);
  const events: WorkerEvents = new EventEmitter();
  const ownIds: string[] = [];
  let registered: Promise<void> | undefined;
  // Jobs are locked under the id of the pool, which is made up inside the queue.
  events.on('pool:create', ({ workerPool }) => {
    ownIds.push(workerPool.id);
    registered = lock.register(workerPool.id).catch((error: unknown) => log.error({ err: error }, 'the worker could not be registered'));
  });
  // Whoever is killed with a job before that would be taken for one that may still be registering, for half a minute.
  const takesNothingUnregistered = { name: 'takes-nothing-unregistered', worker: { hooks: { startWorker: () => registered } } };
  const nudges = createNudges();
  events.on('job:complete', ({ worker, job }) => {
    if (job.job_queue_id !== null) nudges.add(worker);
  });
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    concurrency,
    events,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: queueLogger(log),
    preset: { plugins: [takesNothingUnregistered] },
    ...(crontab === undefined ? {} : { crontab }),
  });
  const rounds = startRounds(
    async () => {
      await lock.keep();
      await recoverDeadWorkers(pool, log);
    },
    { everyMs: recoverEveryMs, log },
  );
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner stopped'));
  return {
    async stop() {
      await rounds.stop();
      nudges.stop();
      try {
        await runner.stop();
        await waitUntilWritten(pool, ownIds, log);
      } finally {
        await lock.release();
      }
    },
  };
};
