import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { silentLog } from '#platform/log/log.ts';
import { isNightly } from '#testing/nightly.ts';
import { hasRadosgw, startRadosgw } from '#testing/radosgw.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createFileObjects } from './file-objects.ts';
import { fileStorePlace } from './file-store-id.ts';
import { openStore, type OpenStore } from './open-store.ts';
import { relocate, removeMoved } from './relocation.ts';
import { recogniseStore } from './store-id.ts';

let database: TestDatabase;
/** One connection, as the command has: more would be a portal's. */
let alone: OpenDatabase;
let folder: string;
let from: OpenStore;
let to: OpenStore;

const openFolder = async (name: string): Promise<OpenStore> => {
  const root = join(folder, name);
  return { objects: await createFileObjects(root), place: fileStorePlace(root), probeLock: async () => 'none' };
};

beforeEach(async () => {
  database = await createTestDatabase();
  alone = openDatabase({ connection: database.connection, maxConnections: 1, log: silentLog() });
  folder = await mkdtemp(join(tmpdir(), 'pergamin-relocation-'));
  [from, to] = [await openFolder('from'), await openFolder('to')];
  await recogniseStore({ db: alone.db, ...from });
});
afterEach(async () => {
  await alone.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const store = async (table: 'statute' | 'document' = 'statute') => {
  const bytes = randomBytes(1_000);
  const { key, sha256 } = await from.objects.put(Readable.from([bytes]));
  const id = randomUUID();
  await (
    table === 'statute'
      ? sql`insert into statute (id, version, effective_from, object_key, sha256, size, page_count, page_sizes)
          values (${id}, ${id}, now(), ${key}, ${sha256}, 1000, 1, '[]')`
      : sql`insert into document (id, type, kind, file_name, object_key, sha256, size, page_count, page_sizes, search_text)
          values (${id}, 'PUBLIC', 'public', 'a.pdf', ${key}, ${sha256}, 1000, 1, '[]', '')`
  ).execute(alone.db);
  return { id, table, bytes, key };
};

const keyOf = async ({ table, id }: { table: 'statute' | 'document'; id: string }): Promise<string> =>
  (await alone.db.selectFrom(table).select('object_key').where('id', '=', id).executeTakeFirstOrThrow()).object_key;

const pathOf = (name: string, key: string): string => join(folder, name, key.slice(0, 2), key.slice(2, 4), key);

const parts = () => ({ db: alone.db, timeZone: 'Europe/Warsaw', log: silentLog() });
test('all objects are copied and named in the other store, where the database then belongs; nothing is removed before it is asked for', async () => {
  const stored = [await store(), await store('document'), await store('document')];
  const moved = await relocate(parts(), { from, to });
  expect(moved).toEqual({ copied: 3, isSwitched: true });
  for (const one of stored) {
    expect(await buffer(await to.objects.open(await keyOf(one)))).toEqual(one.bytes);
    expect(await buffer(await from.objects.open(one.key))).toEqual(one.bytes);
  }
  await recogniseStore({ db: alone.db, ...to });
  await expect(recogniseStore({ db: alone.db, ...from })).rejects.toThrow('holds the objects of another database');

  expect(await removeMoved(parts(), { from, to })).toEqual({ removed: 3, failed: 0 });
  for (const { key } of stored) await expect(from.objects.open(key)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
});

test('the key of an encrypted object goes with its name', async () => {
  const { key, ...document } = await store('document');
  await sql`with client as (insert into encryption_client_key (id, owner, version, wrapped) values (${randomUUID()}, 'public', 1, '') returning id)
    insert into encryption_object_key (object_key, client_key_id, identity, wrapped)
    select ${key}, id, ${randomUUID()}::uuid, '' from client`.execute(alone.db);
  await relocate(parts(), { from, to });
  const keys = await alone.db.selectFrom('encryption_object_key').select('object_key').execute();
  expect(keys).toEqual([{ object_key: await keyOf(document) }]);
});

describe('a relocation that could not move an object', () => {
  test('says so, lets all rows name what they named, and is continued by the next run', async () => {
    const [whole, lost] = [await store(), await store('document')];
    const path = pathOf('from', lost.key);
    await rm(path);
    await expect(relocate(parts(), { from, to })).rejects.toThrow(/^DOCUMENT_RELOCATE_ERROR: 1 objects could not be moved, and 1 were/);
    expect([await keyOf(whole), await keyOf(lost)]).toEqual([whole.key, lost.key]);
    await recogniseStore({ db: alone.db, ...from });
    await writeFile(path, lost.bytes);
    expect(await relocate(parts(), { from, to })).toEqual({ copied: 1, isSwitched: true });
    expect(await buffer(await to.objects.open(await keyOf(whole)))).toEqual(whole.bytes);
  });

  test('names nothing that the other store does not give back as it was', async () => {
    const one = await store();
    const forging: OpenStore = { ...to, objects: { ...to.objects, open: async () => Readable.from([Buffer.from('other bytes')]) } };
    await expect(relocate(parts(), { from, to: forging })).rejects.toThrow(/^DOCUMENT_RELOCATE_ERROR/);
    expect(await keyOf(one)).toBe(one.key);
  });
});

test('bytes that were removed are not looked for, and their row keeps its name', async () => {
  const one = await store('document');
  await sql`update document set state = 'DELETED', removal_began_at = now(), removed_at = now() where id = ${one.id}`.execute(alone.db);
  await from.objects.discard(one.key);
  expect(await relocate(parts(), { from, to })).toEqual({ copied: 0, isSwitched: true });
  expect(await keyOf(one)).toBe(one.key);
});

test('while a portal works with the database, objects are only copied', async () => {
  const one = await store();
  await sql`select 1`.execute(database.db);
  expect(await relocate(parts(), { from, to })).toEqual({ copied: 1, isSwitched: false });
  expect(await keyOf(one)).toBe(one.key);
});

test('of two relocations at once the second is refused, and goes on once the first has ended', async () => {
  await store();
  const { promise: isCopying, resolve: copies } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const slow: OpenStore = {
    ...to,
    objects: {
      ...to.objects,
      async open(key) {
        copies();
        await mayEnd;
        return to.objects.open(key);
      },
    },
  };
  const first = relocate(parts(), { from, to: slow });
  await isCopying;
  const other = openDatabase({ connection: database.connection, maxConnections: 1, log: silentLog() });
  for (const act of [relocate, removeMoved])
    await expect(act({ ...parts(), db: other.db }, { from, to })).rejects.toThrow('another relocation of this database is at work');
  await other.close();
  end();
  expect((await first).isSwitched).toBe(true);
  expect(await removeMoved(parts(), { from, to })).toEqual({ removed: 1, failed: 0 });
});

describe('is refused in a sentence', () => {
  test('a store that holds objects, or belongs to another database', async () => {
    await to.objects.put(Readable.from([Buffer.from('of others')]));
    await expect(relocate(parts(), { from, to })).rejects.toThrow('it has to be empty');
    await to.place.make(randomUUID());
    await expect(relocate(parts(), { from, to })).rejects.toThrow('holds the objects of another database');
    await expect(relocate(parts(), { from, to: from })).rejects.toThrow('the objects are in');
    await expect(relocate(parts(), { from: await openFolder('third'), to: await openFolder('fourth') })).rejects.toThrow(
      'is not the folder',
    );
  });

  test('the removal from a store that was not left', async () => {
    await store();
    await expect(removeMoved(parts(), { from, to })).rejects.toThrow(/^DOCUMENT_REMOVE_ERROR/);
    await relocate(parts(), { from, to });
    await expect(removeMoved(parts(), { from: to, to: from })).rejects.toThrow(/^DOCUMENT_REMOVE_ERROR/);
  });

  test('the removal of an object whose copy is damaged', async () => {
    const one = await store();
    await relocate(parts(), { from, to });
    const copy = pathOf('to', await keyOf(one));
    await chmod(copy, 0o600);
    await writeFile(copy, 'damaged');
    expect(await removeMoved(parts(), { from, to })).toEqual({ removed: 0, failed: 1 });
    expect(await buffer(await from.objects.open(one.key))).toEqual(one.bytes);
  });
});

const isTestedInBucket = isNightly && hasRadosgw();

test.skipIf(!isTestedInBucket)('objects move to a bucket and back', { timeout: 180_000 }, async () => {
  await using gateway = await startRadosgw();
  const bucket = await openStore({ bucket: await gateway.createBucket({ versions: true }), dataDir: folder });
  const one = await store('document');
  expect(await relocate(parts(), { from, to: bucket })).toEqual({ copied: 1, isSwitched: true });
  const inBucket = await keyOf(one);
  expect(await buffer(await bucket.objects.open(inBucket))).toEqual(one.bytes);
  expect(await relocate(parts(), { from: bucket, to })).toEqual({ copied: 1, isSwitched: true });
  expect(await removeMoved(parts(), { from: bucket, to })).toEqual({ removed: 1, failed: 0 });
  await expect(bucket.objects.open(inBucket)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
  expect(await buffer(await to.objects.open(await keyOf(one)))).toEqual(one.bytes);
});

test.skipIf(!isTestedInBucket)(
  'what moves to a bucket with Object Lock is locked there as its row needs it',
  { timeout: 180_000 },
  async () => {
    await using gateway = await startRadosgw();
    const bucket = await openStore({ bucket: await gateway.createBucket({ lock: true }), dataDir: folder });
    const [kept, forgotten] = [await store('document'), await store('document')];
    await sql`update document set retention_date = '2090-07-31', published_at = now()`.execute(alone.db);
    await sql`update document set state = 'FORGOTTEN' where id = ${forgotten.id}`.execute(alone.db);
    await relocate(parts(), { from, to: bucket });
    const until = async (one: Parameters<typeof keyOf>[0]) => (await bucket.objects.findLock(await keyOf(one)))?.until;
    expect((await until(kept))?.toISOString()).toBe('2090-07-31T22:00:00.000Z');
    expect((await until(forgotten))?.getTime()).toBeLessThan(Date.now() + 2 * 86_400_000);
  },
);
