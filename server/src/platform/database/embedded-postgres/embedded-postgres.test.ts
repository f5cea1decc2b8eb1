import { chmod, mkdir, mkdtemp, readlink, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { listProcessesFor, listProcessesLeftAfter, startEmbeddedPostgresProcess } from '#testing/start-embedded-postgres-process.ts';
import type { DatabaseConnection } from '../connection.ts';
import { AlreadyRunningError, startEmbeddedPostgres } from './embedded-postgres.ts';
import { getServiceUser, isRoot } from './operating-system-user.ts';

/** What the issue promises after kill -9. */
const NOTHING_LEFT_WITHIN_MS = 5_000;
const DEBIAN_POSTGRES_15 = '/usr/lib/postgresql/15/bin';

/** Every user may enter it, and only its owner may list it. */
let folder: string;
/** A data folder whose database exists and is not running: making one takes longer than all the rest. Its path is as long as any. */
let dataDir: string;
/** The working folder of its PostgreSQL. */
let dataFolder: string;
/** A data folder that does not exist yet. */
let newDataDir: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pergamin-launcher-')));
  await chmod(folder, 0o711);
  dataDir = join(folder, 'a folder with spaces', 'd'.repeat(100), 'e'.repeat(100), 'pergamin');
  const { pid, stop } = await startEmbeddedPostgres({ dataDir, log: silentLog() });
  dataFolder = await readlink(join('/proc', String(pid), 'cwd'));
  await stop();
});

beforeEach(() => {
  newDataDir = join(folder, randomUUID());
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
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
  test('what was written is there after stopping and starting again, in a folder whose path has spaces and more than 200 characters', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    await ask(first.connection, 'create table paper as select generate_series(1, 3) as number');
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    expect(await countRows(second.connection)).toBe(3);
    await Promise.all([second.stop(), second.stop()]);
    expect(existsSync(second.connection.host)).toBe(false);
  });

  describe('while it runs', () => {
    let connection: DatabaseConnection;
    let stop: () => Promise<void>;
    beforeAll(async () => {
      ({ connection, stop } = await startEmbeddedPostgres({ dataDir, log: silentLog() }));
    });
    afterAll(() => stop());

    test('what is written is written durably', async () => {
      expect(
        await ask(
          connection,
          `select concat_ws(' ', current_setting('fsync'), current_setting('synchronous_commit'),
        current_setting('full_page_writes'), current_setting('data_checksums'), current_setting('server_encoding'))`,
        ),
      ).toBe('on on on on UTF8');
    });

    test('letters of every language are letters, though text sorts by code point', async () => {
      await ask(connection, 'create extension pg_trgm');
      expect(await ask(connection, `select lower('ŻÓŁĆ') || similarity('żółw', 'żółw') || ('Z' < 'a')`)).toBe('żółć1true');
    });

    test('nothing listens on a network port, and only the owner and root may reach the socket', async () => {
      expect(await ask(connection, `select current_setting('listen_addresses')`)).toBe('');
      expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
    });
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
  test('a second start, also by another name of the folder, says that Pergamin is already running, and which process it is', async () => {
    await using process = await startEmbeddedPostgresProcess({ dataDir });
    const second = startEmbeddedPostgres({ dataDir, log: silentLog() });
    await expect(second).rejects.toThrow(`Pergamin is already running on ${dataDir} (process ${process.starter})`);
    await expect(second).rejects.toBeInstanceOf(AlreadyRunningError);
    const link = join(folder, 'link');
    await symlink(dataDir, link);
    await expect(startEmbeddedPostgres({ dataDir: link, log: silentLog() })).rejects.toBeInstanceOf(AlreadyRunningError);
    expect(await ask(process.connection, 'select 1')).toBe(1);
  });
});

describe('kill -9', () => {
  test('kill -9 of the process that started it, on a machine with no program but sleep, leaves nothing running and loses nothing acknowledged', async () => {
    const programs = join(folder, 'programs');
    await mkdir(programs);
    await symlink('/bin/sleep', join(programs, 'sleep'));
    const process = await startEmbeddedPostgresProcess({ dataDir, env: { PATH: programs } });
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

  test('may leave a pid file that names a process of another user by now', async ({ onTestFinished }) => {
    const stranger = spawn('sleep', ['60'], { cwd: '/', ...(isRoot() ? await getServiceUser(dataDir) : {}) });
    onTestFinished(() => void stranger.kill());
    await writeFile(join(dataFolder, 'postmaster.pid'), `${stranger.pid}\n${dataFolder}\n`);
    const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: silentLog() });
    expect(await ask(connection, 'select 1')).toBe(1);
    await stop();
  });

  test('kill -9 of the database itself is reported, and the next start recovers what was acknowledged', async () => {
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
