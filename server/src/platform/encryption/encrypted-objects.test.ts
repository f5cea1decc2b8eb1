import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { silentLog } from '#platform/log/log.ts';
import { AlteredObject } from '#platform/objects/altered-object.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import { aFile, testObjects } from '#platform/objects/objects.conformance.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { hashBytes } from '#platform/objects/verified-bytes.ts';
import { openEncryption } from './open-encryption.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

const openStore = async (encryption: 'on' | 'off' = 'on', before?: string) => {
  const folder = before ?? (await mkdtemp(join(tmpdir(), 'pergamin-encrypted-')));
  const root = join(folder, 'objects');
  const store = await createFileObjects(root);
  const settings = { encryption, encryptionKeyFile: join(folder, 'encryption.key'), encryptionSpool: join(folder, 'encrypting') };
  const { objects } = await openEncryption({ db: database.db, store, settings, log: silentLog() });
  return { folder, root, store, objects };
};

testObjects('encrypted files', async () => {
  await sql`delete from encryption_client_key`.execute(database.db);
  const { folder, root, objects } = await openStore();
  return {
    objects,
    count: async () => {
      const names = [root, join(folder, 'encrypting')].map((path) => readdir(path, { recursive: true, withFileTypes: true }));
      return (await Promise.all(names)).flat().filter((entry) => entry.isFile()).length;
    },
    async breakDown() {
      await rm(root, { recursive: true });
      await writeFile(root, 'no folder any more');
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
});

describe('encrypted objects', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let objects: Objects;

  beforeAll(async () => {
    await sql`delete from encryption_client_key`.execute(database.db);
    opened = await openStore();
    ({ objects } = opened);
  });

  afterAll(() => rm(opened.folder, { recursive: true }));

  const pathOf = (key: string): string => join(opened.root, key.slice(0, 2), key.slice(2, 4), key);
  const put = async (bytes: Uint8Array): Promise<string> => (await objects.put(Readable.from([bytes]))).key;
  const read = async (key: string, range?: { start: number; end: number }): Promise<Buffer> => buffer(await objects.open(key, range));
  const putOf = async (bytes: Uint8Array, owners: readonly string[]): Promise<string> => {
    await using file = await aFile(bytes);
    const [{ key }] = await objects.putFiles([{ ...file, owners }]);
    return key;
  };
  const forgetClient = (owner: string) => sql`delete from encryption_client_key where owner = ${owner}`.execute(database.db);

  test.each([0, 1, 16_383, 16_384, 16_385, 32_768, 524_288, 540_673])(
    'of %i bytes no part is on the disk as it came, and all of it is read again',
    async (size) => {
      const bytes = randomBytes(size);
      const key = await put(bytes);
      const stored = await readFile(pathOf(key));
      expect(stored).toHaveLength(16 + 56 + size + 16 * (Math.floor(size / 16_384) + 1));
      if (size >= 16) expect(stored.includes(bytes.subarray(0, 16))).toBe(false);
      expect((await read(key)).equals(bytes)).toBe(true);
      expect(await readdir(join(opened.folder, 'encrypting'))).toEqual([]);
    },
  );

  test.each([
    [16_380, 16_390],
    [0, 16_383],
    [16_384, 16_384],
    [40_000, 49_999],
  ])('bytes %i to %i are decrypted without reading other chunks', async (start, end) => {
    const bytes = randomBytes(50_000);
    const key = await put(bytes);
    const path = pathOf(key);
    const stored = await readFile(path);
    // Every chunk outside of the range is spoilt.
    for (let chunk = 0; chunk < 4; chunk += 1)
      if (chunk < Math.floor(start / 16_384) || chunk > Math.floor(end / 16_384)) stored.writeUInt8(0, 72 + chunk * 16_400);
    await chmod(path, 0o600);
    await writeFile(path, stored);
    expect((await read(key, { start, end })).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ['another byte in the middle', (path) => spoil(path, 20_000)],
    ['another byte in its mark', (path) => spoil(path, 3)],
    ['another byte in its salt', (path) => spoil(path, 20)],
    ['another byte in its last tag', (path) => spoil(path, -1)],
    ['its last chunk missing', (path) => truncate(path, 72 + 2 * 16_400)],
    ['its end missing', (path) => truncate(path, 30_000)],
    ['nearly everything missing', (path) => truncate(path, 10)],
  ])('an object with %s breaks off before the altered part, and tells the checksum of what is stored', async (_, harm) => {
    const bytes = randomBytes(40_000);
    const key = await put(bytes);
    await chmod(pathOf(key), 0o600);
    await harm(pathOf(key));
    const given: Buffer[] = [];
    const reading = async (): Promise<void> => {
      for await (const piece of await objects.open(key)) given.push(piece as Buffer);
    };
    const stored = await hashBytes(await opened.store.open(key));
    await expect(reading()).rejects.toMatchObject({ code: 'STORAGE_ERROR', found: stored });
    const got = Buffer.concat(given);
    expect(got.equals(bytes.subarray(0, got.length))).toBe(true);
    expect(await hashBytes(await objects.open(key))).toEqual(stored);
  });

  test('a range that reaches into an altered part, or past a cut, breaks off', async () => {
    const [altered, cut] = [await put(randomBytes(40_000)), await put(randomBytes(40_000))];
    for (const key of [altered, cut]) await chmod(pathOf(key), 0o600);
    await spoil(pathOf(altered), 20_000);
    await truncate(pathOf(cut), 72 + 16_400);
    for (const key of [altered, cut]) await expect(read(key, { start: 16_000, end: 20_000 })).rejects.toBeInstanceOf(AlteredObject);
  });

  test('an object in the place of another one of the same client gives nothing of it', async () => {
    const [one, other] = [await putOf(randomBytes(1_000), ['cif:1']), await putOf(randomBytes(1_000), ['cif:1'])];
    await chmod(pathOf(one), 0o600);
    await copyFile(pathOf(other), pathOf(one));
    await expect(read(one)).rejects.toBeInstanceOf(AlteredObject);
    // Nor with the key of the other one: it is wrapped for its own row.
    await sql`update encryption_object_key set wrapped = (select wrapped from encryption_object_key where object_key = ${other})
      where object_key = ${one}`.execute(database.db);
    await expect(read(one)).rejects.toMatchObject({ code: 'STORAGE_ERROR', cause: { name: 'KeyUnavailable' } });
    expect(await read(other)).toHaveLength(1_000);
  });

  test('an object without its key is STORAGE_ERROR, never its ciphertext', async () => {
    const key = await put(randomBytes(1_000));
    await sql`delete from encryption_object_key where object_key = ${key}`.execute(database.db);
    await expect(read(key)).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      cause: { message: expect.stringContaining('its key is not there') },
    });
  });

  test('a discarded object leaves no key', async () => {
    const key = await put(randomBytes(10));
    await objects.discard(key);
    const { rows } = await sql`select from encryption_object_key where object_key = ${key}`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('deleting the key of a client makes unreadable what no other reader shares', async () => {
    const bytes = randomBytes(1_000);
    const [own, shared, others] = [await putOf(bytes, ['cif:7']), await putOf(bytes, ['cif:7', 'cif:8']), await putOf(bytes, ['cif:8'])];
    await forgetClient('cif:7');
    await expect(read(own)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    for (const key of [shared, others]) expect((await read(key)).equals(bytes)).toBe(true);
    // A client who comes back begins with another key.
    expect((await read(await putOf(bytes, ['cif:7']))).equals(bytes)).toBe(true);
    await expect(read(own)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
  });

  test('what was stored before is read as it came, and what is encrypted stays readable once encryption is off', async () => {
    const plain = randomBytes(1_000);
    const { key: before } = await opened.store.put(Readable.from([plain]));
    expect((await read(before)).equals(plain)).toBe(true);
    const encrypted = await put(plain);
    const off = await openStore('off', opened.folder);
    const { key: after } = await off.objects.put(Readable.from([plain]));
    expect((await readFile(pathOf(after))).equals(plain)).toBe(true);
    expect((await buffer(await off.objects.open(encrypted))).equals(plain)).toBe(true);
  });
});

const spoil = async (path: string, at: number): Promise<void> => {
  const bytes = await readFile(path);
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  await writeFile(path, bytes);
};
