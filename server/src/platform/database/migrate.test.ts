import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { openDatabase } from './database.ts';
import { migrateToLatest, MigrationError } from './migrate.ts';

const createsInk: Migration = { up: async (db) => db.schema.createTable('ink').addColumn('colour', 'text').execute() };
const fails: Migration = { up: async (db) => void (await sql`select no_such_column`.execute(db)) };

function createNotes(): { notes: string[]; log: { info(details: unknown): void; warn(): void } } {
  const notes: string[] = [];
  return { notes, log: { info: (details) => void notes.push(JSON.stringify(details)), warn: () => undefined } };
}

describe('an empty database', () => {
  test('gets every migration once, though two processes start at the same time', async () => {
    await using database = await createTestDatabase({ isMigrated: false });
    const { notes, log } = createNotes();
    const set = { migrations: { '0001-ink': createsInk } };
    await Promise.all([migrateToLatest(database.db, log, set), migrateToLatest(database.db, log, set)]);
    expect(notes).toEqual(['{"migration":"0001-ink"}']);
  });

  test('stays as it was when the last migration of a batch fails', async () => {
    await using database = await createTestDatabase({ isMigrated: false });
    const attempt = migrateToLatest(database.db, silentLog(), { migrations: { '0001-ink': createsInk, '0002-fails': fails } });
    await expect(attempt).rejects.toThrow(MigrationError);
    await expect(attempt).rejects.toThrow('The database could not be migrated (0002-fails): column "no_such_column" does not exist');
    const { rows } = await sql`select to_regclass('ink') as ink, (select count(*) from kysely_migration) as done`.execute(database.db);
    expect(rows).toEqual([{ ink: null, done: 0 }]);
  });

  test('may take longer to migrate than a request may', async () => {
    await using database = await createTestDatabase({ isMigrated: false });
    const impatient = openDatabase({ url: `${database.url}?statement_timeout=50`, maxConnections: 1, log: silentLog() });
    const slow: Migration = { up: async (db) => void (await sql`select pg_sleep(0.2)`.execute(db)) };
    await migrateToLatest(impatient.db, silentLog(), { migrations: { '0001-slow': slow } });
    const { rows } = await impatient.pool.query(`select current_setting('statement_timeout') as timeout`);
    expect(rows).toEqual([{ timeout: '50ms' }]);
    await impatient.close();
  });
});

test('a database of a newer Pergamin is refused', async () => {
  await using database = await createTestDatabase();
  await expect(migrateToLatest(database.db, silentLog(), { migrations: { '0001-ink': createsInk } })).rejects.toThrow(
    /^The database is newer than this Pergamin, which does not know its migration 0001-baseline\. /,
  );
});

test('a migrated database has nothing left to migrate', async () => {
  await using database = await createTestDatabase();
  const { notes, log } = createNotes();
  await migrateToLatest(database.db, log);
  expect(notes).toEqual([]);
});

test.each([
  ['ink', 'paper'],
  ['paper', 'ink'],
])('a request that writes %s and then %s meets a migration and is not broken off; the migration comes after it', async (first, second) => {
  await using database = await createTestDatabase({ isMigrated: false });
  const { notes, log } = createNotes();
  const createsTables: Migration = {
    async up(db) {
      await db.schema.createTable('ink').addColumn('colour', 'text').execute();
      await db.schema.createTable('paper').addColumn('colour', 'text').execute();
    },
  };
  // The other way round than the request, which waits first: PostgreSQL would break that off.
  const alters: Migration = {
    async up(db) {
      await sql`alter table ${sql.table(second)} add column size int`.execute(db);
      await sql`select pg_sleep(0.4)`.execute(db);
      await sql`alter table ${sql.table(first)} add column size int`.execute(db);
    },
  };
  const migrations = { '0001-tables': createsTables };
  await migrateToLatest(database.db, log, { migrations });
  const request = await database.pool.connect();
  await request.query('begin');
  await request.query(`insert into ${first} values ('black')`);
  const migrated = migrateToLatest(database.db, log, { migrations: { ...migrations, '0002-sizes': alters } });
  const isUnderWay = `select from pg_locks where relation in ('ink'::regclass, 'paper'::regclass) and mode = 'AccessExclusiveLock'`;
  await vi.waitFor(async () => expect((await database.pool.query(isUnderWay)).rowCount).toBeGreaterThan(0), {
    timeout: 10_000,
    interval: 5,
  });
  await request.query(`insert into ${second} values ('white')`);
  await request.query('commit');
  request.release();
  await migrated;
  expect(notes).toEqual(['{"migration":"0001-tables"}', '{"migration":"0002-sizes"}']);
});
