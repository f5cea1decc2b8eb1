import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';
import type { JobHandlers } from './jobs.ts';
import type { ProcessLock } from './process-lock.ts';

interface Options {
  readonly pool: pg.Pool;
  readonly lock: ProcessLock;
  readonly handlers: JobHandlers;
  readonly concurrency: number;
  readonly crontab: string | undefined;
  /** Handed to the jobs: they are to end soon. */
  readonly signal: AbortSignal;
  readonly onGivenUp?: ((job: string) => void) | undefined;
  readonly log: Log;
}

export interface Runner {
  /** The jobs that it takes are locked under this name. */
  readonly workerId: string;
  /** Jobs that succeeded and of which that may not be written yet. */
  readonly finished: Set<string>;
  /** Resolves when it should be replaced: it does not know any more which jobs it holds. */
  readonly broken: Promise<void>;
  /** Lets running jobs finish, takes no new ones. Never rejects. */
  stop(): Promise<void>;
}

const writtenWithinMs = 2_000;
/** The longest timer that Node has: jobs are aborted by our own signal. */
const neverMs = 2 ** 31 - 1;

/** `stopping`: what fails once it is aborted is the stop itself, and runs again with the next process. */
export const queueLogger = (log: Log, stopping?: AbortSignal): Logger =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error' && stopping?.aborted === true) log.info({ err: meta['error'] }, message);
    else if (level === 'error') log.error({ err: meta['error'] }, message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });

/**
 * The queue fetches the next job before the end of the last one is recorded (graphile-worker 0.18). A job that waits for it in the same
 * named queue is not found then, and would wait for the next poll in two seconds: so a further poll follows soon, once.
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

/** The handlers as the queue wants them, and what of them is running: when the queue is stopped by force it does not wait for them. */
const createTasks = (handlers: JobHandlers, signal: AbortSignal): { readonly tasks: TaskList; readonly settled: () => Promise<void> } => {
  const running = new Set<Promise<void>>();
  const tasks: TaskList = {};
  for (const [name, handle] of Object.entries(handlers))
    tasks[name] = async (payload) => {
      const job = handle(payload, signal);
      running.add(job);
      try {
        await job;
      } finally {
        running.delete(job);
      }
    };
  return { tasks, settled: async () => void (await Promise.allSettled(running)) };
};

/**
 * @NOTE a connection that breaks while the queue begins to listen on it is released twice (graphile-worker 0.18): an unhandled rejection, which
 * would end the process. Only the connection that it listens on is requested with a callback.
 */
const takingBackOnce = (pool: pg.Pool): pg.Pool => {
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]): unknown =>
    callback === undefined
      ? pool.connect()
      : pool.connect((error, client, done) => {
          let isBack = false;
          callback(error, client, (reason) => {
            // A connection that was not obtained in time has nothing to release.
            if (!isBack && client !== undefined) done(reason);
            isBack = true;
          });
        });
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};

interface Followed extends Pick<Runner, 'finished'> {
  workerId: string;
  registered: Promise<void> | undefined;
  readonly broken: PromiseWithResolvers<void>;
  readonly nudges: ReturnType<typeof createNudges>;
  /** One for each of the queue's workers. */
  readonly stops: readonly Promise<void>[];
}

/** Worker events, collected for as long as the runner lives. */
const follow = (events: WorkerEvents, { lock, onGivenUp, log }: Pick<Options, 'lock' | 'onGivenUp' | 'log'>): Followed => {
  const broken = Promise.withResolvers<void>();
  const finished = new Set<string>();
  const nudges = createNudges();
  const stops: Promise<void>[] = [];
  const stopsOf = new Map<string, () => void>();
  const followed: Followed = { workerId: '', registered: undefined, broken, finished, nudges, stops };
  events.on('pool:create', ({ workerPool }) => {
    followed.workerId = workerPool.id;
    const registered = lock.register(workerPool.id);
    followed.registered = registered;
    registered.catch((error: unknown) => {
      log.error({ err: error }, 'the worker could not be registered');
      broken.resolve();
    });
  });
  events.on('worker:create', ({ worker }) => stops.push(new Promise((resolve) => stopsOf.set(worker.workerId, resolve))));
  events.on('worker:stop', ({ worker }) => stopsOf.get(worker.workerId)?.());
  events.on('job:success', ({ job }) => finished.add(job.id));
  events.on('job:failed', ({ job }) => onGivenUp?.(job.task_identifier));
  events.on('job:complete', ({ worker, job }) => {
    if (job.job_queue_id !== null) nudges.add(worker);
  });
  for (const failure of ['worker:getJob:error', 'worker:fatalError', 'pool:fatalError'] as const)
    events.on(failure, ({ error }) => {
      log.error({ err: error }, 'the job queue could not be reached');
      broken.resolve();
    });
  return followed;
};

/**
 * @NOTE the queue prints an error on the console, over many lines, that it gives to its logger as well (graphile-worker 0.18): standard error is the
 * log, one JSON a line. Nothing else here uses the console.
 */
const keepConsoleQuiet = (): void => void Reflect.set(console, 'trace', () => undefined);

/**
 * One life of the queue's own runner. A statement of its own that failed leaves it in doubt which jobs it has taken or ended: then it is broken,
 * stopped and replaced by another under another name, and its jobs are freed when none of them is running any more (kept-runner.ts).
 */
export const startRunner = async (options: Options): Promise<Runner> => {
  const { pool, handlers, concurrency, crontab, signal, log } = options;
  keepConsoleQuiet();
  const { tasks, settled } = createTasks(handlers, signal);
  const events: WorkerEvents = new EventEmitter();
  const followed = follow(events, options);
  // A worker killed with a job before it was registered could not be told from one that is still registering, for half a minute.
  const takesNothingUnregistered = { name: 'takes-nothing-unregistered', worker: { hooks: { startWorker: () => followed.registered } } };
  const runner = await run({
    pgPool: takingBackOnce(pool),
    taskList: tasks,
    concurrency,
    events,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: queueLogger(log, signal),
    preset: {
      plugins: [takesNothingUnregistered],
      worker: {
        // @NOTE without these, an end that cannot be written is an unhandled rejection, and ends the process (graphile-worker 0.18).
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: neverMs,
      },
    },
    ...(crontab === undefined ? {} : { crontab }),
  });
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner stopped')).finally(followed.broken.resolve);
  return {
    workerId: followed.workerId,
    finished: followed.finished,
    broken: followed.broken.promise,
    async stop() {
      followed.nudges.stop();
      // It may have stopped by itself.
      const written = runner.stop().catch(() => undefined);
      await Promise.all(followed.stops);
      await settled();
      // @NOTE after two ends that could not be written it would wait for ever (graphile-worker 0.18).
      await Promise.race([written, pause(writtenWithinMs, undefined, { ref: false })]);
    },
  };
};
