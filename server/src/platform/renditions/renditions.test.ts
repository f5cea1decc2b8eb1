import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSealing } from '#platform/encryption/sealed-bytes.ts';
import { createRenditions, renditionFormat, textFormat, type SpooledImage } from './renditions.ts';

const sha256 = 'ab'.repeat(32);
const key = { sha256, width: 1240, page: 1 };
let dir: string;
let png: Uint8Array;
let jpeg: Uint8Array;

beforeAll(async () => {
  const paper = sharp({ create: { width: 8, height: 8, channels: 3, background: 'white' } });
  png = await paper.clone().png().toBuffer();
  jpeg = await paper.clone().jpeg().toBuffer();
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'renditions-'));
});
afterEach(() => rm(dir, { recursive: true }));

/** As a PDF thread leaves it. */
const spooled = async (bytes: Uint8Array): Promise<SpooledImage> => {
  const imagePath = await createRenditions({ dir }).makeWorkPath();
  await writeFile(imagePath, bytes);
  return { imagePath, size: bytes.length };
};

test('an image comes back as it was put, with its type', async () => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, await spooled(png));
  await renditions.put({ ...key, page: 2 }, await spooled(jpeg));
  expect(await renditions.open(key)).toEqual({ bytes: Buffer.from(png), type: 'image/png' });
  expect(await renditions.open({ ...key, page: 2 })).toEqual({ bytes: Buffer.from(jpeg), type: 'image/jpeg' });
  expect(await renditions.has(key)).toBe(true);
  expect(await renditions.listPages(key)).toEqual(new Set([1, 2]));
});

describe('with a key', () => {
  const sealing = createSealing(randomBytes(32));

  test('an image and a text come back as they were put, and the disk has nothing of them', async () => {
    const renditions = createRenditions({ dir, sealing });
    await renditions.put(key, await spooled(png));
    await renditions.putText(key, { lines: ['Umowa kredytu'] });
    expect([await renditions.has(key), await renditions.open(key)]).toEqual([true, { bytes: Buffer.from(png), type: 'image/png' }]);
    expect(await renditions.openText(key)).toEqual({ lines: ['Umowa kredytu'] });
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const stored = await Promise.all(entries.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name))));
    expect(stored).toHaveLength(2);
    expect(stored.filter((bytes) => bytes.includes('PNG') || bytes.includes('Umowa'))).toEqual([]);
  });

  test('an image that is torn, altered, of another page or of another key counts as missing', async () => {
    const renditions = createRenditions({ dir, sealing });
    const pathOf = (page: number): string => join(dir, `v${renditionFormat}`, 'ab', sha256, '1240', String(page));
    const pages = [1, 2, 3, 4];
    for (const page of pages) await renditions.put({ ...key, page }, await spooled(png));
    await truncate(pathOf(1), 40);
    const altered = await readFile(pathOf(2));
    altered.writeUInt8(altered.readUInt8(30) ^ 1, 30);
    await writeFile(pathOf(2), altered);
    await copyFile(pathOf(4), pathOf(3));
    expect(await Promise.all(pages.map(async (page) => (await renditions.open({ ...key, page }))?.type))).toEqual([
      undefined,
      undefined,
      undefined,
      'image/png',
    ]);
    expect(await createRenditions({ dir, sealing: createSealing(randomBytes(32)) }).open({ ...key, page: 4 })).toBeUndefined();
    expect(await renditions.listPages(key)).toEqual(new Set());
  });

  test('an image of before is read as it is', async () => {
    await createRenditions({ dir }).put(key, await spooled(png));
    expect((await createRenditions({ dir, sealing }).open(key))?.type).toBe('image/png');
  });

  test('an image that has to stay in memory is read from there', async () => {
    const full = { percent: 10, readSpace: async () => ({ totalBytes: 100, freeBytes: 1 }) };
    const renditions = createRenditions({ dir, sealing, reserve: full });
    await renditions.put(key, await spooled(png));
    expect((await renditions.open(key))?.type).toBe('image/png');
  });
});

test('what was never put, or put at another width, is not there', async () => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, await spooled(png));
  const other = { ...key, width: 1860 };
  expect(await renditions.open(other)).toBeUndefined();
  expect(await renditions.has(other)).toBe(false);
  expect(await renditions.listPages(other)).toEqual(new Set());
});

test('an image drawn again takes the place of the one before', async () => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, await spooled(png));
  await renditions.put(key, await spooled(jpeg));
  expect((await renditions.open(key))?.type).toBe('image/jpeg');
  expect(await renditions.listPages(key)).toEqual(new Set([1]));
});

