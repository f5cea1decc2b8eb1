import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Objects } from './objects.ts';

export interface StoreUnderTest extends AsyncDisposable {
  readonly objects: Objects;
  /** How many objects the store keeps, finished or not; of those that were discarded and are locked none. */
  count(): Promise<number>;
  /** True: its objects are locked from their first byte, so that one that is discarded stays, out of the list, and is read by its name. */
  readonly keepsDiscarded?: boolean;
  /** From now on nothing can be stored, read or probed. The last thing that is done to a store. */
  breakDown(): Promise<void>;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Half a chunk, then the connection breaks. */
const brokenSource = (error: Error): Readable => {
  let sent = false;
  return new Readable({
    read() {
      if (sent) this.destroy(error);
      else this.push(randomBytes(1_000));
      sent = true;
    },
  });
};

/** A file of one's own, as an upload leaves it. */
export const aFile = async (bytes: Uint8Array, folder = tmpdir()) => {
  const home = await mkdtemp(join(folder, 'pergamin-file-'));
  const path = join(home, 'upload');
  await writeFile(path, bytes, { mode: 0o400 });
  return {
    path,
    sha256: sha256(bytes),
    size: bytes.length,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  };
};

/** The contract of every object store. `bytesOf` several megabytes: more than one chunk of any store. */
export const testObjects = (name: string, openStore: () => Promise<StoreUnderTest>): void => {
  describe(`objects in ${name}`, () => {
    let store: StoreUnderTest;
    let objects: Objects;

    beforeAll(async () => {
      store = await openStore();
      ({ objects } = store);
    });

    afterAll(() => store[Symbol.asyncDispose]());

    const put = (bytes: Uint8Array) => objects.put(Readable.from([bytes]));
    const read = async (key: string, range?: { start: number; end: number }): Promise<Buffer> => buffer(await objects.open(key, range));

    test.each([0, 1, 262_144, 262_145, 3_000_000])('%i bytes come back as they were put, with their checksum and size', async (size) => {
      const bytes = randomBytes(size);
      const { key, lockedUntil: _, ...told } = await put(bytes);
      expect(told).toEqual({ sha256: sha256(bytes), size });
      expect(sha256(await read(key))).toBe(told.sha256);
    });

    test('what comes in many small pieces is one object', async () => {
      const pieces = Array.from({ length: 300 }, (_, index) => randomBytes(index));
      const { key, sha256: told } = await objects.put(Readable.from(pieces));
      expect(told).toBe(sha256(Buffer.concat(pieces)));
      expect(sha256(await read(key))).toBe(told);
    });

    test('a whole file is stored as its bytes would be', async () => {
      await using file = await aFile(randomBytes(300_000));
      const [{ key, lockedUntil: _, ...told }] = await objects.putFiles([file]);
      expect(told).toEqual({ sha256: file.sha256, size: file.size });
      expect(sha256(await read(key))).toBe(file.sha256);
    });

    test('a file that has grown since, or is gone, is STORAGE_ERROR, and nothing is kept', async () => {
      await using file = await aFile(randomBytes(100));
      const before = await store.count();
      await expect(objects.putFiles([{ ...file, size: 99 }])).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
      await expect(objects.putFiles([{ ...file, path: `${file.path}-gone` }])).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
      expect(await store.count()).toBe(before);
    });

    test('many files are stored in their order, or none of them when one is not what it was', async () => {
      await using first = await aFile(randomBytes(10));
      await using second = await aFile(randomBytes(20));
      const before = await store.count();
      await expect(objects.putFiles([first, { ...second, size: 99 }])).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
      expect(await store.count()).toBe(before);
      const stored = await objects.putFiles([first, second]);
      expect(stored.map(({ sha256: told }) => told)).toEqual([first.sha256, second.sha256]);
      expect(await Promise.all(stored.map(async ({ key }) => sha256(await read(key))))).toEqual([first.sha256, second.sha256]);
    });

    test('everything that is stored is listed, with the moment', async () => {
      const before = Date.now();
      const { key } = await put(randomBytes(10));
      const gone = await put(randomBytes(10));
      await objects.discard(gone.key);
      const listed = new Map<string, Date>();
      for await (const object of objects.list()) listed.set(object.key, object.storedAt);
      // Some file systems keep whole seconds only.
      expect(listed.get(key)?.getTime()).toBeGreaterThanOrEqual(before - 1_000);
      expect(listed.get(key)?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
      expect(listed.has(gone.key)).toBe(false);
      expect(listed.size).toBe(await store.count());
    });

    test('the same bytes put twice are two objects: discarding one leaves the other', async () => {
      const bytes = randomBytes(100);
      const [first, second] = await Promise.all([put(bytes), put(bytes)]);
      expect(first.key).not.toBe(second.key);
      await objects.discard(first.key);
      expect(await read(second.key)).toEqual(bytes);
    });

    test('many objects at once do not get mixed up', async () => {
      const all = Array.from({ length: 20 }, () => randomBytes(10_000));
      const stored = await Promise.all(all.map(put));
      const found = await Promise.all(stored.map(({ key }) => read(key)));
      expect(found.map(sha256)).toEqual(all.map(sha256));
    });

    test.each([
      [0, 0],
      [0, 9],
      [10, 99],
      [99, 99],
      [262_140, 262_150],
      [299_990, 299_999],
    ])('bytes %i to %i are read alone, both ends included', async (start, end) => {
      const bytes = randomBytes(300_000);
      const { key } = await put(bytes);
      expect(await read(key, { start, end })).toEqual(bytes.subarray(start, end + 1));
    });

    test('a source that breaks off leaves nothing, and its own error is told', async () => {
      const before = await store.count();
      const cut = Object.assign(new Error('the caller hung up'), { code: 'ECONNRESET', syscall: 'read' });
      await expect(objects.put(brokenSource(cut))).rejects.toBe(cut);
      expect(await store.count()).toBe(before);
    });

    test('a discarded object cannot be read, and discarding it again is no error', async () => {
      const { key } = await put(randomBytes(10));
      const keeping = await objects.discard(key);
      expect(keeping !== undefined).toBe(store.keepsDiscarded === true);
      const read = await objects.open(key).then(
        (stream) => stream.destroy(),
        (error: unknown) => error,
      );
      const expected = keeping === undefined ? { code: 'STORAGE_ERROR' } : { destroyed: true };
      expect(read).toMatchObject(expected);
      await objects.discard(key);
    });

    test('an object that was set aside is not listed any more, and is read as before', async () => {
      const bytes = randomBytes(10);
      const { key } = await put(bytes);
      await objects.setAside(key);
      await objects.setAside(key);
      for await (const object of objects.list()) expect(object.key).not.toBe(key);
      expect(await read(key)).toEqual(bytes);
    });

    test('the lock of an object is told as the store has it, and that of one that is not there is STORAGE_ERROR', async () => {
      const { key } = await put(randomBytes(10));
      expect((await objects.findLock(key)) !== undefined).toBe(store.keepsDiscarded === true);
      await expect(objects.findLock(randomUUID())).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    });

    test('an object that is not there is STORAGE_ERROR before a byte is read', async () => {
      await expect(objects.open(randomUUID())).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    });

    test.each(['', '..', '../../etc/passwd', 'spool', 'a/b', `${randomUUID()}/..`, `${randomUUID()}\0`, randomUUID().toUpperCase()])(
      'a key that this store never gave is STORAGE_ERROR: %j',
      async (key) => {
        await expect(objects.open(key)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
        await expect(objects.discard(key)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
      },
    );

    test('a reader that goes away early takes nothing with it', async () => {
      const bytes = randomBytes(1_000_000);
      const { key } = await put(bytes);
      const stream = await objects.open(key);
      for await (const _ of stream) break;
      expect(stream.destroyed).toBe(true);
      expect(sha256(await read(key))).toBe(sha256(bytes));
    });

    test('a usable store answers its probe and keeps nothing of it', async () => {
      const before = await store.count();
      await objects.probe();
      expect(await store.count()).toBe(before);
    });

    test('a store that broke down says STORAGE_ERROR to everything', async () => {
      const { key } = await put(randomBytes(10));
      await store.breakDown();
      await expect(objects.probe()).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
      await expect(put(randomBytes(10))).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
      await expect(objects.open(key)).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    });
  });
};
