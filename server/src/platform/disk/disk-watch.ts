import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#platform/log/log.ts';
import { unlessMissing } from './files.ts';
import { createReadSpace, missingBytes, type Space } from './free-space.ts';

export interface DiskStanding extends Space {
  /** `data`, and each other folder that is on a file system of its own. */
  readonly folder: string;
  /** A file could be written there. */
  readonly isWritable: boolean;
  readonly isNearlyFull: boolean;
}

export interface DiskWatch {
  /** As it is now, or was within the last seconds. A disk that gives no answer is not writable. */
  look(): Promise<readonly DiskStanding[]>;
  stop(): void;
}

interface Parts {
  /** The first is always told. */
  readonly folders: Readonly<Record<string, string>>;
  /** DISK_RESERVE_PERCENT. */
  readonly reservePercent: number;
  readonly log: Log;
  /** What was found is told again for so long. */
  readonly freshMs?: number;
}

/** Of the reserve that page images leave free: before a portal that is not ready any more (half of it), and after they have given way. */
const nearlyFullShare = 0.7;
const lookEveryMs = 60_000;
const standardFreshMs = 5_000;
/** A network disk may hang for ever. */
const answerWithinMs = 5_000;
const probeName = '.disk-probe';
/** An alarm that goes on is written again. */
const repeatMs = 3_600_000;

const canWrite = async (folder: string): Promise<boolean> => {
  const path = join(folder, `${probeName}-${process.pid}`);
  try {
    const file = await open(path, 'w');
    try {
      await file.write('x');
    } finally {
      await file.close();
    }
    await rm(path, { force: true });
    return true;
  } catch {
    return false;
  }
};

const within = async <Result>(work: Promise<Result>, otherwise: Result): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result>((resolve) => {
    timer = setTimeout(resolve, answerWithinMs, otherwise);
  });
  try {
    return await Promise.race([work.catch(() => otherwise), late]);
  } finally {
    clearTimeout(timer);
  }
};

const none: Space = { freeBytes: 0, totalBytes: 0 };

const readOne = async (name: string, folder: string, reservePercent: number): Promise<DiskStanding> => {
  const space = await within(createReadSpace(folder)(), none);
  const isWritable = await within(canWrite(folder), false);
  return { folder: name, ...space, isWritable, isNearlyFull: missingBytes(space, reservePercent * nearlyFullShare) > 0 };
};

/** The folders that are on file systems of their own; two on one are told once. */
const listDisks = async (folders: Parts['folders']): Promise<readonly (readonly [string, string])[]> => {
  const seen = new Set<number>();
  const disks: (readonly [string, string])[] = [];
  for (const [name, folder] of Object.entries(folders)) {
    const found = await unlessMissing(stat(folder));
    if (disks.length > 0 && (found === undefined || seen.has(found.dev))) continue;
    if (found !== undefined) seen.add(found.dev);
    disks.push([name, folder]);
  }
  return disks;
};

type Trouble = 'cannot be written' | 'is nearly full';

const troubleOf = ({ isWritable, isNearlyFull }: DiskStanding): Trouble | undefined => {
  if (!isWritable) return 'cannot be written';
  return isNearlyFull ? 'is nearly full' : undefined;
};

/** Looks at the disks each minute, and raises an alarm for one that is nearly full or cannot be written: when it begins, each hour, and its end. */
export const watchDisks = ({ folders, reservePercent, log, freshMs = standardFreshMs }: Parts): DiskWatch => {
  const told = new Map<string, { readonly trouble: Trouble; readonly atMs: number }>();
  let last: { readonly atMs: number; readonly standings: Promise<readonly DiskStanding[]> } | undefined;

  const tell = (standing: DiskStanding): void => {
    const { folder, freeBytes, totalBytes } = standing;
    const trouble = troubleOf(standing);
    const before = told.get(folder);
    if (trouble === undefined) {
      if (before !== undefined) log.warn({ folder, freeBytes, totalBytes }, 'a disk is well again');
      told.delete(folder);
      return;
    }
    const nowMs = performance.now();
    if (before?.trouble === trouble && nowMs - before.atMs < repeatMs) return;
    told.set(folder, { trouble, atMs: nowMs });
    log.error({ alarm: 'disk', folder, freeBytes, totalBytes }, `a disk ${trouble}`);
  };

  const read = async (): Promise<readonly DiskStanding[]> => {
    const disks = await listDisks(folders);
    const standings = await Promise.all(disks.map(([name, folder]) => readOne(name, folder, reservePercent)));
    for (const standing of standings) tell(standing);
    return standings;
  };

  const look: DiskWatch['look'] = () => {
    const atMs = performance.now();
    if (last === undefined || atMs - last.atMs >= freshMs) last = { atMs, standings: read() };
    return last.standings;
  };
  const lookOnce = (): void => void look().catch((error: unknown) => log.warn({ err: error }, 'the disks could not be looked at'));
  lookOnce();
  const timer = setInterval(lookOnce, lookEveryMs);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
};