test.each([0, 20])('an image of which a power cut left %i bytes counts as missing', async (bytes) => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, await spooled(png));
  await truncate(join(dir, `v${renditionFormat}`, 'ab', sha256, '1240', '1'), bytes);
  expect(await renditions.open(key)).toBeUndefined();
  expect(await renditions.has(key)).toBe(false);
});

test('removing an object takes all its images and no other', async () => {
  const renditions = createRenditions({ dir });
  const neighbour = { ...key, sha256: 'ac'.repeat(32) };
  for (const each of [key, { ...key, width: 1860 }, neighbour]) await renditions.put(each, await spooled(png));
  await renditions.remove(sha256);
  expect(await renditions.has(key)).toBe(false);
  expect(await renditions.has({ ...key, width: 1860 })).toBe(false);
  expect(await renditions.has(neighbour)).toBe(true);
});

test.each([
  ['a path instead of a hash', { ...key, sha256: '../../../../etc/passwd' }],
  ['a hash in capitals', { ...key, sha256: 'AB'.repeat(32) }],
  ['a hash with a line after it', { ...key, sha256: `${sha256}\n` }],
  ['page 0', { ...key, page: 0 }],
  ['half a page', { ...key, page: 1.5 }],
  ['a width that is no number', { ...key, width: Number.NaN }],
])('%s is no key', async (_name, wrong) => {
  const renditions = createRenditions({ dir });
  await expect(renditions.open(wrong)).rejects.toThrow(RangeError);
  await expect(renditions.has(wrong)).rejects.toThrow(RangeError);
  await expect(renditions.put(wrong, await spooled(png))).rejects.toThrow(RangeError);
});

test('what a killed process left at work is cleared away, what another is working on is not', async () => {
  const work = join(dir, 'work');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'abandoned'), 'half an image');
  await writeFile(join(work, 'in use'), 'half an image');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(join(work, 'abandoned'), twoHoursAgo, twoHoursAgo);
  await createRenditions({ dir }).makeWorkPath();
  expect(await readdir(work)).toEqual(['in use']);
});

test('the text of a page comes back as it was put, goes with its object, and counts as missing when it is torn', async () => {
  const renditions = createRenditions({ dir });
  const text = { lines: [{ text: 'żółw' }] };
  await renditions.putText({ sha256, page: 1 }, text);
  await renditions.putText({ sha256, page: 2 }, text);
  expect(await renditions.openText({ sha256, page: 1 })).toEqual(text);
  expect(await renditions.openText({ sha256, page: 3 })).toBeUndefined();
  await truncate(join(dir, `v${renditionFormat}`, 'ab', sha256, `text-${textFormat}`, '2'), 9);
  expect(await renditions.openText({ sha256, page: 2 })).toBeUndefined();
  await renditions.remove(sha256);
  expect(await renditions.openText({ sha256, page: 1 })).toBeUndefined();
});

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
const fileOf = (page: number): string => join(dir, `v${renditionFormat}`, 'ab', sha256, '1240', String(page));

describe.skipIf(process.platform === 'win32')('no other user of the machine', () => {
  test('may read what is made', async () => {
    const renditions = createRenditions({ dir });
    await renditions.put(key, await spooled(png));
    await renditions.putText(key, { lines: [] });
    const modes = new Set<string>();
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }))
      if (!entry.isFile()) modes.add(await modeOf(join(entry.parentPath, entry.name)));
    expect([await modeOf(dir), ...modes]).toEqual(['700', '700']);
    expect(await modeOf(join(dir, `v${renditionFormat}`, 'ab', sha256, `text-${textFormat}`, '1'))).toBe('600');
  });

  test('may read what an earlier version left open, from the start on', async () => {
    const renditions = createRenditions({ dir });
    await renditions.put(key, await spooled(png));
    for (const path of [dir, dirname(fileOf(1))]) await chmod(path, 0o755);
    await chmod(fileOf(1), 0o644);
    await createRenditions({ dir }).prepare();
    expect(await modeOf(dir)).toBe('700');
    await createRenditions({ dir }).sweep();
    expect([await modeOf(dirname(fileOf(1))), await modeOf(fileOf(1))]).toEqual(['700', '600']);
  });
});

