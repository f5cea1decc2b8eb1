import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { listProcessesFor, listProcessesLeftAfter, startEmbeddedPostgresProcess } from '#testing/start-embedded-postgres-process.ts';
import type { DatabaseConnection } from '../connection.ts';
import { AlreadyRunningError, removeAbandonedDatabases, startEmbeddedPostgres } from './embedded-postgres.ts';
import { getUnprivilegedUser, isRoot } from './operating-system-user.ts';

/** What the issue promises after kill -9. */
const NOTHING_LEFT_WITHIN_MS = 5_000;
const DEBIAN_POSTGRES_15 = '/usr/lib/postgresql/15/bin';

/** A folder that only its owner may enter, as mkdtemp makes them. */
let closedFolder: string;
/** A data folder whose database exists and is not running: making one takes longer than all the rest. */
let dataDir: string;
/** A data folder that does not exist yet. */
let newDataDir: string;

beforeAll(async () => {
  closedFolder = await realpath(await mkdtemp(join(tmpdir(), 'pergamin-launcher-')));
  dataDir = join(closedFolder, 'data');
  await (await startEmbeddedPostgres({ dataDir, log: silentLog() })).stop();
});

beforeEach(() => {
  newDataDir = join(closedFolder, randomUUID(), 'data');
});

afterAll(async () => {
  await rm(closedFolder, { recursive: true, force: true });
  await removeAbandonedDatabases(silentLog());
});

async function connect(connection: DatabaseConnection): Promise<Client> {
  const client = new Client({ ...connection });
  // Some of these tests end the database under it.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function ask(connection: DatabaseConnection, text: string): Promise<unknown> {
  const client = await connect(connection);
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  await client.end();
  return rows[0]?.[0];
}

const countRows = async (connection: DatabaseConnection): Promise<unknown> => ask(connection, 'select count(*)::int from paper');

/** Writes rows, each acknowledged on its own, until the database is gone; gives how many it acknowledged. */
async function writeUntilGone(client: Client, onAcknowledged: (count: number) => void): Promise<number> {
  let acknowledged = 0;
  try {
    for (;;) {
      await client.query('insert into paper values ($1)', [acknowledged]);
      acknowledged += 1;
      onAcknowledged(acknowledged);
    }
  } catch {
    return acknowledged;
  }
}

/** Starts writing, and resolves when enough rows are in for the kill to hit between others. */
async function startWriting({ connection }: { connection: DatabaseConnection }): Promise<{ acknowledged: Promise<number> }> {
  const client = await connect(connection);
  await client.query('drop table if exists paper');
  await client.query('create table paper (number int)');
  const enough = Promise.withResolvers<void>();
  const acknowledged = writeUntilGone(client, (count) => count === 20 && enough.resolve());
  await enough.promise;
  return { acknowledged };
}

describe('starting and stopping', () => {
  test('what was written is there after stopping and starting again, and it was written durably', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    await ask(first.connection, 'create table paper as select generate_series(1, 3) as number');
    expect(
      await ask(
        first.connection,
        `select concat_ws(' ', current_setting('fsync'), current_setting('synchronous_commit'),
      current_setting('full_page_writes'), current_setting('data_checksums'), current_setting('server_encoding'))`,
      ),
    ).toBe('on on on on UTF8');
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    expect(await countRows(second.connection)).toBe(3);
    await Promise.all([second.stop(), second.stop()]);
    expect(existsSync(second.connection.host)).toBe(false);
  });

  test('letters of every language are letters, though text sorts by code point', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    await ask(postgres.connection, 'create extension pg_trgm');
    expect(await ask(postgres.connection, `select lower('ŻÓŁĆ') || similarity('żółw', 'żółw') || ('Z' < 'a')`)).toBe('żółć1true');
    await postgres.stop();
  });

  test('a data folder whose path has spaces and more than 200 characters', async () => {
    const deep = join(newDataDir, 'a folder with spaces', 'd'.repeat(100), 'e'.repeat(100), 'pergamin');
    await using process = await startEmbeddedPostgresProcess({ dataDir: deep });
    expect(await ask(process.connection, 'select 1')).toBe(1);
  });

  test('nothing listens on a network port, and only the owner and root may reach the socket', async () => {
    const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    expect(await ask(connection, `select current_setting('listen_addresses')`)).toBe('');
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    await stop();
  });

  test.skipIf(!existsSync(DEBIAN_POSTGRES_15))(
    'POSTGRES_BIN runs the programs of Debian’s PostgreSQL 15, which then refuse the data of 18',
    async () => {
      const env = { POSTGRES_BIN: DEBIAN_POSTGRES_15 };
      await using process = await startEmbeddedPostgresProcess({ dataDir: newDataDir, env });
      expect(await ask(process.connection, `select current_setting('server_version_num')::int / 10000`)).toBe(15);
      await expect(startEmbeddedPostgresProcess({ dataDir, env })).rejects.toThrow(/made by PostgreSQL 18; .*15/);
    },
  );
});

describe('one data folder, one running instance', () => {
  test('a second start says that Pergamin is already running, and which process it is', async () => {
    await using process = await startEmbeddedPostgresProcess({ dataDir });
    const second = startEmbeddedPostgres({ dataDir, log: silentLog() });
    await expect(second).rejects.toThrow(`Pergamin is already running on ${dataDir} (process ${process.starter})`);
    await expect(second).rejects.toBeInstanceOf(AlreadyRunningError);
    expect(await ask(process.connection, 'select 1')).toBe(1);
  });

  test('another name of the same folder changes nothing', async () => {
    await using _process = await startEmbeddedPostgresProcess({ dataDir });
    const link = join(closedFolder, 'link');
    await symlink(dataDir, link);
    await expect(startEmbeddedPostgres({ dataDir: link, log: silentLog() })).rejects.toBeInstanceOf(AlreadyRunningError);
  });
});

