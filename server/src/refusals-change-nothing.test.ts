import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockDataFolder } from '#platform/database/embedded-postgres/data-folder-lock.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { findUser, isRoot } from '#platform/database/embedded-postgres/operating-system-user.ts';
import { silentLog } from '#platform/log/log.ts';
import { formatDatabaseUrl } from '#testing/database-server.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { freePort } from '#testing/free-port.ts';
import { isNightly } from '#testing/nightly.ts';
import { portOf } from '#testing/raw-http.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const audit = fileURLToPath(new URL('./audit.ts', import.meta.url));

let top: string;
/** What a portal has left that was started and stopped. */
let kept: string;
let dataDir: string;
const held: (() => Promise<unknown>)[] = [];

const environmentOf = async (given: Record<string, string>): Promise<Record<string, string>> => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const ports = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  return { PATH, NODE_COMPILE_CACHE, DEMO: 'off', LOG_LEVEL: 'silent', ...ports, ...given };
};

const spawnMain = (env: Record<string, string>, user?: { uid: number; gid: number }, program = main): ChildProcess =>
  spawn(process.execPath, [program], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...user });

const chownAll = (owner: string, path: string): void => void execFileSync('chown', ['-R', '-h', owner, path]);

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'pergamin-refusals-'));
  await chmod(top, 0o711);
  kept = join(top, 'kept');
  const child = spawnMain(await environmentOf({ DATA_DIR: kept }));
  const exited = once(child, 'exit');
  if (child.stdout === null) throw new Error('the portal says nothing');
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('Pergamin is ready at ')) child.kill('SIGTERM');
  await exited;
  if (child.exitCode !== 0) throw new Error('the portal was not stopped in order');
}, 60_000);
afterAll(() => rm(top, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(top, 'case-')), 'data');
  await chmod(join(dataDir, '..'), 0o711);
  execFileSync('cp', ['-a', kept, dataDir]);
});
afterEach(async () => {
  for (const release of held.splice(0)) await release();
});

/** The bytes of PostgreSQL’s own files change whenever it is started; who owns them, and its configuration, do not. */
const isOfPostgres = (path: string): boolean => path.startsWith('postgres/data/') && !/(?:\.conf|PG_VERSION)$/.test(path);
/** In which the lock, the note of the socket, and PostgreSQL’s own files come and go. */
const comeAndGo = new Set(['', 'postgres', 'postgres/data']);

const describeEntry = async (path: string, name: string): Promise<string> => {
  const { uid, gid, mode, mtimeMs, size } = await lstat(path);
  const isFile = (mode & 0o170_000) === 0o100_000;
  const owned = `${uid}:${gid} ${mode.toString(8)}`;
  if (isOfPostgres(name) || comeAndGo.has(name)) return owned;
  // Not of the empty lock: closing it would end a lock that this process holds.
  const sha256 =
    isFile && size > 0
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : '';
  return `${owned} ${mtimeMs} ${isFile ? size : ''} ${sha256}`;
};

/** Owner, mode, time and bytes of everything below the folder. */
const snapshot = async (folder: string): Promise<Record<string, string>> => {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).map((entry) => join(entry.parentPath, entry.name));
  const found: Record<string, string> = {};
  for (const path of [folder, ...entries.sort()]) found[relative(folder, path)] = await describeEntry(path, relative(folder, path));
  return found;
};

/** Those of PostgreSQL may come and go. */
const withoutPostgres = (entries: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !isOfPostgres(name)));

const ownersIn = (entries: Record<string, string>): string[] => [
  ...new Set(Object.entries(entries).flatMap(([name, entry]) => (isOfPostgres(name) ? [entry.split(' ')[0] ?? ''] : []))),
];

/** In the database, as its owner. */
const sql = async (statement: string): Promise<unknown[]> => {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog() });
  const client = new Client({ ...postgres.connection });
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
    await postgres.stop();
  }
};