describe('the last free space of the disk', () => {
  const totalBytes = 1_000_000;
  const withFree = (freeBytes: number, maxOverflowBytes = 1_000_000) =>
    createRenditions({ dir, maxOverflowBytes, reserve: { percent: 10, readSpace: async () => ({ freeBytes, totalBytes }) } });

  test('is left to others: what a person waits for is kept in memory', async () => {
    const renditions = withFree(99_999);
    await renditions.put(key, await spooled(png));
    await renditions.putText(key, { lines: ['a'] });
    expect(await renditions.open(key)).toEqual({ bytes: Buffer.from(png), type: 'image/png' });
    expect([await renditions.has(key), await renditions.listPages(key)]).toEqual([true, new Set([1])]);
    expect(await renditions.openText(key)).toEqual({ lines: ['a'] });
    expect(await readdir(dir, { recursive: true })).toEqual(['work']);
    await renditions.remove(sha256);
    expect([await renditions.has(key), await renditions.openText(key)]).toEqual([false, undefined]);
  });

  test('is not needed for what is made ahead of time, which is dropped', async () => {
    const renditions = withFree(99_999);
    await renditions.put(key, await spooled(png), { aheadOfTime: true });
    expect(await renditions.has(key)).toBe(false);
    expect(await readdir(dir, { recursive: true })).toEqual(['work']);
  });

  test('does not fill the memory instead', async () => {
    const renditions = withFree(99_999, png.length);
    await renditions.put(key, await spooled(png));
    await renditions.put({ ...key, page: 2 }, await spooled(png));
    expect(await renditions.listPages(key)).toEqual(new Set([2]));
  });

  test('is made by a sweep, which removes no more than is missing', async () => {
    const roomy = withFree(500_000);
    const old = Array.from({ length: 4 }, (_, index) => ({ ...key, sha256: `0${index}`.repeat(32) }));
    for (const each of old) {
      await roomy.put(each, await spooled(Buffer.concat([png.subarray(0, 8), Buffer.alloc(9_984), png.subarray(-8)])));
      const usedAt = Date.now() / 1_000 - 3_600 + Number(each.sha256[1]);
      await utimes(join(dir, `v${renditionFormat}`, each.sha256.slice(0, 2), each.sha256, '1240'), usedAt, usedAt);
    }
    expect([roomy.isSweepDue(), (await roomy.sweep()).removedSets]).toEqual([false, 0]);
    const short = withFree(86_000);
    await short.put(key, await spooled(png));
    expect(short.isSweepDue()).toBe(true);
    expect(await short.sweep()).toMatchObject({ removedSets: 2, isWithinLimit: true });
    expect(short.isSweepDue()).toBe(false);
    expect([await short.has(old[1] ?? key), await short.has(old[2] ?? key)]).toEqual([false, true]);
  });
});

