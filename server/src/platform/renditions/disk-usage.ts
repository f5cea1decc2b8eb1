import { missingBytes, type ReadSpace } from '#platform/disk/free-space.ts';
import { evict, measureAll, type Evicted } from './eviction.ts';

export interface RenditionsUsage {
  /** All images and texts: measured at most an hour ago, plus what this process has put and removed since. */
  readonly bytes: number;
  /** By sweeps of this process, since it was started. */
  readonly evictedBytes: number;
  /** Documents, each width of its own and the texts of their own. */
  readonly evictedSets: number;
}

interface Limits {
  readonly dir: string;
  readonly maxBytes: number;
  /** Part of the disk that is left free. */
  readonly reserve?: { readonly percent: number; readonly readSpace: ReadSpace } | undefined;
}

/** A little more than is missing, so that the next page needs no sweep. */
const freedTo = 1.1;
/** Sets in use stay: another sweep right away would free nothing. */
const sweepShortDiskEveryMs = 30_000;
/** Measuring reads every folder, and sweeps do it every hour anyway. */
const foundForMs = 3_600_000;
/** Of the limit. Several processes may put as much each before one of them sweeps. */
const growthUntilSweep = 0.02;

/** What images and texts take of the disk, and when it is too much. */
export const createDiskUsage = ({ dir, maxBytes, reserve }: Limits) => {
  let isDiskShort = false;
  let sweptAtMs = -Infinity;
  let bytesPut = 0;
  const evicted = { bytes: 0, sets: 0 };
  let found: { bytes: number; atMs: number } | undefined;
  let finding: Promise<{ bytes: number; atMs: number }> | undefined;

  const find = async (): Promise<{ bytes: number; atMs: number }> => ({ bytes: await measureAll(dir), atMs: performance.now() });

  const shortOf = async (bytes: number): Promise<number> => {
    if (reserve === undefined) return 0;
    const { freeBytes, totalBytes } = await reserve.readSpace();
    return missingBytes({ totalBytes, freeBytes: freeBytes - bytes }, reserve.percent);
  };

  return {
    /** Whether so many bytes more would use up the reserve. */
    isTooFull: async (bytes: number): Promise<boolean> => {
      const isShort = (await shortOf(bytes)) > 0;
      isDiskShort ||= isShort;
      return isShort;
    },
    notePut: (bytes: number): void => {
      bytesPut += bytes;
      if (found !== undefined) found.bytes += bytes;
    },
    sweep: async (makeWorkPath: () => Promise<string>): Promise<Evicted> => {
      bytesPut = 0;
      isDiskShort = false;
      sweptAtMs = performance.now();
      const swept = await evict({ dir, maxBytes, mustFreeBytes: (await shortOf(0)) * freedTo, makeWorkPath });
      evicted.bytes += swept.removedBytes;
      evicted.sets += swept.removedSets;
      found = { bytes: swept.bytes - swept.removedBytes, atMs: performance.now() };
      return swept;
    },
    isSweepDue: (): boolean =>
      bytesPut > maxBytes * growthUntilSweep || (isDiskShort && performance.now() - sweptAtMs > sweepShortDiskEveryMs),
    usage: async (): Promise<RenditionsUsage> => {
      if (found === undefined || performance.now() - found.atMs > foundForMs)
        found = await (finding ??= find().finally(() => (finding = undefined)));
      return { bytes: found.bytes, evictedBytes: evicted.bytes, evictedSets: evicted.sets };
    },
  };
};
