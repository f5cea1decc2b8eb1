import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import type { LockLevel } from './lock-level.ts';
import { createObjectLocks } from './object-locks.ts';

let database: TestDatabase;
let told: [string, string][];
let refused: string | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(() => {
  told = [];
  refused = undefined;
});

const store = async (retentionDate: string, { isPublished = true } = {}): Promise<string> => {
  const key = randomUUID();
  await sql`insert into document (id, type, kind, file_name, object_key, sha256, size, page_count, page_sizes, search_text, retention_date, published_at)
    values (${randomUUID()}, 'PUBLIC', 'public', 'a.pdf', ${key}, ${'0'.repeat(64)}, 5, 1, '[]', '', ${retentionDate}::date, ${isPublished ? new Date() : null})`.execute(
    database.db,
  );
  return key;
};

const lockAll = (lock: LockLevel = 'compliance') =>
  createObjectLocks({
    db: database.db,
    objects: {
      async retain(key, until) {
        if (key === refused) throw new Error('refused');
        told.push([key, until.toISOString()]);
      },
    },
    lock,
    settings: { timeZone: 'Europe/Warsaw' },
    log: silentLog(),
  })({}, new AbortController().signal);

test('an object is locked to the end of its last day where the organisation is, once, and again when its retention is extended', async () => {
  const key = await store('2090-07-31');
  await store('2020-01-01');
  await store('2090-07-31', { isPublished: false });
  await lockAll('soft');
  await lockAll('none');
  expect(told).toEqual([]);
  await lockAll();
  await lockAll();
  expect(told).toEqual([[key, '2090-07-31T22:00:00.000Z']]);
  await sql`update document set retention_date = '2091-01-31' where object_key = ${key}`.execute(database.db);
  await lockAll('governance');
  expect(told[1]).toEqual([key, '2091-01-31T23:00:00.000Z']);
});

test('an object without an end of its retention is locked for a hundred years', async () => {
  const key = await store('infinity');
  await lockAll();
  await lockAll();
  expect(told).toHaveLength(1);
  expect(told[0]?.[0]).toBe(key);
  expect(Number(told[0]?.[1].slice(0, 4))).toBeGreaterThanOrEqual(new Date().getUTCFullYear() + 99);
});

test('an object that could not be locked is tried again by the next round, and keeps no other from being locked', async () => {
  const [first, second] = [await store('2092-01-01'), await store('2092-01-01')];
  refused = first;
  await lockAll();
  expect(told.map(([key]) => key)).toEqual([second]);
  refused = undefined;
  await lockAll();
  expect(told.map(([key]) => key)).toEqual([second, first]);
});
