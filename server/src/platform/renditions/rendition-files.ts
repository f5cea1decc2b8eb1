import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import { hasCode, listFolder, removeOlder, unlessMissing } from '#platform/disk/files.ts';
import type { createDiskUsage } from './disk-usage.ts';

/** A file that is moved to where it belongs. */
interface Spooled {
  readonly path: string;
  readonly size: number;
}

interface Options {
  readonly dir: string;
  readonly maxOverflowBytes: number;
  readonly usage: ReturnType<typeof createDiskUsage>;
}

/** Files by path, each either whole or not there, and in memory those that the disk has no room for. */
export const createRenditionFiles = ({ dir, maxOverflowBytes, usage }: Options) => {
  const work = join(dir, 'work');
  const overflow = new LRUCache<string, Buffer>({ maxSize: maxOverflowBytes, sizeCalculation: ({ length }) => length });
  const overflowIn = (folder: string): string[] => [...overflow.keys()].filter((path) => path.startsWith(`${folder}${sep}`));
  let prepared: Promise<void> | undefined;

  /** A failure is not remembered: the disk may have been full. */
  const prepare = async (): Promise<void> => {
    prepared ??= prepareFolders(dir, work);
    await prepared.catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
  };

  return {
    prepare,
    clearWork: () => clearWork(work),
    makeWorkPath: async (): Promise<string> => {
      await prepare();
      return join(work, randomUUID());
    },
    read: async (path: string): Promise<Buffer | undefined> => overflow.get(path) ?? (await unlessMissing(readFile(path))),
    /** The first and the last bytes. */
    readEdges: async (path: string, bytes: number): Promise<{ head: Buffer; tail: Buffer } | undefined> => {
      const kept = overflow.get(path);
      return kept === undefined ? readEdges(path, bytes) : { head: kept.subarray(0, bytes), tail: kept.subarray(-bytes) };
    },
    namesIn: async (folder: string): Promise<string[]> => {
      return [...(await listFolder(folder)), ...overflowIn(folder).map((path) => path.slice(folder.length + 1))];
    },
    keepInMemory: (path: string, bytes: Buffer): void => void overflow.set(path, bytes),
    putInPlace: async (path: string, spooled: Spooled): Promise<void> => {
      await moveInPlace(path, spooled);
      overflow.delete(path);
      usage.notePut(spooled.size);
    },
    remove: async (folder: string): Promise<void> => {
      for (const path of overflowIn(folder)) overflow.delete(path);
      await rm(folder, { recursive: true, force: true });
    },
    noteUse: createUseNotes(),
  };
};

const maxAttempts = 5;
const noteUseEveryMs = 30_000;
const maxNoted = 50_000;
const abandonedAfterMs = 3_600_000;

/** The time of a folder tells every process when it was last used. */
const createUseNotes = () => {
  const usedAtMs = new Map<string, number>();
  return async (folder: string): Promise<void> => {
    const nowMs = Date.now();
    if (nowMs - (usedAtMs.get(folder) ?? 0) < noteUseEveryMs) return;
    if (usedAtMs.size >= maxNoted) usedAtMs.clear();
    usedAtMs.set(folder, nowMs);
    try {
      await setUsedAt(folder, nowMs);
    } catch (error) {
      // A disk that became read-only still shows its pages, and evicts none of them.
      if (!hasCode(error, 'EROFS')) throw error;
    }
  };
};

export const setUsedAt = async (folder: string, atMs: number): Promise<void> => unlessMissing(utimes(folder, atMs / 1_000, atMs / 1_000));

async function readEdges(path: string, bytes: number): Promise<{ head: Buffer; tail: Buffer } | undefined> {
  const file = await unlessMissing(open(path, 'r'));
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const [head, tail] = [Buffer.alloc(bytes), Buffer.alloc(bytes)];
    await file.read(head, 0, bytes, 0);
    await file.read(tail, 0, bytes, Math.max(0, size - bytes));
    return { head, tail };
  } finally {
    await file.close();
  }
}

async function moveInPlace(path: string, spooled: Spooled): Promise<void> {
  try {
    // The first page of a document has no folder yet; later a sweep may remove it between the two calls.
    for (let attempt = 1; (await unlessMissing(rename(spooled.path, path).then(() => true))) !== true; attempt++) {
      if (attempt > maxAttempts) throw new Error('the folder of an image goes as soon as it is made');
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    }
  } catch (error) {
    await rm(spooled.path, { force: true });
    throw error;
  }
}

const clearWork = (work: string): Promise<number> => removeOlder(work, new Date(Date.now() - abandonedAfterMs));

async function prepareFolders(dir: string, work: string): Promise<void> {
  await mkdir(work, { recursive: true, mode: 0o700 });
  // Earlier versions left it open to other users of the machine. Sweeps close what is in it.
  await chmod(dir, 0o700);
  await clearWork(work);
}
