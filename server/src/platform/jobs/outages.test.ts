import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { silentLog } from '#platform/log/log.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createJobs } from './jobs.ts';
import { migrateJobs, startWorker, type Worker } from './worker.ts';

const log = silentLog();
let database: TestDatabase;
let proxy: DatabaseProxy;
let through: OpenDatabase;
let worker: Worker | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.connection);
  through = openDatabase({ url: `${proxy.url}?statement_timeout=500`, silenceMs: 500, maxConnections: 10, log });
  await migrateJobs(database.owner.pool, log);
});

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await through.close();
  await proxy[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const countJobs = async (): Promise<number> => (await database.pool.query('select from graphile_worker._private_jobs')).rowCount ?? 0;

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 45_000, interval: 50 });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const [jobsInAll, outagesInAll] = isNightly ? [90, 5] : [24, 1];

const outages: readonly (readonly [string, () => Promise<void>])[] = [
  ['its connections break', async () => proxy.cut()],
  [
    'its server ends and starts',
    async () => {
      await proxy.end();
      await pause(700);
      await proxy.start();
    },
  ],
  [
    'it says nothing for a while',
    async () => {
      proxy.silence();
      // Longer than the deadline of a statement.
      await pause(1_500);
      proxy.resume();
    },
  ],
];

test.each(outages)('every job is run once, in every state in which the database fails: %s', { timeout: 90_000 }, async (_how, fail) => {
  const runs = new Map<number, number>();
  worker = await startWorker({
    pool: through.pool,
    handlers: {
      async work(payload) {
        const { number } = payload as { number: number };
        runs.set(number, (runs.get(number) ?? 0) + 1);
        await pause(5 + (number % 7) * 30);
      },
    },
    concurrency: 3,
    log,
    recoverEveryMs: 200,
  });
  const jobs = createJobs(database.db);
  const numbers = Array.from({ length: jobsInAll }, (_, number) => number);
  await jobs.addAll(
    'work',
    numbers.map((number) => ({ number })),
  );
  for (let time = 0; time < outagesInAll; time += 1) {
    const before = runs.size;
    await vi.waitFor(() => expect(runs.size).toBeGreaterThan(Math.min(before + 3, jobsInAll - 1)), { timeout: 30_000, interval: 5 });
    await fail();
  }
  await eventually(async () => expect(await countJobs()).toBe(0));
  expect([...runs].toSorted(([a], [b]) => a - b)).toEqual(numbers.map((number) => [number, 1]));
});

test('a worker can be stopped while the database is away', async () => {
  worker = await startWorker({ pool: through.pool, handlers: { work: async () => {} }, concurrency: 2, log, recoverEveryMs: 100 });
  await proxy.end();
  const startedAtMs = performance.now();
  await worker.stop();
  expect(performance.now() - startedAtMs).toBeLessThan(12_000);
});

/** What is asked for with a callback, which is what the queue listens on, says nothing from its first moment. */
const silentForListeners = (): { pool: OpenDatabase['pool']; begun: Promise<void> } => {
  const begun = Promise.withResolvers<void>();
  let isFirst = true;
  const connect = (callback?: Parameters<OpenDatabase['pool']['connect']>[0]): unknown =>
    callback === undefined
      ? through.pool.connect()
      : through.pool.connect((error, client, done) => {
          if (isFirst) proxy.silence();
          isFirst = false;
          callback(error, client, done);
          begun.resolve();
        });
  const pool = new Proxy(through.pool, {
    get(target, name) {
      const value: unknown = name === 'connect' ? connect : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { pool, begun: begun.promise };
};

test('a connection that breaks while the queue begins to listen on it, and is stopped, ends nothing', async () => {
  const { pool, begun } = silentForListeners();
  worker = await startWorker({ pool, handlers: { work: async () => {} }, concurrency: 1, log, recoverEveryMs: 60_000 });
  await begun;
  // An unhandled rejection fails the run.
  await worker.stop();
  proxy.resume();
  await vi.waitFor(async () => expect((await through.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]), { timeout: 10_000 });
});
