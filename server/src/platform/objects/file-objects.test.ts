import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileObjects } from './file-objects.ts';
import { aFile, testObjects } from './objects.conformance.ts';

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

testObjects('files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-objects-'));
  const root = join(folder, 'objects');
  return {
    objects: await createFileObjects(root),
    count: async () => (await filesBelow(root)).length,
    async breakDown() {
      await rm(root, { recursive: true });
      await writeFile(root, 'no folder any more');
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
});

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pergamin-objects-'));
});

afterEach(() => rm(root, { recursive: true }));

test('an object is a file that its owner may only read, in folders that only its owner may enter', async () => {
  const objects = await createFileObjects(root);
  const bytes = randomBytes(10);
  const { key } = await objects.put(Readable.from([bytes]));
  const path = join(root, key.slice(0, 2), key.slice(2, 4), key);
  expect((await stat(path)).mode & 0o777).toBe(0o400);
  for (const folder of [join(root, key.slice(0, 2)), join(root, key.slice(0, 2), key.slice(2, 4)), join(root, 'spool')])
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readFile(path)).toEqual(bytes);
});

test('a file is moved, not copied, and stays read-only', async () => {
  const objects = await createFileObjects(root);
  await using file = await aFile(randomBytes(10), root);
  const { ino } = await stat(file.path);
  const [{ key }] = await objects.putFiles([file]);
  const stored = await stat(join(root, key.slice(0, 2), key.slice(2, 4), key));
  expect([stored.ino, stored.mode & 0o777, stored.nlink]).toEqual([ino, 0o400, 1]);
  await expect(stat(file.path)).rejects.toMatchObject({ code: 'ENOENT' });
});

const otherDisk = '/dev/shm';
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev;

test.skipIf(!hasOtherDisk)('a file on another disk is copied, and its bytes are compared with what is known of it', async () => {
  const objects = await createFileObjects(root);
  await using file = await aFile(randomBytes(1_000), otherDisk);
  const [{ key }] = await objects.putFiles([file]);
  expect(await readFile(join(root, key.slice(0, 2), key.slice(2, 4), key))).toEqual(await readFile(file.path));
  const before = await filesBelow(root);
  await expect(objects.putFiles([{ ...file, sha256: '0'.repeat(64) }])).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
  expect(await filesBelow(root)).toEqual(before);
});

test('nothing waits in the spool once it is stored', async () => {
  const objects = await createFileObjects(root);
  await objects.put(Readable.from([randomBytes(10)]));
  expect(await readdir(join(root, 'spool'))).toEqual([]);
});

test('the next start sweeps what a killed process left half written, but not what another is still writing', async () => {
  const spool = join(root, 'spool');
  await mkdir(spool);
  await writeFile(join(spool, 'left'), 'half');
  await writeFile(join(spool, 'growing'), 'half');
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(spool, 'left'), twoDaysAgo, twoDaysAgo);
  await createFileObjects(root);
  expect(await readdir(spool)).toEqual(['growing']);
});

test('objects are found again by the next start', async () => {
  const { key } = await (await createFileObjects(root)).put(Readable.from([Buffer.from('kept')]));
  const stream = await (await createFileObjects(root)).open(key);
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('kept');
});

test('a root that cannot be a folder is STORAGE_ERROR, with the reason for the log', async () => {
  await writeFile(join(root, 'taken'), '');
  await expect(createFileObjects(join(root, 'taken'))).rejects.toMatchObject({
    code: 'STORAGE_ERROR',
    cause: { code: expect.stringMatching(/^(ENOTDIR|EEXIST)$/) },
  });
});
