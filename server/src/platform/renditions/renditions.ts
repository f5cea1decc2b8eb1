import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missingBytes, type ReadSpace } from '#platform/disk/free-space.ts';
import { evict, measureAll, type Evicted } from './eviction.ts';
import { createKeptInMemory } from './kept-in-memory.ts';

export type { Evicted } from './eviction.ts';

export interface RenditionsUsage {
  /** All images and texts: as they were found at most an hour ago, and what this process has put and removed since. */
  readonly bytes: number;
  /** By sweeps of this process, since it was started. */
  readonly evictedBytes: number;
  /** Documents, each width of its own and the texts of their own. */
  readonly evictedSets: number;
}

/** Part of every path and row: raise it when pages come out differently, and all of them are made anew. */
export const renditionFormat = 2;

/** As `renditionFormat`, of texts alone. */
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
 * Page images as files. All of it may be deleted at any time: what is missing is drawn again. The last free space of the disk is left to
 * others: then what somebody waits for is kept in memory, and what is made ahead of time is dropped. Every call throws RangeError when a key is not
 * made of a SHA-256 and whole numbers, so that no key can lead out of the folder.
 */
export interface Renditions {
  has(key: RenditionKey): Promise<boolean>;
  /** The pages that are there, in no order. */
  listPages(set: RenditionSet): Promise<Set<number>>;
  /** Undefined when there is none, or only what a power cut left of one. */
  open(key: RenditionKey): Promise<Rendition | undefined>;
  /**
   * Takes the file away, from a path that `makeWorkPath` gave, or one beside it. Atomic: readers see the whole image or none. What is made ahead
   * of time counts as used a day ago until somebody opens it, so that it never takes the place of what people look at.
   */
  put(key: RenditionKey, image: SpooledImage, made?: { aheadOfTime: boolean }): Promise<void>;
  /** What was put as the text of a page; undefined when there is none, or only what a power cut left of it. */
  openText(key: TextKey): Promise<unknown>;
  putText(key: TextKey, text: object): Promise<void>;
  /** All widths and pages made of one object. */
  remove(sha256: string): Promise<void>;
  /** When all of it takes more than the limit: removes what was not used for the longest time, by whole documents and widths. */
  sweep(): Promise<Evicted>;
  /** This process has put so much since the last sweep that it is time for another, or the disk has less free than its reserve. */
  isSweepDue(): boolean;
  usage(): Promise<RenditionsUsage>;
  /** Makes the folders, closed to other users of the machine. To be called at start; otherwise the first page does it. */
  prepare(): Promise<void>;
  /** Path of a file that does not exist yet, for one's own use on the same disk; the caller deletes it. */
  makeWorkPath(): Promise<string>;
}

interface Options {
  dir: string;
  /** Left out: as much as the disk holds. */
  maxBytes?: number;
  /** Part of the disk that is left free. */
  reserve?: { readonly percent: number; readonly readSpace: ReadSpace };
  /** Kept in memory at most, while the disk has no more to give. */
  maxKeptBytes?: number;
}

