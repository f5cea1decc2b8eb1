import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missingBytes, type ReadSpace } from '#platform/disk/free-space.ts';
import { evict, measureAll, type Evicted } from './eviction.ts';
import { createMemoryOverflow } from './memory-overflow.ts';

export type { Evicted } from './eviction.ts';

export interface RenditionsUsage {
  /** All images and texts: measured at most an hour ago, plus what this process has put and removed since. */
  readonly bytes: number;
  /** By sweeps of this process, since it was started. */
  readonly evictedBytes: number;
  /** Documents, each width of its own and the texts of their own. */
  readonly evictedSets: number;
}

/** Part of every path. Raise it when pages are drawn differently: all of them are then drawn again. */
export const renditionFormat = 2;

/** The same for texts. */
export const textFormat = 2;

/** The page images of one object at one width. */
export interface RenditionSet {
  /** Of the object, lower-case hexadecimal. */
  readonly sha256: string;
  /** Pixels. */
  readonly width: number;
}

export interface RenditionKey extends RenditionSet {
  /** Counted from 1. */
  readonly page: number;
}

/** Texts have no width. */
export type TextKey = Omit<RenditionKey, 'width'>;

export interface Rendition {
  readonly bytes: Uint8Array;
  readonly type: 'image/png' | 'image/jpeg';
}

/** An image that lies in a file of its own. */
export interface SpooledImage {
  readonly imagePath: string;
  readonly size: number;
}

/**
 * Page images as files. All of it may be deleted at any time: what is missing is drawn again. When the reserve of the disk is reached, requested
 * images stay in memory and those drawn ahead of time are dropped. Every call throws RangeError for a key that is not a SHA-256 and whole
 * numbers, so that no key leads out of the folder.
 */
export interface Renditions {
  has(key: RenditionKey): Promise<boolean>;
  /** The stored pages, in no order. */
  listPages(set: RenditionSet): Promise<Set<number>>;
  /** Undefined when there is none, or a power cut left only a part of it. */
  open(key: RenditionKey): Promise<Rendition | undefined>;
  /**
   * Moves the file, from a path that `makeWorkPath` gave or one beside it. Atomic: readers see the whole image or none. An image drawn ahead of
   * time counts as used a day ago until it is opened: eviction takes it before images in use.
   */
  put(key: RenditionKey, image: SpooledImage, made?: { aheadOfTime: boolean }): Promise<void>;
  /** The stored text of a page. Undefined when there is none, or a power cut left only a part of it. */
  openText(key: TextKey): Promise<unknown>;
  putText(key: TextKey, text: object): Promise<void>;
  /** Removes all widths, pages and texts of one object. */
  remove(sha256: string): Promise<void>;
  /** Evicts the least recently used sets while all of them take more than the limit. */
  sweep(): Promise<Evicted>;
  /** True when this process has put much since the last sweep, or the disk has less free than its reserve. */
  isSweepDue(): boolean;
  usage(): Promise<RenditionsUsage>;
  /** Makes the folders, closed to other users of the machine. Called at start; otherwise the first page does it. */
  prepare(): Promise<void>;
  /** Path of a new file on the same disk. The caller deletes it. */
  makeWorkPath(): Promise<string>;
}

interface Options {
  dir: string;
  /** Left out: as much as the disk holds. */
  maxBytes?: number;
  /** Part of the disk that is left free. */
  reserve?: { readonly percent: number; readonly readSpace: ReadSpace };
  /** Most that stays in memory while the disk has no room. */
  maxOverflowBytes?: number;
}

