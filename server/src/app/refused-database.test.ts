import { inject, expect, test } from 'vitest';
import { checkDatabase } from '#platform/database/check-database.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import { newestJobsMigration } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import { runOnServer, uniqueName } from '#testing/database-server.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { prepareDatabase } from './prepare-database.ts';

const log = silentLog();

test('a database of another encoding is refused in a sentence', async () => {
  const server = inject('databaseServer');
  const database = uniqueName('pergamin_ascii');
  await runOnServer(server, `create database ${database} template template0 encoding 'SQL_ASCII' locale 'C'`);
  try {
    await expect(prepareDatabase({ address: { connection: { ...server, database } }, log })).rejects.toThrow(
      new SettingsError(
        `DATABASE_URL: the database ${database} has the encoding SQL_ASCII, and UTF8 is needed: create database ${database} encoding 'UTF8' template template0`,
      ),
    );
  } finally {
    await runOnServer(server, `drop database ${database} with (force)`);
  }
});

test('a database that is not there is refused in a sentence', async () => {
  const address = { connection: { ...inject('databaseServer'), database: 'pergamin_nowhere' } };
  await expect(prepareDatabase({ address, log })).rejects.toThrow(
    new SettingsError('DATABASE_URL: database "pergamin_nowhere" does not exist'),
  );
});

test('a server that is too old is refused in a sentence', async () => {
  const found = {
    is_new: true,
    version: 140_011,
    encoding: 'UTF8',
    database: 'bank',
    role: 'portal',
    schema: 'public',
    makes_tables: true,
    makes_schemas: true,
    missing_schemas: 0,
  };
  const pool = { query: async () => ({ rows: [found] }) } as unknown as Parameters<typeof checkDatabase>[0];
  await expect(checkDatabase(pool, { setting: 'DATABASE_URL', schemas: [] })).rejects.toThrow(
    new SettingsError('DATABASE_URL: PostgreSQL 15 or newer is needed, and the server is PostgreSQL 14'),
  );
});

test('missing rights are refused in a sentence, one after the other, and none is missing that is not used', async () => {
  await using database = await createTestDatabase({ isMigrated: false });
  const name = database.connection.database;
  const role = uniqueName('pergamin_role');
  await database.pool.query(`create role ${role}`);
  const connection = await database.pool.connect();
  try {
    await connection.query('revoke create on schema public from public');
    await connection.query(`set role ${role}`);
    const check = () => checkDatabase(connection, { setting: 'DATABASE_URL', schemas: ['identity'] });
    await expect(check()).rejects.toThrow(
      `DATABASE_URL: the role ${role} may not make schemas in the database ${name}: grant create on database ${name} to ${role}`,
    );
    await database.pool.query(`create schema identity authorization ${role}`);
    await expect(check()).rejects.toThrow(
      `DATABASE_URL: the role ${role} may not make tables in the schema public: grant create on schema public to ${role}`,
    );
    await database.pool.query(`grant create on schema public to ${role}`);
    await check();
  } finally {
    await connection.query('reset role');
    connection.release();
    await database.pool.query(`drop owned by ${role} cascade`);
    await database.pool.query(`drop role ${role}`);
  }
});

test.each([
  [
    "identity's",
    `insert into identity.kysely_migration (name, timestamp) values ('9999-later', now()::text)`,
    /^The database is newer than this Pergamin, which does not know its migration 9999-later\. /,
  ],
  [
    "the jobs'",
    'insert into graphile_worker.migrations (id, breaking) values (999, true)',
    /^The database is newer than this Pergamin, which does not know its queue of jobs$/,
  ],
])('a database in which %s tables are newer is refused in a sentence', async (_whose, upgrade, sentence) => {
  await using database = await createTestDatabase();
  await database.owner.pool.query(upgrade);
  const attempt = prepareDatabase({ address: { connection: database.owner.connection }, log });
  await expect(attempt).rejects.toThrow(MigrationError);
  await expect(attempt).rejects.toThrow(sentence);
});

test('the newest migration of the queue is the one that a database is judged by', async () => {
  await using database = await createTestDatabase();
  const { rows } = await database.owner.pool.query('select max(id) as newest from graphile_worker.migrations');
  expect(rows).toEqual([{ newest: newestJobsMigration }]);
});

const beforeBaseline = /^The database was made by a Pergamin of before the first release \(its migration 0001-first\)/;

test('a database of before the first release is refused in a sentence, and stays as it is', async () => {
  await using database = await createTestDatabase({ isMigrated: false });
  await database.pool.query(`
    create table kysely_migration (name text primary key, timestamp text not null);
    insert into kysely_migration values ('0001-first', now()::text), ('0002-metadata-definitions', now()::text);
    create table client (personal_id text primary key);
    insert into client values ('1001')`);
  const listRelations = async () =>
    (await database.pool.query(`select oid, xmin::text, relname from pg_class where relnamespace not in ('pg_catalog'::regnamespace)`))
      .rows;
  const before = await listRelations();
  const attempt = prepareDatabase({ address: { connection: database.connection }, log });
  await expect(attempt).rejects.toThrow(MigrationError);
  await expect(attempt).rejects.toThrow(beforeBaseline);
  expect(await listRelations()).toEqual(before);
  const { rows } = await database.pool.query('select personal_id, name from client, kysely_migration order by name');
  expect(rows).toEqual([
    { personal_id: '1001', name: '0001-first' },
    { personal_id: '1001', name: '0002-metadata-definitions' },
  ]);
});

test("identity's tables of before the first release are refused, too", async () => {
  await using database = await createTestDatabase();
  await database.owner.pool.query(`update identity.kysely_migration set name = '0001-first'`);
  await expect(prepareDatabase({ address: { connection: database.owner.connection }, log })).rejects.toThrow(beforeBaseline);
});