describe('with a limit', () => {
  const hashOf = (number: number): string => String(number).padStart(2, '0').repeat(32);
  const longAgo = (minutes: number): number => Date.now() / 1_000 - minutes * 60;
  /** One page of this many bytes, last used so many minutes ago. */
  const putOne = async (number: number, { minutes, bytes = 10_000 }: { minutes: number; bytes?: number }): Promise<string> => {
    const page = { sha256: hashOf(number), width: 1240, page: 1 };
    const image = Buffer.concat([png.subarray(0, 8), Buffer.alloc(bytes - 16), png.subarray(-8)]);
    await createRenditions({ dir }).put(page, await spooled(image));
    const folder = join(dir, `v${renditionFormat}`, page.sha256.slice(0, 2), page.sha256, '1240');
    await utimes(folder, longAgo(minutes), longAgo(minutes));
    return folder;
  };
  const present = async (renditions = createRenditions({ dir })): Promise<number[]> => {
    const found = [];
    for (let number = 0; number < 20; number++)
      if (await renditions.has({ sha256: hashOf(number), width: 1240, page: 1 })) found.push(number);
    return found;
  };

  test('what was not used for the longest time goes, down to a little below the limit', async () => {
    for (let number = 0; number < 10; number++) await putOne(number, { minutes: 100 - number });
    expect(await createRenditions({ dir, maxBytes: 100_000 }).sweep()).toEqual({
      bytes: 100_000,
      removedBytes: 0,
      removedSets: 0,
      isWithinLimit: true,
    });
    await putOne(10, { minutes: 5 });
    expect(await createRenditions({ dir, maxBytes: 100_000 }).sweep()).toMatchObject({
      bytes: 110_000,
      removedBytes: 20_000,
      removedSets: 2,
      isWithinLimit: true,
    });
    expect(await present()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await readdir(join(dir, 'work'))).toEqual([]);
    expect(await readdir(join(dir, `v${renditionFormat}`))).not.toContain('00');
  });

  test('a read in any process counts as a use, of texts too', async () => {
    for (let number = 0; number < 3; number++) await putOne(number, { minutes: 100 - number });
    await createRenditions({ dir }).open({ sha256: hashOf(0), width: 1240, page: 1 });
    await createRenditions({ dir, maxBytes: 25_000 }).sweep();
    expect(await present()).toEqual([0, 2]);
  });

  test('a prefetched page that was never opened is evicted before one that was seen today', async () => {
    await putOne(0, { minutes: 600 });
    const image = Buffer.concat([png.subarray(0, 8), Buffer.alloc(5_000), png.subarray(-8)]);
    await createRenditions({ dir }).put({ sha256: hashOf(1), width: 1240, page: 1 }, await spooled(image), { aheadOfTime: true });
    await createRenditions({ dir, maxBytes: 12_000 }).sweep();
    expect(await present()).toEqual([0]);
  });

  test('what is in use stays even above the limit, and that is told', async () => {
    for (let number = 0; number < 3; number++) await putOne(number, { minutes: 1 });
    expect(await createRenditions({ dir, maxBytes: 10_000 }).sweep()).toMatchObject({ removedSets: 0, isWithinLimit: false });
    expect(await present()).toEqual([0, 1, 2]);
  });

  test('several processes may sweep, read and draw at once: a page that is read is whole, one that is put is there', async () => {
    for (let number = 0; number < 20; number++) await putOne(number, { minutes: 200 - number, bytes: 300_000 });
    const sweepers = [1, 2, 3].map(() => createRenditions({ dir, maxBytes: 1_000_000 }).sweep());
    const reader = createRenditions({ dir });
    const read = Array.from({ length: 20 }, (_, number) => reader.open({ sha256: hashOf(number), width: 1240, page: 1 }));
    const put = Array.from({ length: 20 }, async (_, number) =>
      reader.put({ sha256: hashOf(number), width: 1240, page: 2 }, await spooled(png)),
    );
    for (const image of await Promise.all(read)) expect(image?.bytes.length ?? 300_000).toBe(300_000);
    await Promise.all([...sweepers, ...put]);
    for (let number = 0; number < 20; number++)
      // A sweep may come after the page: then it is gone, and not half of it.
      expect((await reader.open({ sha256: hashOf(number), width: 1240, page: 2 }))?.bytes.length ?? png.length).toBe(png.length);
    expect(await readdir(join(dir, 'work'))).toEqual([]);
  });

  test('what they take and what was removed is told, as far as this process knows', async () => {
    for (let number = 0; number < 3; number++) await putOne(number, { minutes: 100 - number });
    const renditions = createRenditions({ dir, maxBytes: 25_000 });
    expect(await renditions.usage()).toEqual({ bytes: 30_000, evictedBytes: 0, evictedSets: 0 });
    await renditions.put({ ...key, page: 9 }, await spooled(png));
    expect(await renditions.usage()).toMatchObject({ bytes: 30_000 + png.length });
    await renditions.sweep();
    expect(await renditions.usage()).toEqual({ bytes: 20_000 + png.length, evictedBytes: 10_000, evictedSets: 1 });
    await renditions.sweep();
    expect(await renditions.usage()).toMatchObject({ evictedBytes: 10_000, evictedSets: 1 });
  });

  test('what a process that was killed had moved away is cleared by the next sweep', async () => {
    const folder = await putOne(0, { minutes: 100 });
    await mkdir(join(dir, 'work'), { recursive: true });
    await rename(folder, join(dir, 'work', 'moved'));
    await createRenditions({ dir, maxBytes: 1 }).sweep();
    expect(await readdir(join(dir, 'work'))).toEqual([]);
  });

  test('a sweep is due when this process has put a fiftieth of the limit', async () => {
    const renditions = createRenditions({ dir, maxBytes: png.length * 50 });
    await renditions.put(key, await spooled(png));
    expect(renditions.isSweepDue()).toBe(false);
    await renditions.put(key, await spooled(png));
    expect(renditions.isSweepDue()).toBe(true);
    await renditions.sweep();
    expect(renditions.isSweepDue()).toBe(false);
    const unlimited = createRenditions({ dir });
    await unlimited.put(key, await spooled(png));
    expect(unlimited.isSweepDue()).toBe(false);
  });
});
