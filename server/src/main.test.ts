import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return address.port;
};

/** What the product says to people from its start until it is stopped. */
const linesOfStart = async (environment: Record<string, string>): Promise<string[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-start-'));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: database.url, DEMO: 'off', LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      // Stops it; whatever it says besides comes before the end of its output.
      if (line.startsWith('Pergamin is ready at ')) child.kill('SIGTERM');
    }
  } finally {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
  return lines;
};

test('whoever starts the product on their own machine is told where mail is read', async () => {
  const port = String(await freePort());
  const origin = `http://localhost:${port}`;
  expect(await linesOfStart({ PORT: port })).toEqual([
    `Pergamin is ready at ${origin}`,
    `Mail is not sent, but read at ${origin}/local-outbox`,
  ]);
});

test('nothing is said of mail that is sent', async () => {
  const port = String(await freePort());
  expect(await linesOfStart({ PORT: port, SMTP_URL: 'smtp://127.0.0.1:9' })).toEqual([`Pergamin is ready at http://localhost:${port}`]);
});