describe('kill -9', () => {
  test('of the process that started it leaves nothing running, and loses nothing that was acknowledged', async () => {
    const process = await startEmbeddedPostgresProcess({ dataDir });
    const { acknowledged } = await startWriting(process);
    expect((await listProcessesFor(process.dataFolder)).length).toBeGreaterThan(2);
    await process.kill();
    const count = await acknowledged;
    expect(await listProcessesLeftAfter({ dataFolder: process.dataFolder, waitMs: NOTHING_LEFT_WITHIN_MS })).toEqual([]);

    await using next = await startEmbeddedPostgresProcess({ dataDir });
    // The last one may have been committed without the answer getting through.
    expect([count, count + 1]).toContain(await countRows(next.connection));
  });

  test('may be followed by a start at once, while the former database still ends', async () => {
    const process = await startEmbeddedPostgresProcess({ dataDir });
    const { acknowledged } = await startWriting(process);
    await process.kill();
    await using next = await startEmbeddedPostgresProcess({ dataDir });
    const count = await acknowledged;
    expect([count, count + 1]).toContain(await countRows(next.connection));
  });

  test('is noticed by the watcher where the system sends no death signal', async () => {
    // The watcher finds its `sleep` as the database's user.
    await chmod(closedFolder, 0o755);
    const programs = join(closedFolder, 'programs');
    await mkdir(programs);
    await symlink('/bin/sleep', join(programs, 'sleep'));
    const process = await startEmbeddedPostgresProcess({ dataDir, env: { PATH: programs } });
    await process.kill();
    expect(await listProcessesLeftAfter({ dataFolder: process.dataFolder, waitMs: NOTHING_LEFT_WITHIN_MS })).toEqual([]);
    await chmod(closedFolder, 0o700);
  });

  test('may leave a pid file that names a process of somebody else by now', async ({ onTestFinished }) => {
    const first = await startEmbeddedPostgresProcess({ dataDir });
    await first.stop();
    const stranger = spawn('sleep', ['60'], { cwd: '/', ...(isRoot() ? await getUnprivilegedUser() : {}) });
    onTestFinished(() => void stranger.kill());
    await writeFile(join(first.dataFolder, 'postmaster.pid'), `${stranger.pid}\n${first.dataFolder}\n`);
    await using second = await startEmbeddedPostgresProcess({ dataDir });
    expect(await ask(second.connection, 'select 1')).toBe(1);
  });

  test('of the database itself is reported, and the next start recovers what was acknowledged', async () => {
    const reported = Promise.withResolvers<Error>();
    const first = await startEmbeddedPostgres({ dataDir, log: silentLog(), onUnexpectedExit: reported.resolve });
    const { acknowledged } = await startWriting(first);
    process.kill(first.pid, 'SIGKILL');
    expect((await reported.promise).message).toMatch(/^PostgreSQL ended with SIGKILL/);
    const count = await acknowledged;
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    expect([count, count + 1]).toContain(await countRows(second.connection));
    await second.stop();
  });
});

describe.skipIf(!isRoot())('started by root (skipped for others)', () => {
  test('PostgreSQL runs as nobody, from a data folder that only root may enter', async () => {
    await using process = await startEmbeddedPostgresProcess({ dataDir });
    const { uid } = await getUnprivilegedUser();
    expect((await stat(join('/proc', String(process.postmaster)))).uid).toBe(uid);
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['instance']));
    expect(await readdir(dataDir)).not.toContain('postgres');
  });

  test('a deleted data folder takes its database with it at the next start of any', async () => {
    const process = await startEmbeddedPostgresProcess({ dataDir: newDataDir });
    await process.stop();
    await rm(newDataDir, { recursive: true });
    expect(existsSync(process.dataFolder)).toBe(true);
    await using _another = await startEmbeddedPostgresProcess({ dataDir });
    expect(existsSync(process.dataFolder)).toBe(false);
  });

  test('an ordinary user has everything in the data folder, which root then leaves alone', async ({ skip, onTestFinished }) => {
    const { uid, gid } = await getUnprivilegedUser();
    const canReadProgram = await promisify(execFile)(process.execPath, ['--version'], { uid, gid, cwd: '/' }).then(
      () => true,
      () => false,
    );
    skip(!canReadProgram, 'this checkout is closed to ordinary users');
    const ownFolder = await realpath(await mkdtemp(join(tmpdir(), 'pergamin-launcher-')));
    onTestFinished(async () => rm(ownFolder, { recursive: true, force: true }));
    await chown(ownFolder, uid, gid);

    const first = await startEmbeddedPostgresProcess({ dataDir: ownFolder, uid });
    expect((await stat(join('/proc', String(first.postmaster)))).uid).toBe(uid);
    expect(first.dataFolder).toBe(join(ownFolder, 'postgres', 'data'));
    await expect(startEmbeddedPostgres({ dataDir: ownFolder, log: silentLog() })).rejects.toBeInstanceOf(AlreadyRunningError);
    await first.kill();
    expect(await listProcessesLeftAfter({ dataFolder: first.dataFolder, waitMs: NOTHING_LEFT_WITHIN_MS })).toEqual([]);

    await using second = await startEmbeddedPostgresProcess({ dataDir: ownFolder, uid });
    expect(await ask(second.connection, 'select 1')).toBe(1);
    expect(existsSync(first.connection.host)).toBe(false);
    await second.stop();
    await expect(startEmbeddedPostgres({ dataDir: ownFolder, log: silentLog() })).rejects.toThrow('made by an ordinary user');
  });
});