export function createRenditions({ dir, maxBytes = Infinity, reserve, maxOverflowBytes = defaultOverflowBytes }: Options): Renditions {
  const work = join(dir, 'work');
  const usedAtMs = new Map<string, number>();
  const overflow = createMemoryOverflow(maxOverflowBytes);
  let prepared: Promise<void> | undefined;
  let isDiskShort = false;
  let sweptAtMs = -Infinity;
  let bytesPut = 0;
  const evicted = { bytes: 0, sets: 0 };
  let found: { bytes: number; atMs: number } | undefined;
  let finding: Promise<{ bytes: number; atMs: number }> | undefined;

  const folderOf = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError('not a SHA-256 in lower-case hexadecimal');
    return join(dir, `v${renditionFormat}`, sha256.slice(0, 2), sha256);
  };
  const setOf = ({ sha256, width }: RenditionSet): string => join(folderOf(sha256), String(asCount(width)));
  const pathOf = (key: RenditionKey): string => join(setOf(key), String(asCount(key.page)));

  const textPathOf = ({ sha256, page }: TextKey): string => join(folderOf(sha256), `text-${textFormat}`, String(asCount(page)));

  /** A failure is not remembered: the disk may have been full. */
  async function prepare(): Promise<void> {
    prepared ??= prepareFolders(dir, work);
    await prepared.catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
  }

  async function shortOf(bytes: number): Promise<number> {
    if (reserve === undefined) return 0;
    const { freeBytes, totalBytes } = await reserve.readSpace();
    return missingBytes({ totalBytes, freeBytes: freeBytes - bytes }, reserve.percent);
  }

  async function isDiskTooFull(bytes: number): Promise<boolean> {
    const isShort = (await shortOf(bytes)) > 0;
    isDiskShort ||= isShort;
    return isShort;
  }

  async function makeWorkPath(): Promise<string> {
    await prepare();
    return join(work, randomUUID());
  }

  async function putInPlace(path: string, { imagePath, size }: SpooledImage): Promise<void> {
    try {
      // The first page of a document has no folder yet; later a sweep may remove it between the two calls.
      for (let attempt = 1; (await unlessMissing(rename(imagePath, path).then(() => true))) !== true; attempt++) {
        if (attempt > mostAttempts) throw new Error('the folder of an image goes as soon as it is made');
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      }
      overflow.remove(path);
      bytesPut += size;
      if (found !== undefined) found.bytes += size;
    } catch (error) {
      await rm(imagePath, { force: true });
      throw error;
    }
  }

  async function find(): Promise<{ bytes: number; atMs: number }> {
    return { bytes: await measureAll(dir), atMs: performance.now() };
  }

  /** The time of the folder tells every process when it was last used. */
  async function noteUse(folder: string): Promise<void> {
    const nowMs = Date.now();
    if (nowMs - (usedAtMs.get(folder) ?? 0) < noteUseEveryMs) return;
    if (usedAtMs.size >= mostNoted) usedAtMs.clear();
    usedAtMs.set(folder, nowMs);
    await unlessMissing(utimes(folder, nowMs / 1_000, nowMs / 1_000));
  }

  return {
    async has(key) {
      if (overflow.has(pathOf(key))) return true;
      const file = await unlessMissing(open(pathOf(key), 'r'));
      if (!file) return false;
      try {
        const { size } = await file.stat();
        const head = Buffer.alloc(edgeBytes);
        const tail = Buffer.alloc(edgeBytes);
        await file.read(head, 0, edgeBytes, 0);
        await file.read(tail, 0, edgeBytes, Math.max(0, size - edgeBytes));
        return typeOf(head, tail) !== undefined;
      } finally {
        await file.close();
      }
    },
    async listPages(set) {
      const names = (await unlessMissing(readdir(setOf(set)))) ?? [];
      return new Set([...names, ...overflow.namesIn(setOf(set))].map(Number));
    },
    async open(key) {
      const bytes = overflow.get(pathOf(key)) ?? (await unlessMissing(readFile(pathOf(key))));
      const type = bytes && typeOf(bytes.subarray(0, edgeBytes), bytes.subarray(-edgeBytes));
      if (!bytes) return undefined;
      // A torn file would count as drawn.
      if (!type) await rm(pathOf(key), { force: true });
      if (!type) return undefined;
      await noteUse(setOf(key));
      return { bytes, type };
    },
    async put(key, image, { aheadOfTime } = { aheadOfTime: false }) {
      // Moving a file takes no more space.
      if (await isDiskTooFull(0)) {
        const path = pathOf(key);
        if (!aheadOfTime) overflow.set(path, await readFile(image.imagePath));
        await rm(image.imagePath, { force: true });
        return;
      }
      await putInPlace(pathOf(key), image);
      if (!aheadOfTime) return;
      const dayAgo = Date.now() / 1_000 - 86_400;
      await unlessMissing(utimes(setOf(key), dayAgo, dayAgo));
    },
    async openText(key) {
      const inMemory = overflow.get(textPathOf(key));
      if (inMemory !== undefined) return unlessTorn(inMemory.toString());
      const text = await unlessMissing(readFile(textPathOf(key), 'utf8'));
      if (text !== undefined) await noteUse(dirname(textPathOf(key)));
      return text === undefined ? undefined : unlessTorn(text);
    },
    async putText(key, text) {
      const path = textPathOf(key);
      const content = Buffer.from(JSON.stringify(text));
      if (await isDiskTooFull(content.length)) return overflow.set(path, content);
      const spooled = await makeWorkPath();
      try {
        await writeFile(spooled, content, { mode: 0o600 });
        await putInPlace(path, { imagePath: spooled, size: content.length });
      } finally {
        await rm(spooled, { force: true });
      }
    },
    async remove(sha256) {
      overflow.remove(folderOf(sha256));
      await rm(folderOf(sha256), { recursive: true, force: true });
    },
    async sweep() {
      bytesPut = 0;
      isDiskShort = false;
      sweptAtMs = performance.now();
      await clearWork(work);
      const shortBytes = await shortOf(0);
      const swept = await evict({ dir, maxBytes, mustFreeBytes: shortBytes * freedTo, makeWorkPath });
      evicted.bytes += swept.removedBytes;
      evicted.sets += swept.removedSets;
      found = { bytes: swept.bytes - swept.removedBytes, atMs: performance.now() };
      return swept;
    },
    async usage() {
      if (found === undefined || performance.now() - found.atMs > foundForMs)
        found = await (finding ??= find().finally(() => (finding = undefined)));
      return { bytes: found.bytes, evictedBytes: evicted.bytes, evictedSets: evicted.sets };
    },
    isSweepDue: () => bytesPut > maxBytes * growthUntilSweep || (isDiskShort && performance.now() - sweptAtMs > sweepShortDiskEveryMs),
    prepare,
    makeWorkPath,
  };
}

