import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

const lock = '{}';
let root: string;
let started: ChildProcess[];

/** A clone with everything installed, whose build writes a diary and whose server only tells what happens to it. */
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'pergamin-start-'));
  started = [];
  const hash = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
  const files = {
    'package-lock.json': lock,
    'node_modules/.pergamin-install': JSON.stringify({ hash, mode: 'prod' }),
    'node_modules/vite/bin/vite.js': `require('node:fs').appendFileSync('../builds', process.env.NODE_ENV + ' ');`,
    'web/src/main.ts': '',
    'server/src/main.ts': `
      const still = setInterval(() => {}, 1000);
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (console.log('stopped by', signal), clearInterval(still)));
      console.log('ready', process.env['NODE_ENV']);`,
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
  cpSync(import.meta.dirname, path.join(root, 'tools/bootstrap'), { recursive: true, filter: (file) => !file.endsWith('.test.ts') });
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Runs a command in the clone until the server is ready. `ended` waits for everybody who holds its output: launcher and server. */
async function start(command: string, args: string[]): Promise<{ child: ChildProcess; ended: () => Promise<string[]> }> {
  const environment = { ...process.env, NODE_ENV: 'test', npm_lifecycle_event: 'start', PORT: await freePort() };
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: environment });
  started.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const closed = once(child, 'close');
  await once(reader, 'line');
  return {
    child,
    ended: async () => {
      await closed;
      return lines;
    },
  };
}

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(address !== null && typeof address === 'object' ? address.port : 0);
};

const launch = async (): ReturnType<typeof start> => start(process.execPath, ['tools/bootstrap/start.mjs']);

test('being asked to stop reaches the server once, and its exit code comes back', async () => {
  const { child, ended } = await launch();
  child.kill('SIGTERM');
  expect(await ended()).toEqual(['ready production', 'stopped by SIGTERM']);
  expect(child.exitCode).toBe(0);
});

test('an interruption from the keyboard reaches the server once', async () => {
  const { child, ended } = await launch();
  child.kill('SIGINT');
  expect(await ended()).toEqual(['ready production', 'stopped by SIGINT']);
});

test('a launcher that is killed takes the server along', async () => {
  const { child, ended } = await launch();
  child.kill('SIGKILL');
  expect(await ended()).toEqual(['ready production', 'stopped by SIGTERM']);
});

test('a shell between npm and the launcher that is killed takes both along', async () => {
  const { child, ended } = await start('sh', ['-c', `"${process.execPath}" tools/bootstrap/start.mjs; true`]);
  child.kill('SIGKILL');
  expect(await ended()).toEqual(['ready production', 'stopped by SIGTERM']);
});

test('a port that is taken is told before anything is installed or built, with the way out', async () => {
  rmSync(path.join(root, 'node_modules/.pergamin-install'));
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const child = spawn(process.execPath, ['tools/bootstrap/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), HOST: '', PUBLIC_URL: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  other.close();
  expect(said).toBe(
    `PORT: another program listens on port ${port} of 127.0.0.1 already, so nothing was installed or built. ` +
      `End it, or choose another port: PORT=${port + 1} npm start\n`,
  );
  expect(code).toBe(1);
  expect(existsSync(path.join(root, 'builds'))).toBe(false);
  expect(existsSync(path.join(root, 'node_modules/.pergamin-install'))).toBe(false);
});

test('the web client is built for the first start, and again only when its sources have changed', async () => {
  const startAndStop = async (): Promise<string> => {
    const { child, ended } = await launch();
    child.kill('SIGTERM');
    await ended();
    return readFileSync(path.join(root, 'builds'), 'utf8');
  };
  expect(await startAndStop()).toBe('production ');
  expect(await startAndStop()).toBe('production ');
  writeFileSync(path.join(root, 'web/src/main.test.ts'), 'a test changes nothing');
  expect(await startAndStop()).toBe('production ');
  writeFileSync(path.join(root, 'web/src/main.ts'), 'export {};');
  expect(await startAndStop()).toBe('production production ');
});