const schemaSql = `select n.nspname || '.' || c.relname as name, c.relkind, c.relowner::regrole::text as owner, c.relacl::text as rights,
    (select count(*)::int from pg_attribute a where a.attrelid = c.oid) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'identity', 'graphile_worker') order by 1`;

interface Refusal {
  readonly name: string;
  readonly prepare?: () => Promise<unknown>;
  readonly environment?: Record<string, string> | (() => Promise<Record<string, string>>);
  readonly sentence: RegExp;
  /** Also by day. */
  readonly byDay?: true;
  /** The database has to be compared, too. */
  readonly reads?: true;
}

const inData = (...names: string[]): string => join(dataDir, ...names);

const refusals: readonly Refusal[] = [
  {
    name: 'a database of a later version',
    prepare: () => sql(`insert into kysely_migration (name, timestamp) values ('9999-later', now()::text)`),
    sentence: /^The database is newer than this Pergamin, which does not know its migration 9999-later\./,
    byDay: true,
    reads: true,
  },
  {
    name: 'a database of before the first release',
    prepare: () => sql(`update kysely_migration set name = '0001-first' where name = '0001-baseline'`),
    sentence: /^The database was made by a Pergamin of before the first release/,
    reads: true,
  },
  {
    name: 'accounts of a later version',
    prepare: () => sql(`insert into identity.kysely_migration (name, timestamp) values ('9999-later', now()::text)`),
    sentence: /^The database is newer than this Pergamin/,
  },
  {
    name: 'a queue of a later version',
    prepare: () => sql('insert into graphile_worker.migrations (id, breaking) values (999, true)'),
    sentence: /does not know its queue of jobs\n$/,
  },
  {
    name: 'a demonstration that others could reach',
    prepare: () => sql('update publisher_key set demo = true'),
    environment: { PUBLIC_URL: 'https://documents.example.com', HOST: '127.0.0.1' },
    sentence: /^This database holds demonstration data/,
  },
  {
    name: 'a key of markers that is other metadata’s',
    environment: { STATEMENT_MARKER_KEY: 'ST_DOC_TYPE' },
    sentence: /^STATEMENT_MARKER_KEY: ST_DOC_TYPE is the key of other metadata\n$/,
  },
  {
    name: 'the objects of another database',
    prepare: async () => {
      await chmod(inData('objects', 'store-id'), 0o600);
      await writeFile(inData('objects', 'store-id'), '01234567-89ab-4cde-8fab-0123456789ab\n');
    },
    sentence: /^DATA_DIR: .* holds the objects of another database/,
    byDay: true,
  },
  {
    name: 'a folder of objects without its id',
    prepare: () => rm(inData('objects', 'store-id')),
    sentence: /^DATA_DIR: .* is not the folder of objects that the database knows/,
  },
  {
    name: 'objects beside no database',
    prepare: async () => {
      await rm(inData('postgres'), { recursive: true });
      await cp(inData('objects', 'store-id'), inData('objects', '01', '23', '01234567-89ab-4cde-8fab-0123456789ab'));
    },
    sentence: /^DATA_DIR: .* holds objects, and the database knows of none/,
    byDay: true,
  },
  {
    name: 'a missing key of the documents',
    prepare: () => rm(inData('encryption.key')),
    sentence: /^ENCRYPTION_KEY_FILE: there is no key at /,
    byDay: true,
  },
  {
    name: 'a key of the documents that is none',
    prepare: () => writeFile(inData('encryption.key'), 'something else'),
    sentence: /^ENCRYPTION_KEY_FILE: the file .* holds no encryption key/,
  },
  {
    name: 'the key of other documents',
    prepare: () => writeFile(inData('encryption.key'), `pergamin encryption key v1\n1 ${Buffer.alloc(32, 7).toString('base64')}\n`),
    sentence: /^ENCRYPTION_KEY_FILE: the key 1 of .* is not the one/,
  },
  {
    name: 'a file in place of the first key of publishers',
    prepare: async () => {
      await sql(`update publisher_key set name = 'another key'`);
      await writeFile(inData('publisher.key'), 'something else');
    },
    sentence: /publisher\.key holds no key; move it away/,
  },
  {
    name: 'a policy of witnesses that cannot be read',
    environment: { LEDGER_POLICY_FILE: '/nowhere/policy' },
    sentence: /^LEDGER_POLICY_FILE: \/nowhere\/policy cannot be read\n$/,
  },
  {
    name: 'a secret file that cannot be read',
    environment: { SMTP_URL_FILE: '/nowhere/smtp' },
    sentence: /^SMTP_URL_FILE: the file cannot be read \(ENOENT\)\.\n$/,
  },
  {
    name: 'a port that is taken',
    environment: async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      held.push(async () => other.close());
      return { PORT: String(portOf(other)) };
    },
    sentence: /^PORT: another program listens on port /,
  },
  {
    name: 'a data folder that another process serves',
    prepare: async () => {
      const lock = await lockDataFolder(dataDir);
      held.push(() => lock.release());
    },
    sentence: /^Pergamin is already running on /,
    byDay: true,
  },
  {
    name: 'a database of another version of PostgreSQL',
    prepare: () => writeFile(inData('postgres', 'data', 'PG_VERSION'), '14\n'),
    sentence: /was made by PostgreSQL 14; /,
  },
  {
    name: 'a folder of a database that is not mounted',
    prepare: () => rm(inData('postgres', 'data', 'PG_VERSION')),
    sentence: /exists and holds no database/,
  },
  {
    name: 'a database elsewhere that is gone',
    prepare: () => writeFile(inData('instance'), '0123456789abcdef\n'),
    sentence: /names the database \/var\/lib\/pergamin\/0123456789abcdef, which is gone\./,
  },
];