const mostAttempts = 5;
const defaultOverflowBytes = 64 * 1024 * 1024;
/** A little more than is missing, so that the next page needs no sweep. */
const freedTo = 1.1;
/** Sets in use stay: another sweep right away would free nothing. */
const sweepShortDiskEveryMs = 30_000;
const noteUseEveryMs = 30_000;
const mostNoted = 50_000;
/** Measuring reads every folder, and sweeps do it every hour anyway. */
const foundForMs = 3_600_000;
/** Of the limit. Several processes may put as much each before one of them sweeps. */
const growthUntilSweep = 0.02;

/** Longer than the longest mark at the begin or end of an image. */
const edgeBytes = 8;
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Name and checksum of the last chunk. */
const pngTail = Buffer.from([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const jpegHead = Buffer.from([0xff, 0xd8, 0xff]);
const jpegTail = Buffer.from([0xff, 0xd9]);

/** Files are not flushed one by one, so a power cut may leave one without its end. */
function typeOf(head: Buffer, tail: Buffer): Rendition['type'] | undefined {
  if (head.equals(pngHead) && tail.equals(pngTail)) return 'image/png';
  if (head.subarray(0, 3).equals(jpegHead) && tail.subarray(-2).equals(jpegTail)) return 'image/jpeg';
  return undefined;
}

function asCount(value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError('not a whole number from 1 upward');
  return value;
}

const abandonedAfterMs = 3_600_000;

async function prepareFolders(dir: string, work: string): Promise<void> {
  await mkdir(work, { recursive: true, mode: 0o700 });
  // Earlier versions left it open to other users of the machine. Sweeps close what is in it.
  await chmod(dir, 0o700);
  await clearWork(work);
}

/** Removes what a killed process left. */
async function clearWork(work: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(work))) ?? []) {
    const path = join(work, name);
    const file = await unlessMissing(stat(path));
    if (file && Date.now() - file.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}

function unlessTorn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
