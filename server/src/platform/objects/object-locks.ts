import type { Clock } from '#platform/clock/clock.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { LockLevel } from './lock-level.ts';
import { holdKept, listRetainingTables, listUnlocked, noteLock, type RetainingTable, type Today } from './object-locks.store.ts';
import type { Objects } from './objects.ts';

interface Parts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'retain'>;
  readonly lock: LockLevel;
  readonly settings: { readonly timeZone: string };
  readonly clock: Clock;
  readonly log: Log;
}

/** Whether the store locks objects, as the attempt to remove one has shown. */
export const isLocking = (level: LockLevel): boolean => level === 'compliance' || level === 'governance';

/**
 * Locks objects in the store until the retention of their rows ends, and longer when it was extended. What was forgotten, or is being removed, is not locked. A killed
 * round is continued by the next one. Does nothing where the store locks nothing.
 */
export const createObjectLocks = ({ db, objects, lock, settings, clock, log }: Parts): JobHandler => {
  const { dayOf } = createLocalTime(settings.timeZone);
  const lockOne = createLocking({ db, objects });

  const lockTable = async (table: RetainingTable, day: Today, signal: AbortSignal): Promise<{ locked: number; failed: number }> => {
    const counts = { locked: 0, failed: 0 };
    let after: string | undefined = '';
    while (after !== undefined) {
      const portion = await listUnlocked(db, { table, after, day });
      for (const { key } of portion.objects) {
        if (signal.aborted) return counts;
        try {
          if (await lockOne({ table, key, day })) counts.locked += 1;
        } catch (error) {
          counts.failed += 1;
          log.warn({ err: error, object: key }, 'an object could not be locked');
        }
      }
      after = portion.isLast ? undefined : portion.objects.at(-1)?.key;
    }
    return counts;
  };

  return async (_, signal) => {
    if (!isLocking(lock)) return;
    const day = { timeZone: settings.timeZone, today: dayOf(clock.now()) };
    const total = { locked: 0, failed: 0 };
    for (const table of await listRetainingTables(db)) {
      const { locked, failed } = await lockTable(table, day, signal);
      total.locked += locked;
      total.failed += failed;
    }
    if (total.locked > 0) log.info(total, 'objects were locked until their retention ends');
    if (total.failed > 0) log.error({ alarm: 'object-lock', ...total }, 'objects could not be locked; the next round tries again');
  };
};

/**
 * Locks an object while its row is held, so that no document is forgotten between the look at it and its lock. False: it is kept no more, or somebody changes it
 * just now.
 */
export const createLocking =
  ({ db, objects }: Pick<Parts, 'db' | 'objects'>) =>
  (object: { readonly table: RetainingTable; readonly key: string; readonly day: Today }): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const kept = await holdKept(trx, object);
      if (kept === undefined) return false;
      await objects.retain(kept.key, kept.until);
      await noteLock(trx, kept);
      return true;
    });