const due = isNightly ? refusals : refusals.filter(({ byDay }) => byDay === true);

/** Starts, and expects that sentence and a folder in which nothing was changed. */
const expectRefusal = async ({ environment = {}, sentence }: Refusal, user?: { uid: number; gid: number }): Promise<void> => {
  const before = await snapshot(dataDir);
  const given = typeof environment === 'function' ? await environment() : environment;
  const child = spawnMain(await environmentOf({ DATA_DIR: dataDir, HOST: '127.0.0.1', ...given }), user);
  if (child.stderr === null || child.stdout === null) throw new Error('the portal says nothing');
  const [said, out, [code]] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')]);
  expect(said).toMatch(sentence);
  expect([code, out]).toEqual([1, '']);
  const after = await snapshot(dataDir);
  expect(withoutPostgres(after)).toEqual(withoutPostgres(before));
  expect(ownersIn(after)).toEqual(ownersIn(before));
};

const readTables = async (): Promise<unknown> => ({
  schema: await sql(schemaSql),
  done: await sql('select name from kysely_migration union all select name from identity.kysely_migration order by name'),
});

describe('a start as an ordinary user that is refused changes nothing', () => {
  test.each(due)(
    'for $name',
    async (refusal) => {
      await refusal.prepare?.();
      const tables = refusal.reads === true ? await readTables() : undefined;
      const user = isRoot() ? await findUser('pergamin') : undefined;
      if (user !== undefined) chownAll(`${user.uid}:${user.gid}`, dataDir);
      await expectRefusal(refusal, user === undefined ? undefined : { uid: user.uid, gid: user.gid });
      if (tables !== undefined) expect(await readTables()).toEqual(tables);
    },
    60_000,
  );
});

