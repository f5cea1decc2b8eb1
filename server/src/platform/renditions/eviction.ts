import type { Stats } from 'node:fs';
import { chmod, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFolder, unlessMissing } from '#platform/disk/files.ts';

export interface Evicted {
  /** All images and texts, before. */
  readonly bytes: number;
  readonly removedBytes: number;
  /** Documents, each width of its own and the texts of their own. */
  readonly removedSets: number;
  /** False when the sets in use alone exceed the limit or leave too little of the disk. */
  readonly isWithinLimit: boolean;
}

interface Options {
  readonly dir: string;
  readonly maxBytes: number;
  /** To restore the reserve of the disk. */
  readonly mustFreeBytes: number;
  readonly makeWorkPath: () => Promise<string>;
}

interface FoundSet {
  readonly path: string;
  readonly bytes: number;
  readonly usedAtMs: number;
}

/** Part of the limit, so that the next page needs no sweep. */
const sweptTo = 0.9;
/** A set used within this time is in use and stays. */
const inUseForMs = 120_000;

/**
 * Evicts the least recently used sets. Safe in several processes at once and when killed: a folder is moved away as a whole before it is
 * deleted, so that a reader finds a page or none.
 */
export async function evict({ dir, maxBytes, mustFreeBytes, makeWorkPath }: Options): Promise<Evicted> {
  const sets = await findSets(dir);
  const bytes = bytesOf(sets);
  let left = bytes;
  let removedSets = 0;
  const target = Math.min(bytes > maxBytes ? maxBytes * sweptTo : bytes, bytes - mustFreeBytes);
  if (target < bytes)
    for (const set of sets.toSorted((one, other) => one.usedAtMs - other.usedAtMs)) {
      if (left <= target || set.usedAtMs > Date.now() - inUseForMs) break;
      if (!(await remove(set, makeWorkPath))) continue;
      left -= set.bytes;
      removedSets += 1;
    }
  return { bytes, removedBytes: bytes - left, removedSets, isWithinLimit: left <= maxBytes && bytes - left >= mustFreeBytes };
}

/** Bytes of all images and texts. */
export const measureAll = async (dir: string): Promise<number> => bytesOf(await findSets(dir));

const bytesOf = (sets: readonly FoundSet[]): number => sets.reduce((total, set) => total + set.bytes, 0);

async function findSets(dir: string): Promise<FoundSet[]> {
  const sets: FoundSet[] = [];
  for (const path of await setsIn(dir)) {
    const set = await measure(path);
    if (set !== undefined) sets.push(set);
  }
  return sets;
}

/** `v1/ab/ab…/1240`: format, beginning of the hash, hash, width. Images of other formats are evicted like the rest. */
async function setsIn(dir: string): Promise<string[]> {
  let level = (await listFolder(dir)).filter((name) => /^v\d+$/.test(name)).map((name) => join(dir, name));
  for (let depth = 0; depth < 3; depth++) {
    const below: string[] = [];
    for (const folder of level) for (const name of await listFolder(folder)) below.push(join(folder, name));
    level = below;
  }
  return level;
}

async function measure(path: string): Promise<FoundSet | undefined> {
  const folder = await unlessMissing(stat(path));
  if (folder === undefined || !folder.isDirectory()) return undefined;
  await close(path, folder);
  let bytes = 0;
  for (const name of await listFolder(path)) {
    const file = await unlessMissing(stat(join(path, name)));
    if (file !== undefined) await close(join(path, name), file);
    bytes += file?.size ?? 0;
  }
  return { path, bytes, usedAtMs: folder.mtimeMs };
}

/** Closes it to other users of the machine: earlier versions left it open. */
async function close(path: string, stats: Stats): Promise<void> {
  if ((stats.mode & othersMay) !== 0 && process.platform !== 'win32') await unlessMissing(chmod(path, stats.mode & ~othersMay));
}

const othersMay = 0o077;

/** False when it was used meanwhile, is open (Windows), or is gone. */
async function remove({ path, usedAtMs }: FoundSet, makeWorkPath: () => Promise<string>): Promise<boolean> {
  if ((await unlessMissing(stat(path)))?.mtimeMs !== usedAtMs) return false;
  const away = await makeWorkPath();
  try {
    await rename(path, away);
  } catch {
    return false;
  }
  await rm(away, { recursive: true, force: true });
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    // Not empty: it holds another width or document.
    const isGone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isGone) break;
  }
  return true;
}
