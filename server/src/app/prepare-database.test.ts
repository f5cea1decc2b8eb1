import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PORTAL_ROLE } from '#platform/database/embedded-postgres/cluster.ts';
import { openDatabase } from '#platform/database/database.ts';
import { silentLog } from '#platform/log/log.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import { asRole, formatDatabaseUrl, runOnServer, uniqueName } from '#testing/database-server.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { prepareDatabase } from './prepare-database.ts';

const log = silentLog();
let database: TestDatabase;
/** No superuser, as an organisation would make one. */
let owner: string;

beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false });
  owner = uniqueName('pergamin_owner');
  await database.pool.query(`create role ${owner} nosuperuser`);
  await database.pool.query(`alter database ${database.connection.database} owner to ${owner}`);
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await runOnServer(inject('databaseServer'), `drop role ${owner}`);
});

const asOwner = (): { url: string } => ({ url: `${database.url}?options=-c%20role%3D${owner}` });
const asPortal = (): { url: string } => ({ url: formatDatabaseUrl(asRole(database.connection, PORTAL_ROLE)) });

test('an owner who is no superuser migrates, and the portal’s role gets rows and no tables', async () => {
  await prepareDatabase({ address: asPortal(), migrationAddress: asOwner(), log });
  // As every later start does.
  await prepareDatabase({ address: asPortal(), migrationAddress: asOwner(), log });
  const { db, close } = openDatabase({ ...asPortal(), log });
  try {
    await sql`insert into installation (name, value) values ('one', 'value')`.execute(db);
    await sql`select graphile_worker.add_job('work')`.execute(db);
    expect((await sql`select from graphile_worker._private_jobs`.execute(db)).rows).toHaveLength(1);
    expect((await sql`select from identity.account`.execute(db)).rows).toEqual([]);
    await expect(sql`alter table installation add column other int`.execute(db)).rejects.toMatchObject({ code: '42501' });
    await expect(sql`create table loot ()`.execute(db)).rejects.toMatchObject({ code: '42501' });
  } finally {
    await close();
  }
});

test('one role alone migrates and works, as it owns everything', async () => {
  await prepareDatabase({ address: asOwner(), log });
  const { rows } = await database.pool.query(
    `select distinct relowner::regrole::text as owner from pg_class
     where relnamespace::regnamespace::text in ('public', 'identity', 'graphile_worker')`,
  );
  expect(rows).toEqual([{ owner }]);
});

test('a role that may not migrate, and no owner beside it, is refused in a sentence', async () => {
  const refused = prepareDatabase({ address: asPortal(), log });
  await expect(refused).rejects.toThrow(/^DATABASE_URL: the role \S+ may not make schemas in the database /);
  await expect(refused).rejects.toBeInstanceOf(SettingsError);
});

test('two addresses of different databases are refused', async () => {
  await using migrated = await createTestDatabase();
  const migrationAddress = { connection: migrated.owner.connection };
  await expect(prepareDatabase({ address: { url: database.url }, migrationAddress, log })).rejects.toThrow(
    `DATABASE_MIGRATION_URL names the database ${migrated.connection.database}, and DATABASE_URL names ${database.connection.database}`,
  );
});
