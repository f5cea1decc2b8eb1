import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createJobs, type JobHandler, type Jobs } from './jobs.ts';
import { recoverDeadWorkers } from './recovery.ts';
import { migrateJobs, startWorker, type Worker } from './worker.ts';

const log = silentLog();
let database: TestDatabase;
let jobs: Jobs;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, log);
  jobs = createJobs(database.db);
});

beforeEach(async () => {
  await database.pool.query('delete from graphile_worker._private_jobs');
});

afterAll(() => database[Symbol.asyncDispose]());

interface JobRow {
  payload: unknown;
  key: string | null;
  attempts: number;
  locked_by: string | null;
  run_at: Date;
}

const listJobs = async (): Promise<JobRow[]> => {
  const { rows } = await database.pool.query<JobRow>(
    'select payload, key, attempts, locked_by, run_at from graphile_worker._private_jobs order by id',
  );
  return rows;
};

const listRegistered = async (): Promise<string[]> =>
  (await database.pool.query<{ worker_id: string }>('select worker_id from worker_process')).rows.map((row) => row.worker_id);

/** Other processes have to do something first; how soon they do is not what is tested. */
const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 20 });

const work = (handler: JobHandler, recoverEveryMs = 60_000): Promise<Worker> =>
  startWorker({ pool: database.pool, handlers: { work: handler }, concurrency: 2, log, recoverEveryMs });

/** A job that runs until it is let go. */
const createLatch = () => {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const finished = vi.fn<() => void>();
  const handler: JobHandler = async () => {
    begun.resolve();
    await released.promise;
    finished();
  };
  return { handler, begun: begun.promise, release: released.resolve, finished };
};

describe('adding a job', () => {
  test('adding a job in a transaction that rolls back leaves no job', async () => {
    const undone = database.db.transaction().execute(async (trx) => {
      await jobs.add('work', { of: 'a transaction' }, { trx });
      throw new Error('changed its mind');
    });
    await expect(undone).rejects.toThrow('changed its mind');
    expect(await listJobs()).toEqual([]);
  });

  test('adding a job in a transaction that commits leaves one', async () => {
    await database.db.transaction().execute((trx) => jobs.add('work', { of: 'a transaction' }, { trx }));
    expect((await listJobs()).map(({ payload }) => payload)).toEqual([{ of: 'a transaction' }]);
  });

  test('twice under one key is one job, with the later payload', async () => {
    await jobs.add('work', { version: 1 }, { jobKey: 'document-1' });
    await jobs.add('work', { version: 2 }, { jobKey: 'document-1' });
    await jobs.add('work', { version: 1 }, { jobKey: 'document-2' });
    expect((await listJobs()).map(({ key, payload }) => [key, payload])).toEqual([
      ['document-1', { version: 2 }],
      ['document-2', { version: 1 }],
    ]);
  });

  test('adding a job from twenty places at once under one key leaves one job', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, place) => jobs.add('work', { place }, { jobKey: 'document-1' })));
    expect(await listJobs()).toHaveLength(1);
  });

  test('a job added for later is not run now', async () => {
    const runAt = new Date(Date.now() + 3_600_000);
    await jobs.add('work', {}, { runAt });
    expect((await listJobs()).map((job) => job.run_at)).toEqual([runAt]);
  });
});

describe('running jobs', () => {
  test('each is run once with its payload, the more urgent first', async () => {
    for (const [name, priority] of [['later', 5] as const, ['soon', -5] as const, ['in between', 0] as const])
      await jobs.add('work', { name }, { priority });
    const seen: unknown[] = [];
    const worker = await startWorker({
      pool: database.pool,
      handlers: {
        async work(payload) {
          seen.push(payload);
        },
      },
      concurrency: 1,
      log,
    });
    await eventually(async () => expect(await listJobs()).toEqual([]));
    await worker.stop();
    expect(seen).toEqual([{ name: 'soon' }, { name: 'in between' }, { name: 'later' }]);
  });

  test('one that is added while a worker waits is taken at once', async () => {
    const latch = createLatch();
    const worker = await work(latch.handler);
    await jobs.add('work', {});
    await latch.begun;
    latch.release();
    await worker.stop();
    expect(latch.finished).toHaveBeenCalledOnce();
  });

  test('those of one line run one after the other, and none waits for the next look', async () => {
    let atOnce = 0;
    let most = 0;
    for (let number = 0; number < 12; number++) await jobs.add('work', {}, { queue: 'line' });
    const worker = await work(async () => {
      most = Math.max(most, (atOnce += 1));
      // Long enough for the other worker to have found nothing.
      await new Promise((resolve) => setTimeout(resolve, 30));
      atOnce -= 1;
    });
    await eventually(async () => expect(await listJobs()).toEqual([]));
    await worker.stop();
    expect(most).toBe(1);
  });

  test('one that fails is kept for another attempt, later', async () => {
    await jobs.add('work', {});
    const worker = await work(async () => {
      throw new Error('not today');
    });
    await eventually(async () => expect(await listJobs()).toMatchObject([{ attempts: 1, locked_by: null }]));
    await worker.stop();
    expect((await listJobs())[0]?.run_at.getTime()).toBeGreaterThan(Date.now() - 1_000);
  });

  test('one that failed and is due again succeeds the second time', async () => {
    await jobs.add('work', {});
    let attempts = 0;
    const worker = await work(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
    });
    await eventually(async () => expect(await listJobs()).toMatchObject([{ attempts: 1, locked_by: null }]));
    await database.pool.query('select graphile_worker.reschedule_jobs(array(select id from graphile_worker._private_jobs), now())');
    await eventually(async () => expect(await listJobs()).toEqual([]));
    await worker.stop();
    expect(attempts).toBe(2);
  });

  test('stopping waits for the one that runs, and takes no more', async () => {
    const latch = createLatch();
    const worker = await startWorker({ pool: database.pool, handlers: { work: latch.handler }, concurrency: 1, log });
    await jobs.add('work', {});
    await latch.begun;
    const stopped = worker.stop().then(() => latch.finished.mock.calls.length);
    await jobs.add('work', { for: 'somebody else' });
    latch.release();
    expect(await stopped).toBe(1);
    expect(await listJobs()).toMatchObject([{ payload: { for: 'somebody else' }, attempts: 0 }]);
  });

  test('nothing of a stopped worker stays behind', async () => {
    await (await work(async () => {})).stop();
    expect((await database.pool.query('select * from worker_process')).rows).toEqual([]);
    const { rows } = await database.pool.query(
      "select * from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    expect(rows).toEqual([]);
  });
});

