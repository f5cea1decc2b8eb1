import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { namedQuery, openDatabase } from './database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => database[Symbol.asyncDispose]());

describe('values', () => {
  test('a count is a number, and one too large to be exact stays text', async () => {
    const { rows } = await database.pool
      .query(`select count(*) as count, 9007199254740991::int8 as largest, 9007199254740993::int8 as beyond
      from (values (1), (2)) as row`);
    expect(rows).toEqual([{ count: 2, largest: Number.MAX_SAFE_INTEGER, beyond: '9007199254740993' }]);
  });

  test('a calendar day is the same day on every machine', async () => {
    const { rows } = await database.pool.query(`select date '2026-03-29' as day, date 'infinity' as indefinite`);
    expect(rows).toEqual([{ day: '2026-03-29', indefinite: 'infinity' }]);
  });

  test('Kysely reads the same values as the pool', async () => {
    const { rows } = await sql`select 7::int8 as size, timestamptz '2026-01-02 03:04:05Z' as at`.execute(database.db);
    expect(rows).toEqual([{ size: 7, at: new Date('2026-01-02T03:04:05Z') }]);
  });
});

test('a hot statement is prepared once for a connection, however often it runs', async () => {
  const { pool, close } = openDatabase({ connection: database.connection, maxConnections: 1, log: silentLog() });
  const statement = { name: 'double', text: 'select $1::int * 2 as doubled' };
  expect(await namedQuery<{ doubled: number }>(pool, statement, [21])).toEqual([{ doubled: 42 }]);
  expect(await namedQuery<{ doubled: number }>(pool, statement, [4])).toEqual([{ doubled: 8 }]);
  const { rows } = await pool.query(`select generic_plans + custom_plans as runs from pg_prepared_statements where name = 'double'`);
  expect(rows).toEqual([{ runs: 2 }]);
  await close();
});

test('a statement is broken off after 15 seconds unless the URL says otherwise', async () => {
  const { rows } = await database.pool.query(
    `select current_setting('statement_timeout') as timeout, current_setting('application_name') as name`,
  );
  expect(rows).toEqual([{ timeout: '15s', name: 'pergamin' }]);

  const impatient = openDatabase({ url: `${database.url}?statement_timeout=20`, log: silentLog() });
  await expect(impatient.pool.query('select pg_sleep(5)')).rejects.toThrow('canceling statement due to statement timeout');
  await impatient.close();
});

test('a connection that breaks inside a transaction fails that transaction only', async () => {
  const broken = Promise.withResolvers<string>();
  const log = Object.assign(silentLog(), { debug: (_details: unknown, message?: string) => broken.resolve(message ?? '') });
  const { db, pool, close } = openDatabase({ connection: database.connection, log });
  const doomed = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    expect(await broken.promise).toBe('a database connection broke');
    await sql`select 1`.execute(transaction);
  });
  await expect(doomed).rejects.toThrow('not queryable');
  await expect(pool.query('select 1 as alive')).resolves.toMatchObject({ rows: [{ alive: 1 }] });
  await close();
});

test('closing twice is closing once', async () => {
  const { pool, close } = openDatabase({ connection: database.connection, log: silentLog() });
  await pool.query('select 1');
  await Promise.all([close(), close()]);
  await expect(pool.query('select 1')).rejects.toThrow('after calling end');
});

test('what was closed has left the database', async () => {
  const { pool, close } = openDatabase({ url: `${database.url}?application_name=leaving`, log: silentLog() });
  await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.01)')));
  await close();
  const { rows } = await database.pool.query(`select pid from pg_stat_activity where application_name = 'leaving'`);
  expect(rows).toEqual([]);
});
