import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatDatabaseUrl } from '#testing/database-server.ts';
import { freePort } from '#testing/free-port.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

/** What the product says to people, and to its log, from its start until it is stopped, which it is when it is ready and `meanwhile` is done. */
const start = async (
  environment: Record<string, string>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<{ lines: string[]; warnings: string[] }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-start-'));
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const warned = text(child.stderr);
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      // Stops it; its further output comes before the end of the stream.
      if (line.startsWith('Pergamin is ready at ')) {
        await meanwhile();
        child.kill('SIGTERM');
      }
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
  return { lines, warnings: (await warned).split('\n').filter((line) => line !== '') };
};

const warningsOf = ({ warnings }: { warnings: string[] }): string[] => warnings.filter((line) => line.includes('TRUSTED_PROXIES'));

test('a start on loopback prints where mail is read', async () => {
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  expect((await start({ PORT: port })).lines).toEqual([
    `Pergamin is ready at ${origin}`,
    `Mail is not sent, but read at ${origin}/local-outbox`,
  ]);
});

const behindHttps = { PUBLIC_URL: 'https://bank.example', LOG_LEVEL: 'warn' };

test('a portal behind https is warned when its settings name no proxy, and metrics listen on loopback only, wherever the portal listens', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const isAnswered = (address: string): Promise<boolean> =>
    fetch(`http://${address}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    );
  let answered: boolean[] = [];
  const started = await start({ ...behindHttps, PORT: String(port), HOST: '127.0.0.2', METRICS_PORT: String(metricsPort) }, async () => {
    answered = await Promise.all(['127.0.0.1', '127.0.0.2'].map((host) => isAnswered(`${host}:${metricsPort}`)));
  });
  expect(answered).toEqual([true, false]);
  expect(warningsOf(started)).toHaveLength(1);
});

test('a portal whose settings name its proxy is not warned, and nothing is said of mail that is sent', async () => {
  const settings = { ...behindHttps, HOST: '127.0.0.1', TRUSTED_PROXIES: '10.0.0.1', SMTP_URL: 'smtp://127.0.0.1:9' };
  const started = await start({ ...settings, PORT: String(await freePort()) });
  expect(started.lines).toEqual(['Pergamin is ready at https://bank.example']);
  expect(warningsOf(started)).toEqual([]);
});

describe('the role that the portal works as', () => {
  const rolesTold = ({ warnings }: { warnings: string[] }): string[] => warnings.filter((line) => line.includes('"alarm":"database-role"'));

  test('is told with each of its powers where it owns the database', async () => {
    const url = formatDatabaseUrl(database.owner.connection);
    const told = rolesTold(await start({ DATABASE_URL: url, LOG_LEVEL: 'warn', PORT: String(await freePort()) }));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('"powers":["is a superuser"]');
  });

  test('is not told where it owns nothing, and migrations have an address of their own', async () => {
    const settings = { DATABASE_MIGRATION_URL: formatDatabaseUrl(database.owner.connection), LOG_LEVEL: 'warn' };
    expect(rolesTold(await start({ ...settings, PORT: String(await freePort()) }))).toEqual([]);
  });
});