describe('jobs of a process that was killed', () => {
  const program = fileURLToPath(new URL('../../testing/worker-process.ts', import.meta.url));

  const killAtWork = async (): Promise<void> => {
    const child = spawn(process.execPath, [program, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(createInterface({ input: child.stdout }), 'line');
      // Known by name before it is killed; the case of one that had no time for that is below.
      await eventually(async () => expect(await listRegistered()).toContain((await listJobs())[0]?.locked_by));
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };

  test('are run by the next one that starts', async () => {
    await jobs.add('work', { of: 'the dead' });
    await killAtWork();
    expect(await listJobs()).toMatchObject([{ attempts: 1, locked_by: expect.any(String) }]);
    const seen = vi.fn<JobHandler>(async () => {});
    // PostgreSQL may not have noticed yet: then it is not found at the start, but by a round.
    const worker = await work(seen, 50);
    await eventually(async () => expect(await listJobs()).toEqual([]));
    await worker.stop();
    expect(seen).toHaveBeenCalledExactlyOnceWith({ of: 'the dead' }, expect.anything());
  });

  test('are freed by one that was there all the time', async () => {
    const bystander = await startWorker({
      pool: database.pool,
      handlers: { rest: async () => {} },
      concurrency: 1,
      log,
      recoverEveryMs: 50,
    });
    await jobs.add('work', {});
    await killAtWork();
    await eventually(async () => expect(await listJobs()).toMatchObject([{ attempts: 1, locked_by: null }]));
    await bystander.stop();
  });

  test('jobs are freed when their worker was never registered', async () => {
    await jobs.add('work', {});
    await database.pool.query(
      "update graphile_worker._private_jobs set locked_by = 'unheard-of', locked_at = now() - interval '31 seconds'",
    );
    await recoverDeadWorkers(database.pool, log);
    expect(await listJobs()).toMatchObject([{ locked_by: null }]);
  });

  test('are left alone while their worker may still be registering', async () => {
    await jobs.add('work', {});
    await database.pool.query("update graphile_worker._private_jobs set locked_by = 'just-born', locked_at = now()");
    await recoverDeadWorkers(database.pool, log);
    expect(await listJobs()).toMatchObject([{ locked_by: 'just-born' }]);
  });
});

describe('jobs of a process that lives', () => {
  test('are none that were taken before their worker was known', async () => {
    const writer = await database.pool.connect();
    const reading = Promise.withResolvers<void>();
    try {
      // Dead workers are looked for all the same; a new one cannot write itself down.
      await writer.query('begin');
      await writer.query('lock table worker_process in share mode');
      await jobs.add('work', { of: 'a crash' });
      const worker = await work(async () => reading.resolve());
      try {
        const waiting = `select from pg_locks where relation = 'worker_process'::regclass and not granted`;
        await eventually(async () => expect((await database.pool.query(waiting)).rowCount).toBeGreaterThan(0));
        // More than enough for a job to be taken.
        for (let time = 0; time < 100; time += 1) await database.pool.query('select');
        expect((await listJobs()).map((job) => job.locked_by)).toEqual([null]);
        await writer.query('rollback');
        await reading.promise;
      } finally {
        await writer.query('rollback');
        await worker.stop();
      }
    } finally {
      writer.release();
    }
  });

  test('are left alone by others', async () => {
    const latch = createLatch();
    const worker = await work(latch.handler);
    await jobs.add('work', {});
    await latch.begun;
    await Promise.all([recoverDeadWorkers(database.pool, log), recoverDeadWorkers(database.pool, log)]);
    expect(await listJobs()).toMatchObject([{ locked_by: expect.any(String) }]);
    latch.release();
    await worker.stop();
  });

  test('are its own again after its connection broke', async () => {
    const advisory =
      "select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())";
    const holder = async (): Promise<number | undefined> => (await database.pool.query<{ pid: number }>(advisory)).rows[0]?.pid;
    const latch = createLatch();
    const worker = await work(latch.handler, 50);
    await jobs.add('work', {});
    await latch.begun;
    const before = await holder();
    await database.pool.query('select pg_terminate_backend($1)', [before]);
    await eventually(async () => {
      const now = await holder();
      expect(now).toBeDefined();
      expect(now).not.toBe(before);
    });
    await recoverDeadWorkers(database.pool, log);
    expect(await listJobs()).toMatchObject([{ attempts: 1, locked_by: expect.any(String) }]);
    latch.release();
    await worker.stop();
    expect(latch.finished).toHaveBeenCalledOnce();
  });
});