export function createRenditions({ dir, maxBytes = Infinity, reserve, maxKeptBytes = mostKeptBytes }: Options): Renditions {
  const work = join(dir, 'work');
  const usedAtMs = new Map<string, number>();
  const kept = createKeptInMemory(maxKeptBytes);
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

  /** Tried again when it failed: the disk may have been full. */
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

  /** Whether it has to stay in memory: the disk has no more to give for it. */
  async function isToBeKept(bytes: number): Promise<boolean> {
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
      // Of a document's first page the folder is missing; later, a sweep may take it away between the two.
      for (let attempt = 1; (await unlessMissing(rename(imagePath, path).then(() => true))) !== true; attempt++) {
        if (attempt > mostAttempts) throw new Error('the folder of an image goes as soon as it is made');
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      }
      kept.remove(path);
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

  /** The folder's own time tells every process when something of it was used last; once in a while is enough. */
  async function noteUse(folder: string): Promise<void> {
    const nowMs = Date.now();
    if (nowMs - (usedAtMs.get(folder) ?? 0) < noteUseEveryMs) return;
    if (usedAtMs.size >= mostNoted) usedAtMs.clear();
    usedAtMs.set(folder, nowMs);
    await unlessMissing(utimes(folder, nowMs / 1_000, nowMs / 1_000));
  }

  return {
    async has(key) {
      if (kept.has(pathOf(key))) return true;
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
      return new Set([...names, ...kept.namesIn(setOf(set))].map(Number));
    },
    async open(key) {
      const bytes = kept.get(pathOf(key)) ?? (await unlessMissing(readFile(pathOf(key))));
      const type = bytes && typeOf(bytes.subarray(0, edgeBytes), bytes.subarray(-edgeBytes));
      if (!bytes) return undefined;
      // Torn: as long as it lies there it would pass for drawn.
      if (!type) await rm(pathOf(key), { force: true });
      if (!type) return undefined;
      await noteUse(setOf(key));
      return { bytes, type };
    },
    async put(key, image, { aheadOfTime } = { aheadOfTime: false }) {
      // Moved on this disk, it takes no more of it than before.
      if (await isToBeKept(0)) {
        const path = pathOf(key);
        if (!aheadOfTime) kept.set(path, await readFile(image.imagePath));
        await rm(image.imagePath, { force: true });
        return;
      }
      await putInPlace(pathOf(key), image);
      if (!aheadOfTime) return;
      const dayAgo = Date.now() / 1_000 - 86_400;
      await unlessMissing(utimes(setOf(key), dayAgo, dayAgo));
    },
    async openText(key) {
      const inMemory = kept.get(textPathOf(key));
      if (inMemory !== undefined) return unlessTorn(inMemory.toString());
      const text = await unlessMissing(readFile(textPathOf(key), 'utf8'));
      if (text !== undefined) await noteUse(dirname(textPathOf(key)));
      return text === undefined ? undefined : unlessTorn(text);
    },
    async putText(key, text) {
      const path = textPathOf(key);
      const content = Buffer.from(JSON.stringify(text));
      if (await isToBeKept(content.length)) return kept.set(path, content);
      const spooled = await makeWorkPath();
      try {
        await writeFile(spooled, content, { mode: 0o600 });
        await putInPlace(path, { imagePath: spooled, size: content.length });
      } finally {
        await rm(spooled, { force: true });
      }
    },
    async remove(sha256) {
      kept.remove(folderOf(sha256));
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
const mostKeptBytes = 64 * 1024 * 1024;
/** A little more than is missing, so that the next page does not ask for the next sweep. */
const freedTo = 1.1;
/** What is in use stays, so that another sweep may find as little. */
const sweepShortDiskEveryMs = 30_000;
const noteUseEveryMs = 30_000;
const mostNoted = 50_000;
/** Looking at every file takes a while, and sweeps do it every hour anyway. */
const foundForMs = 3_600_000;
/** Of the limit. Several processes may put as much each before one of them sweeps. */
const growthUntilSweep = 0.02;

/** Longer than the longest of the marks that images begin and end with. */
const edgeBytes = 8;
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The last chunk's name and checksum. */
const pngTail = Buffer.from([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);
const jpegHead = Buffer.from([0xff, 0xd8, 0xff]);
const jpegTail = Buffer.from([0xff, 0xd9]);

/** Files are not flushed to disk one by one (they can be made again), so a power cut may leave a torn one: its end is missing. */
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
  // Earlier versions left it, and all in it, open to other users of the machine; what lies in it is closed by the sweeps.
  await chmod(dir, 0o700);
  await clearWork(work);
}

/** Clears away what a killed process left there. */
async function clearWork(work: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(work))) ?? []) {
    const path = join(work, name);
    const file = await unlessMissing(stat(path));
    if (file && Date.now() - file.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  }
}

/** JSON that misses its end is none. */
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
