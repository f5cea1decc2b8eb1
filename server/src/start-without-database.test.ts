import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createJobs } from '#platform/jobs/jobs.ts';
import { freePort } from '#testing/free-port.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

let database: TestDatabase;
let proxy: DatabaseProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.connection);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The product in a process of its own, and every line that it says on standard error. */
const startProduct = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-outages-'));
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.url,
      DEMO: 'off',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const ready = once(createInterface({ input: child.stdout }), 'line');
  return {
    child,
    said,
    ready,
    ask: async (path: string) => {
      const answer = await fetch(`http://localhost:${port}${path}`);
      return { status: answer.status, body: await answer.json(), retryAfter: answer.headers.get('retry-after') };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 50 });

test(
  'a start without a database waits for it, says so, and is alive and not ready meanwhile; later outages end nothing',
  { timeout: 120_000 },
  async () => {
    await proxy.end();
    await using product = await startProduct();
    await eventually(async () => expect(product.said).not.toEqual([]));
    expect(product.said).toEqual([
      `Waiting for the database at 127.0.0.1:${proxy.connection.port}: connect ECONNREFUSED 127.0.0.1:${proxy.connection.port}`,
    ]);
    expect(await product.ask('/api/health')).toEqual({ status: 200, body: { status: 'ok' }, retryAfter: null });
    expect(await product.ask('/api/ready')).toEqual({ status: 503, body: { status: 'unavailable' }, retryAfter: '5' });
    expect(await product.ask('/api/open/public/documents/list/data')).toEqual({
      status: 503,
      body: { code: 'STORAGE_ERROR', message: expect.any(String) },
      retryAfter: '5',
    });

    await proxy.start();
    await product.ready;
    expect((await product.ask('/api/ready')).status).toBe(200);

    const jobs = createJobs(database.db);
    for (let time = 0; time < (isNightly ? 5 : 1); time += 1) {
      await jobs.addAll(
        'mail:sweep',
        Array.from({ length: 40 }, () => ({})),
      );
      proxy.cut();
      await proxy.end();
      await proxy.start();
      await eventually(async () => expect((await database.pool.query('select from graphile_worker._private_jobs')).rowCount).toBe(0));
    }
    expect(product.child.exitCode).toBe(null);
    await eventually(async () => expect((await product.ask('/api/ready')).status).toBe(200));
  },
);