describe('a start with a server of PostgreSQL of one’s own that is refused changes nothing', () => {
  const expectUntouched = async (url: string, sentence: RegExp): Promise<void> => {
    const missing = join(dataDir, '..', 'missing');
    for (const DATA_DIR of [missing, dataDir]) {
      if (isRoot()) chownAll('0:0', dataDir);
      const before = await snapshot(dataDir);
      const child = spawnMain(await environmentOf({ DATA_DIR, DATABASE_URL: url }));
      if (child.stderr === null) throw new Error('the portal says nothing');
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect(said).toMatch(sentence);
      expect(code).toBe(1);
      expect(existsSync(missing)).toBe(false);
      expect(await snapshot(dataDir)).toEqual(before);
    }
  };

  test('for a database of a later version, neither in the database nor in DATA_DIR', async () => {
    await using database = await createTestDatabase();
    await database.owner.pool.query(`insert into identity.kysely_migration (name, timestamp) values ('9999-later', now()::text)`);
    await database.owner.pool.query(`delete from kysely_migration where name = '0016-objects'`);
    const readCatalogue = async () => (await database.owner.pool.query(schemaSql)).rows;
    const before = await readCatalogue();
    await expectUntouched(formatDatabaseUrl(database.owner.connection), /^The database is newer than this Pergamin/);
    expect(await readCatalogue()).toEqual(before);
  }, 60_000);

  test('for documents that are elsewhere', async () => {
    await using database = await createTestDatabase();
    await database.owner.pool.query(
      `insert into installation (name, value) values ('object-store-id', '01234567-89ab-4cde-8fab-0123456789ab')`,
    );
    await expectUntouched(
      formatDatabaseUrl(database.owner.connection),
      /^DATA_DIR: .*All processes of one database share one folder of objects/,
    );
  }, 60_000);

  test('for a database that is not there', async () => {
    const { owner, ...database } = await createTestDatabase();
    const url = formatDatabaseUrl({ ...owner.connection, database: 'pergamin_nowhere' });
    await database[Symbol.asyncDispose]();
    await expectUntouched(url, /^DATABASE_URL: database "pergamin_nowhere" does not exist\n$/);
  }, 60_000);
});

describe.skipIf(!isRoot())('a start by root that is refused gives nothing to another user (skipped for others)', () => {
  /** As earlier versions left it: DATA_DIR is root's, and its database runs as nobody. */
  const leaveAsRoot = async (): Promise<void> => {
    chownAll('0:0', dataDir);
    const nobody = await findUser('nobody');
    chownAll(`${nobody?.uid}:${nobody?.gid}`, inData('postgres'));
    await chmod(dataDir, 0o711);
  };

  test.each(due)(
    'for $name',
    async (refusal) => {
      await refusal.prepare?.();
      const tables = refusal.reads === true ? await readTables() : undefined;
      await leaveAsRoot().catch(() => undefined);
      await expectRefusal(refusal);
      if (tables !== undefined) expect(await readTables()).toEqual(tables);
    },
    60_000,
  );

  test('for a command beside the portal, and a database that no portal has brought up to date', async () => {
    await sql(`delete from kysely_migration where name = '0016-objects'`);
    await leaveAsRoot();
    const before = await snapshot(dataDir);
    const child = spawnMain(await environmentOf({ DATA_DIR: dataDir }), undefined, audit);
    if (child.stderr === null) throw new Error('the command says nothing');
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([said, code]).toEqual([expect.stringContaining('The database is older than this Pergamin'), 1]);
    const after = await snapshot(dataDir);
    expect(withoutPostgres(after)).toEqual(withoutPostgres(before));
    expect(ownersIn(after)).toEqual(ownersIn(before));
  });

  test('for a database of a third user', async () => {
    await leaveAsRoot();
    chownAll('1:1', inData('postgres', 'data'));
    await expectRefusal({ name: '', sentence: /belongs to daemon: start as that user, not as root/ });
  });

  test('for a port that only root may listen on', async () => {
    await leaveAsRoot();
    const lowest = Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
    await expectRefusal({ name: '', environment: { PORT: String(lowest - 1) }, sentence: /^PORT: only root may listen on port / });
  });

  test('for a database of a later version in a DATA_DIR that only root may enter', async () => {
    await sql(`insert into kysely_migration (name, timestamp) values ('9999-later', now()::text)`);
    const user = await findUser('pergamin');
    chownAll('0:0', dataDir);
    chownAll(`${user?.uid}:${user?.gid}`, inData('postgres'));
    await chmod(dataDir, 0o700);
    await expectRefusal({ name: '', sentence: /^The database is newer than this Pergamin/ });
  });
});
