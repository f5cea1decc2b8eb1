import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRenditions, renditionFormat } from './renditions.ts';

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

test('an image comes back as it was put, with its type', async () => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, png);
  await renditions.put({ ...key, page: 2 }, jpeg);
  expect(await renditions.open(key)).toEqual({ bytes: Buffer.from(png), type: 'image/png' });
  expect(await renditions.open({ ...key, page: 2 })).toEqual({ bytes: Buffer.from(jpeg), type: 'image/jpeg' });
  expect(await renditions.has(key)).toBe(true);
  expect(await renditions.listPages(key)).toEqual(new Set([1, 2]));
});

test('what was never put, or put at another width, is not there', async () => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, png);
  const other = { ...key, width: 1860 };
  expect(await renditions.open(other)).toBeUndefined();
  expect(await renditions.has(other)).toBe(false);
  expect(await renditions.listPages(other)).toEqual(new Set());
});

test('an image drawn again takes the place of the one before', async () => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, png);
  await renditions.put(key, jpeg);
  expect((await renditions.open(key))?.type).toBe('image/jpeg');
  expect(await renditions.listPages(key)).toEqual(new Set([1]));
});

test.each([0, 20])('an image of which a power cut left %i bytes counts as missing', async (bytes) => {
  const renditions = createRenditions({ dir });
  await renditions.put(key, png);
  await truncate(join(dir, `v${renditionFormat}`, 'ab', sha256, '1240', '1'), bytes);
  expect(await renditions.open(key)).toBeUndefined();
  expect(await renditions.has(key)).toBe(false);
});

test('removing an object takes all its images and no other', async () => {
  const renditions = createRenditions({ dir });
  const neighbour = { ...key, sha256: 'ac'.repeat(32) };
  for (const each of [key, { ...key, width: 1860 }, neighbour]) await renditions.put(each, png);
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
  await expect(renditions.put(wrong, png)).rejects.toThrow(RangeError);
});

test('what a killed process left at work is cleared away, what another is working on is not', async () => {
  const work = join(dir, 'work');
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'abandoned'), 'half an image');
  await writeFile(join(work, 'in use'), 'half an image');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(join(work, 'abandoned'), twoHoursAgo, twoHoursAgo);
  await createRenditions({ dir }).put(key, png);
  expect(await readdir(work)).toEqual(['in use']);
});

test('the text of a page comes back as it was put, goes with its object, and counts as missing when it is torn', async () => {
  const renditions = createRenditions({ dir });
  const text = { lines: [{ text: 'żółw' }] };
  await renditions.putText({ sha256, page: 1 }, text);
  await renditions.putText({ sha256, page: 2 }, text);
  expect(await renditions.openText({ sha256, page: 1 })).toEqual(text);
  expect(await renditions.openText({ sha256, page: 3 })).toBeUndefined();
  await truncate(join(dir, `v${renditionFormat}`, 'ab', sha256, 'text-1', '2'), 9);
  expect(await renditions.openText({ sha256, page: 2 })).toBeUndefined();
  await renditions.remove(sha256);
  expect(await renditions.openText({ sha256, page: 1 })).toBeUndefined();
});
