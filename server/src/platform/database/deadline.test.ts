import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { openDatabase, type OpenDatabase } from './database.ts';
import { DatabaseSilentError, withoutDeadline } from './deadline.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** Statements have half a second, and as much again to be answered. */
const deadlines = { statementMs: 500, silenceMs: 500 };
/** Less than the deadline of a statement for which none is set. */
const answeredWithinMs = 4_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let opened: OpenDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.connection);
  opened = openDatabase({
    url: `${proxy.url}?statement_timeout=${deadlines.statementMs}`,
    silenceMs: deadlines.silenceMs,
    beatEveryMs: 100,
    maxConnections: 2,
    log: silentLog(),
  });
});

afterEach(async () => {
  await opened.close();
  await proxy[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

test('a statement on a connection that says nothing fails in time, and its connection is not used again', async () => {
  await opened.pool.query('select 1');
  proxy.silence();
  const startedAtMs = performance.now();
  await expect(opened.pool.query('select 1')).rejects.toThrow(DatabaseSilentError);
  expect(performance.now() - startedAtMs).toBeLessThan(answeredWithinMs);
  proxy.resume();
  await expect(opened.pool.query('select 2 as two')).resolves.toMatchObject({ rows: [{ two: 2 }] });
});

test('a transaction on a connection that says nothing fails in time, and those after it are none the worse', async () => {
  const startedAtMs = performance.now();
  const failed = opened.db.transaction().execute(async (trx) => {
    await sql`insert into installation (name, value) values ('a', 'a')`.execute(trx);
    proxy.silence();
    await sql`insert into installation (name, value) values ('b', 'b')`.execute(trx);
  });
  const error: unknown = await failed.catch((thrown: unknown) => thrown);
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(performance.now() - startedAtMs).toBeLessThan(answeredWithinMs);
  proxy.resume();
  const numbers = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      opened.db.transaction().execute(async (trx) => (await sql<{ n: number }>`select ${number}::int as n`.execute(trx)).rows[0]?.n),
    ),
  );
  expect(numbers).toEqual([1, 2, 3, 4]);
  await vi.waitFor(async () => expect((await database.pool.query(`select from installation where name in ('a', 'b')`)).rowCount).toBe(0), {
    timeout: 10_000,
  });
});

test('a statement for which the deadline is lifted takes as long as it takes', async () => {
  const slept = await withoutDeadline(() =>
    opened.db.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', '0', true)`.execute(trx);
      return sql`select pg_sleep(1.5)`.execute(trx);
    }),
  );
  expect(slept.rows).toHaveLength(1);
});

test('a look at the database takes no connection of the pool, and a second and a half at most', async () => {
  const busy = await Promise.all([opened.pool.connect(), opened.pool.connect()]);
  await opened.look('select 1');
  proxy.silence();
  const startedAtMs = performance.now();
  expect(isDatabaseUnavailable(await opened.look('select 1').catch((error: unknown) => error))).toBe(true);
  expect(performance.now() - startedAtMs).toBeLessThan(2_500);
  proxy.resume();
  for (const connection of busy) connection.release();
});

test('a listener detects a silent connection within seconds, and receives notifications again afterwards', async () => {
  const states: boolean[] = [];
  const heard: string[] = [];
  opened.listen('news', { onMessage: (payload) => heard.push(payload), onLive: (isLive) => states.push(isLive) });
  await vi.waitFor(() => expect(states).toEqual([true]), { timeout: 10_000 });
  proxy.silence();
  await vi.waitFor(() => expect(states).toEqual([true, false]), { timeout: 12_000 });
  proxy.resume();
  await vi.waitFor(() => expect(states).toEqual([true, false, true]), { timeout: 12_000 });
  await database.pool.query(`select pg_notify('news', 'it works')`);
  await vi.waitFor(() => expect(heard).toEqual(['it works']), { timeout: 5_000 });
});
