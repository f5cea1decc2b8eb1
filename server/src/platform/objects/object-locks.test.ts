import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createLockComparison } from './compare-locks.ts';
import type { LockLevel } from './lock-level.ts';
import { createObjectLocks } from './object-locks.ts';
import { countShort } from './object-locks.store.ts';
import type { ObjectLock } from './objects.ts';

let database: TestDatabase;
let told: [string, string][];
let refused: string | undefined;
/** What the store tells of each object, once it was asked to lock it. */
let locks: Map<string, ObjectLock>;
/** Runs while the store is asked to lock. */
let meanwhile: (key: string) => Promise<void>;

beforeEach(async () => {
  database = await createTestDatabase();
  told = [];
  refused = undefined;
  locks = new Map();
  meanwhile = async () => {};
});
afterEach(() => database[Symbol.asyncDispose]());

const store = async (retentionDate: string, { isPublished = true } = {}): Promise<string> => {
  const key = randomUUID();
  await sql`insert into document (id, type, kind, file_name, object_key, sha256, size, page_count, page_sizes, search_text, retention_date, published_at)
    values (${randomUUID()}, 'PUBLIC', 'public', 'a.pdf', ${key}, ${'0'.repeat(64)}, 5, 1, '[]', '', ${retentionDate}::date, ${isPublished ? new Date() : null})`.execute(
    database.db,
  );
  return key;
};

const partsOf = (lock: LockLevel) => ({
  db: database.db,
  objects: {
    async retain(key: string, until: Date) {
      if (key === refused) throw new Error('refused');
      await meanwhile(key);
      told.push([key, until.toISOString()]);
      locks.set(key, { mode: 'compliance', until });
    },
    findLock: async (key: string) => locks.get(key),
  },
  lock,
  settings: { timeZone: 'Europe/Warsaw', scrubDays: 1 },
  clock: systemClock,
  log: silentLog(),
});
const lockAll = (lock: LockLevel = 'compliance') => createObjectLocks(partsOf(lock))({}, new AbortController().signal);
const compareAll = (lock: LockLevel = 'compliance') => createLockComparison(partsOf(lock))({}, new AbortController().signal);
const set = (key: string, changes: string) => sql`update document set ${sql.raw(changes)} where object_key = ${key}`.execute(database.db);

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

describe('what goes is not locked any more', () => {
  test.each([
    ['was forgotten', '2090-07-31', `state = 'FORGOTTEN'`],
    ['is being removed', '2090-07-31', `state = 'DELETED', removal_began_at = now()`],
    ['was removed', '2090-07-31', `state = 'DELETED', removal_began_at = now(), removed_at = now()`],
    ['was deleted, and its retention is over', '2020-01-01', `state = 'DELETED'`],
  ])('an object of a document that %s, before the job has locked it', async (_, retentionDate, changes) => {
    const [key, kept] = [await store(retentionDate), await store('2090-07-31')];
    await set(key, changes);
    await lockAll();
    expect(told.map(([locked]) => locked)).toEqual([kept]);
  });

  test('a document that is forgotten between the look of the job and its lock is not locked', async () => {
    const [first, second] = [await store('2090-07-31'), await store('2090-07-31')].toSorted();
    // Both were listed; while the first one is locked, the second one is forgotten.
    meanwhile = async () => {
      await set(second ?? '', `state = 'FORGOTTEN'`);
    };
    await lockAll();
    expect(told.map(([key]) => key)).toEqual([first]);
  });

  test('a document cannot be forgotten while it is being locked: it waits for the lock, and knows of it', async () => {
    const key = await store('2090-07-31');
    let forgetting: Promise<unknown> | undefined;
    meanwhile = async () => {
      await expect(
        database.db.transaction().execute(async (trx) => {
          await sql`set local lock_timeout = '50ms'`.execute(trx);
          await sql`update document set state = 'FORGOTTEN' where object_key = ${key}`.execute(trx);
        }),
      ).rejects.toThrow('lock timeout');
      forgetting = set(key, `state = 'FORGOTTEN'`);
    };
    await lockAll();
    await forgetting;
    const { rows } = await sql`select locked_until::date::text as day from object_lock where key = ${key}`.execute(database.db);
    expect(rows).toEqual([{ day: '2090-07-31' }]);
  });

  test('a document that somebody changes just now is left to the next round', async () => {
    const key = await store('2090-07-31');
    await database.db.transaction().execute(async (trx) => {
      await sql`select from document where object_key = ${key} for no key update`.execute(trx);
      await lockAll();
    });
    expect(told).toEqual([]);
    await lockAll();
    expect(told.map(([locked]) => locked)).toEqual([key]);
  });
});

describe('the comparison of locks with the retention', () => {
  test.each([
    ['is gone', undefined],
    ['ends too early', { mode: 'compliance', until: new Date('2090-07-30T22:00:00Z') }],
    ['is weaker than the store’s', { mode: 'governance', until: new Date('2099-07-31T22:00:00Z') }],
  ] as const)('finds a lock that %s, and locks again', async (_, found) => {
    const [key, whole] = [await store('2090-07-31'), await store('2090-07-31')];
    await lockAll();
    await compareAll();
    expect(told).toHaveLength(2);
    if (found === undefined) locks.delete(key);
    else locks.set(key, found);
    refused = key;
    await compareAll();
    expect(await countShort(database.db)).toBe(1);
    refused = undefined;
    await compareAll();
    expect(told.slice(2)).toEqual([[key, '2090-07-31T22:00:00.000Z']]);
    expect(locks.get(whole)?.mode).toBe('compliance');
    expect(await countShort(database.db)).toBe(0);
  });

  test('asks for nothing where the store locks nothing, and for no lock of what was forgotten', async () => {
    const key = await store('2090-07-31');
    await lockAll();
    locks.delete(key);
    await compareAll('soft');
    await set(key, `state = 'FORGOTTEN'`);
    await compareAll();
    expect(told).toHaveLength(1);
  });
});
