import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { grantToPortal } from '#platform/database/grants.ts';
import { createLog } from '#platform/log/log.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createFileObjects } from './file-objects.ts';
import type { Objects } from './objects.ts';
import { sweepUnnamedObjects } from './unnamed-objects.ts';

const hourMs = 3_600_000;
const now = new Date('2026-11-20T12:00:00Z');

let database: TestDatabase;
let folder: string;
let objects: Objects;
let lines: string[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'objects-'));
  objects = await createFileObjects(folder);
  lines = [];
});
afterEach(() => rm(folder, { recursive: true }));

const store = async (hoursAgo: number): Promise<string> => {
  const { key } = await objects.put(Readable.from([Buffer.from('bytes')]));
  const storedAt = new Date(now.getTime() - hoursAgo * hourMs);
  await utimes(join(folder, key.slice(0, 2), key.slice(2, 4), key), storedAt, storedAt);
  return key;
};

const sweep = () =>
  sweepUnnamedObjects({
    db: database.db,
    objects,
    clock: { now: () => now },
    log: createLog('warn', { write: (line) => void lines.push(line) }),
  });

const listKeys = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of objects.list()) keys.push(key);
  return keys.toSorted();
};

const nameInDocument = async (key: string): Promise<void> => {
  await sql`insert into document (id, type, kind, file_name, object_key, sha256, size, page_count, page_sizes, search_text)
    values (${randomUUID()}, 'PUBLIC', 'public', 'a.pdf', ${key}, ${'0'.repeat(64)}, 5, 1, '[]', '')`.execute(database.db);
};

const nameInStatute = async (key: string): Promise<void> => {
  await sql`insert into statute (id, version, effective_from, object_key, sha256, size, page_count, page_sizes)
    values (${randomUUID()}, ${key}, now(), ${key}, ${'0'.repeat(64)}, 5, 1, '[]')`.execute(database.db);
};

test('an object that no row has named for a day is set aside, all others stay', async () => {
  const [document, statute, young] = [await store(1_000), await store(1_000), await store(23)];
  await nameInDocument(document);
  await nameInStatute(statute);
  const unnamed = await store(25);
  await sweep();
  expect(await listKeys()).toEqual([document, statute, young].toSorted());
  expect(lines).toHaveLength(1);
  // It may be all that is left of a document of which the database knows nothing now, as after an older one was restored.
  const kept = await objects.open(unnamed);
  expect(Buffer.concat(await kept.toArray()).toString()).toBe('bytes');
  await sweep();
  expect(lines).toHaveLength(1);
});

test('an object named by a room that came later stays, and where that room is closed to us nothing is removed', async () => {
  await sql`create table letter (object_key text not null)`.execute(database.owner.db);
  const key = await store(25);
  await sql`insert into letter values (${key})`.execute(database.owner.db);
  await expect(sweep()).rejects.toThrow('permission denied');
  expect(await listKeys()).toEqual([key]);
  await grantToPortal(database.owner.db, 'pergamin_portal');
  await sweep();
  expect(await listKeys()).toEqual([key]);
  await sql`drop table letter`.execute(database.owner.db);
});

test('more than accidents leave stay all of them, with an alarm: the database may be older than the store', async () => {
  const keys = await Promise.all(Array.from({ length: 1_001 }, () => store(25)));
  await sweep();
  expect(await listKeys()).toEqual(keys.toSorted());
  expect(lines.join('')).toContain('unnamed-objects');
});

test('a database without the portal’s tables removes nothing', async () => {
  await using empty = await createTestDatabase({ isMigrated: false });
  const key = await store(25);
  await expect(sweepUnnamedObjects({ db: empty.db, objects, clock: { now: () => now }, log: createLog('silent') })).rejects.toThrow(
    'not found',
  );
  expect(await listKeys()).toEqual([key]);
});
