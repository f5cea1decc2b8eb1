import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createJobs } from '#platform/jobs/jobs.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import { portOf } from '#testing/raw-http.ts';
import { startMachine } from '#testing/start-machine.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pergamin-outages-'));
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.connection);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const ask = async (port: number, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, body: await answer.json() };
};

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 50 });

const holdPort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), [Symbol.asyncDispose]: async () => void server.close() };
};

const isOpen = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );

const unavailable = { status: 503, body: { status: 'unavailable' } };

test(
  'a start without a database waits for it and says so; only probes answer meanwhile, and the port of customers is closed; later outages end nothing',
  { timeout: 120_000 },
  async () => {
    await proxy.end();
    await using machine = await startMachine({ DATA_DIR: dataDir, DATABASE_URL: proxy.url });
    await eventually(async () => expect(machine.said).not.toEqual([]));
    expect(machine.said).toEqual([
      `Waiting for the database at 127.0.0.1:${proxy.connection.port}: connect ECONNREFUSED 127.0.0.1:${proxy.connection.port}`,
    ]);
    expect(await ask(machine.metricsPort, '/api/health')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask(machine.metricsPort, '/api/ready')).toEqual(unavailable);
    expect(await isOpen(machine.port)).toBe(false);

    await proxy.start();
    await machine.ready;
    const ready = { status: 200, body: { status: 'ok', lock: 'none', ledger: 'open' } };
    for (const port of [machine.port, machine.metricsPort]) expect(await ask(port, '/api/ready')).toEqual(ready);

    const jobs = createJobs(database.db);
    for (let time = 0; time < (isNightly ? 5 : 1); time += 1) {
      await jobs.addAll(
        'mail:sweep',
        Array.from({ length: 40 }, () => ({})),
      );
      proxy.cut();
      await proxy.end();
      await eventually(async () => expect(await ask(machine.metricsPort, '/api/ready')).toEqual(unavailable));
      await proxy.start();
      await eventually(async () => expect((await database.pool.query('select from graphile_worker._private_jobs')).rowCount).toBe(0));
    }
    expect(machine.isRunning()).toBe(true);
    for (const port of [machine.port, machine.metricsPort])
      await eventually(async () => expect(await ask(port, '/api/ready')).toEqual(ready));
  },
);

test('a port of customers is never open and unable to serve, from the start of a process to its end', { timeout: 60_000 }, async () => {
  await using machine = await startMachine({ DATA_DIR: dataDir, DATABASE_URL: database.url, DRAIN_SECONDS: '1' });
  /** Each that differs from the one before. */
  const answers: string[] = [];
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const status = await fetch(`http://127.0.0.1:${machine.port}/resources/r/lang/list`, {
        headers: { host: `localhost:${machine.port}`, connection: 'close' },
      }).then(
        async (answer) => (await answer.arrayBuffer(), String(answer.status)),
        (error: Error) => String(error.cause instanceof Error && 'code' in error.cause ? error.cause.code : error),
      );
      if (answers.at(-1) !== status) answers.push(status);
    }
  };
  const watching = watch();
  await machine.ready;
  await eventually(async () => expect(answers.length).toBeGreaterThan(1));
  expect(await machine.stop('SIGTERM')).toBe(0);
  over.abort();
  await watching;
  // The system resets a connection that it has taken, and the process has not, when the port closes.
  expect(answers.join()).toMatch(/^ECONNREFUSED,421(?:,ECONNRESET)?(?:,ECONNREFUSED)?$/);
});

test('a worker opens no port of customers, and its probes answer on the port of metrics', { timeout: 60_000 }, async () => {
  await using machine = await startMachine({ DATA_DIR: dataDir, DATABASE_URL: database.url, ROLE: 'worker' });
  expect(await machine.ready).toBe(
    `Pergamin runs jobs, and answers no customers. Its probes are on port ${machine.metricsPort} of 127.0.0.1`,
  );
  expect(await isOpen(machine.port)).toBe(false);
  expect((await ask(machine.metricsPort, '/api/ready')).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${machine.metricsPort}/`)).status).toBe(404);
  expect(await machine.stop('SIGTERM')).toBe(0);
});

test.for([
  ['PORT', {}],
  ['METRICS_PORT', { ROLE: 'worker' }],
] as const)(
  'a start whose %s another program has is refused in a sentence, and makes nothing',
  { timeout: 60_000 },
  async ([name, environment]) => {
    await using other = await holdPort();
    const folder = join(dataDir, 'none');
    const ports = name === 'PORT' ? { port: other.port } : { metricsPort: other.port };
    await using machine = await startMachine({ DATA_DIR: folder, DATABASE_URL: database.url, ...environment }, ports);
    await expect(machine.ready).rejects.toThrow(
      `${name}: another program listens on port ${other.port} of 127.0.0.1 already. End it, or set ${name} to a free port`,
    );
    expect(existsSync(folder)).toBe(false);
  },
);
