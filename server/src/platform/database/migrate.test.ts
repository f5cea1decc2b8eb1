import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { openDatabase } from './database.ts';
import { migrateToLatest, MigrationError } from './migrate.ts';

const createsInk: Migration = { up: async (db) => db.schema.createTable('ink').addColumn('colour', 'text').execute() };
const fails: Migration = { up: async (db) => void (await sql`select no_such_column`.execute(db)) };

function createNotes(): { notes: string[]; log: { info(details: unknown): void } } {
  const notes: string[] = [];
  return { notes, log: { info: (details) => void notes.push(JSON.stringify(details)) } };
}

describe('an empty database', () => {
  test('gets every migration once, though two processes start at the same time', async () => {
    await using database = await createTestDatabase({ isMigrated: false });
    const { notes, log } = createNotes();
    const migrations = { '0001-ink': createsInk };
    await Promise.all([migrateToLatest(database.db, log, migrations), migrateToLatest(database.db, log, migrations)]);
    expect(notes).toEqual(['{"migration":"0001-ink"}']);
  });

  test('stays as it was when the last migration of a batch fails', async () => {
    await using database = await createTestDatabase({ isMigrated: false });
    const attempt = migrateToLatest(database.db, silentLog(), { '0001-ink': createsInk, '0002-fails': fails });
    await expect(attempt).rejects.toThrow(MigrationError);
    await expect(attempt).rejects.toThrow('The database could not be migrated (0002-fails): column "no_such_column" does not exist');
    const { rows } = await sql`select to_regclass('ink') as ink, (select count(*) from kysely_migration) as done`.execute(database.db);
    expect(rows).toEqual([{ ink: null, done: 0 }]);
  });

  test('may take longer to migrate than a request may', async () => {
    await using database = await createTestDatabase({ isMigrated: false });
    const impatient = openDatabase({ url: `${database.url}?statement_timeout=50`, maxConnections: 1, log: silentLog() });
    const slow: Migration = { up: async (db) => void (await sql`select pg_sleep(0.2)`.execute(db)) };
    await migrateToLatest(impatient.db, silentLog(), { '0001-slow': slow });
    const { rows } = await impatient.pool.query(`select current_setting('statement_timeout') as timeout`);
    expect(rows).toEqual([{ timeout: '50ms' }]);
    await impatient.close();
  });
});

test('a database of a newer Pergamin is refused', async () => {
  await using database = await createTestDatabase();
  await expect(migrateToLatest(database.db, silentLog(), { '0001-ink': createsInk })).rejects.toThrow(/could not be migrated.*missing/);
});

test('a migrated database has nothing left to migrate', async () => {
  await using database = await createTestDatabase();
  const { notes, log } = createNotes();
  await migrateToLatest(database.db, log);
  expect(notes).toEqual([]);
});
