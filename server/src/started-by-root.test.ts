import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canEnter, findUser, isRoot } from '#platform/database/embedded-postgres/operating-system-user.ts';
import { freePort } from '#testing/free-port.ts';
import { createTestDatabase } from '#testing/test-database.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
/** Of a start only what root is left with. */
const leaveRoot = fileURLToPath(new URL('./testing/leave-root-process.ts', import.meta.url));

/** Everybody may enter it. */
let folder: string;
let dataDir: string;
let running: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-leaving-'));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
  running = [];
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly said: string[];
}

/** Until it is ready, or has ended. */
const start = async (environment: Record<string, string> = {}, program = main): Promise<Started> => {
  const port = String(await freePort());
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: dataDir,
      DEMO: 'off',
      LOG_LEVEL: 'info',
      PORT: port,
      METRICS_PORT: String(await freePort()),
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.push(child);
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Pergamin is ready at ')) break;
  return { child, said };
};

const end = async ({ child }: Started, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
};

/** Real, effective, saved and of the file system; of every thread. */
const usersOf = async ({ child }: Started): Promise<number[]> => {
  const tasks = join('/proc', String(child.pid), 'task');
  const users = new Set<number>();
  for (const task of await readdir(tasks)) {
    const [, ids = ''] = /^Uid:\s+(.*)$/m.exec(await readFile(join(tasks, task, 'status'), 'utf8')) ?? [];
    for (const id of ids.split('\t')) users.add(Number(id));
  }
  return [...users];
};

const ownersBelow = async (path: string): Promise<number[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  // What PostgreSQL has removed meanwhile has no owner.
  const owners = await Promise.all(entries.map((entry) => lstat(join(entry.parentPath, entry.name)).catch(() => undefined)));
  return [...new Set([await stat(path), ...owners].flatMap((entry) => (entry === undefined ? [] : [entry.uid])))];
};

const userId = async (): Promise<number> => (await findUser('pergamin'))?.uid ?? Number.NaN;
/** Is not opened. */
const elsewhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };

describe.skipIf(!isRoot())('a portal that root starts (skipped for others)', () => {
  test('goes on as an ordinary user, with its database and all that it keeps, also after kill -9', async ({ skip }) => {
    const user = await findUser('pergamin');
    skip(user === undefined || !(await canEnter(dirname(main), user)), 'this checkout is closed to ordinary users');
    const first = await start();
    const uid = await userId();
    expect(first.said.join('\n')).toContain('"user":"pergamin"');
    expect(await usersOf(first)).toEqual([uid]);
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['objects', 'postgres', 'publisher.key']));
    expect(await ownersBelow(dataDir)).toEqual([uid]);
    await end(first, 'SIGKILL');

    const second = await start();
    expect(await usersOf(second)).toEqual([uid]);
    expect(await ownersBelow(dataDir)).toEqual([uid]);
    await end(second, 'SIGTERM');
    expect(second.child.exitCode).toBe(0);
  }, 60_000);

  test('is given what an earlier one has left as root, and nothing else', async ({ skip }) => {
    const user = await findUser('pergamin');
    skip(user === undefined || !(await canEnter(dirname(main), user)), 'this checkout is closed to ordinary users');
    await mkdir(join(dataDir, 'objects', 'ab', 'cd'), { recursive: true, mode: 0o700 });
    await writeFile(join(dataDir, 'objects', 'ab', 'cd', 'object'), 'bytes', { mode: 0o400 });
    await writeFile(join(dataDir, 'notes of the operator'), '');
    await writeFile(join(folder, 'outside'), '');
    await symlink(join(folder, 'outside'), join(dataDir, 'objects', 'link'));
    const started = await start(elsewhere, leaveRoot);
    const uid = await userId();
    expect(await usersOf(started)).toEqual([uid]);
    expect(await ownersBelow(join(dataDir, 'objects'))).toEqual([uid]);
    expect((await stat(join(folder, 'outside'))).uid).toBe(0);
    expect((await stat(join(dataDir, 'notes of the operator'))).uid).toBe(0);
  });

  test('stays root where that user may not read what it needs, and says so with the remedy', async () => {
    await using database = await createTestDatabase();
    const closed = await mkdtemp(join(folder, 'closed-'));
    const branding = join(closed, 'branding');
    await mkdir(branding);
    const started = await start({ DATABASE_URL: database.url, BRANDING_DIR: branding });
    expect(started.child.exitCode).toBeNull();
    expect(await usersOf(started)).toEqual([0]);
    const warning = started.said.find((line) => line.startsWith('Pergamin stays root: '));
    expect(warning).toMatch(/may not get to .*Let others read the program .* or start as an ordinary user$/);
    expect(started.said.filter((line) => line.includes('the portal stays root'))).toHaveLength(1);
    expect((await stat(dataDir)).uid).toBe(0);
  });

  test('does not give away a folder of other things because DATA_DIR names it', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'something else'), '');
    const started = await start(elsewhere, leaveRoot);
    expect(await usersOf(started)).toEqual([0]);
    expect(started.said.join('\n')).toMatch(/Pergamin stays root: /);
    expect((await stat(dataDir)).uid).toBe(0);
    expect((await stat(join(dataDir, 'something else'))).uid).toBe(0);
  });

  test('is refused a port that only root may listen on', async ({ skip }) => {
    const user = await findUser('pergamin');
    skip(user === undefined || !(await canEnter(dirname(main), user)), 'this checkout is closed to ordinary users');
    const lowest = Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
    skip(lowest < 2, 'anybody may listen on every port here');
    const started = await start({ ...elsewhere, PORT: String(lowest - 1) });
    if (started.child.exitCode === null) await once(started.child, 'exit');
    expect(started.child.exitCode).toBe(1);
    expect(started.said.join('\n')).toContain(`PORT: only root may listen on port ${lowest - 1}, and the portal does not stay root.`);
  });
});
