import type { Clock } from '#platform/clock/clock.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { LockLevel } from './lock-level.ts';
import { createLocking, isLocking } from './object-locks.ts';
import {
  countKept,
  keepComparison,
  type KeptObject,
  listLongestUncompared,
  listRetainingTables,
  type RetainingTable,
  type Today,
} from './object-locks.store.ts';
import type { Objects } from './objects.ts';

interface Parts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'retain' | 'findLock'>;
  readonly lock: LockLevel;
  readonly settings: { readonly timeZone: string; readonly scrubDays: number };
  readonly clock: Clock;
  readonly log: Log;
}

interface Found {
  compared: number;
  /** Their locks ended before the retention of their rows, or were weaker than the store's. They are locked again. */
  short: number;
  /** They are not there, or the store gave no answer. */
  failed: number;
}

const portion = 200;

/**
 * The scrub of locks: asks the store how objects are locked, and compares that with the retention of their rows; a share each day, so that each is once in
 * SCRUB_DAYS, those first whose last comparison is the oldest. Raises an alarm for a lock that is too short, and locks again.
 */
export const createLockComparison = ({ db, objects, lock, settings, clock, log }: Parts): JobHandler => {
  const { dayOf } = createLocalTime(settings.timeZone);
  const lockAgain = createLocking({ db, objects });

  const compareOne = async (table: RetainingTable, { key, until }: KeptObject, day: Today): Promise<boolean> => {
    const told = await objects.findLock(key);
    const isShort = told === undefined || told.until < until || (lock === 'compliance' && told.mode !== lock);
    await keepComparison(db, key, { at: clock.now(), isShort });
    if (!isShort) return false;
    log.error({ alarm: 'object-lock', object: key, told: told ?? null, until }, 'an object is locked for a shorter time than it is kept');
    await lockAgain({ table, key, day });
    return true;
  };

  const compareTable = async (table: RetainingTable, found: Found, { day, signal }: { day: Today; signal: AbortSignal }): Promise<void> => {
    const before = clock.now();
    let left = Math.ceil((await countKept(db, { table, day })) / settings.scrubDays);
    while (left > 0) {
      const due = await listLongestUncompared(db, { table, before, day, count: Math.min(left, portion) });
      if (due.length === 0) return;
      for (const object of due) {
        if (signal.aborted) return;
        try {
          if (await compareOne(table, object, day)) found.short += 1;
          found.compared += 1;
        } catch (error) {
          found.failed += 1;
          // The others have their turn first; what an earlier comparison has found stands.
          await keepComparison(db, object.key, { at: clock.now() });
          log.warn({ err: error, object: object.key }, 'the lock of an object could not be compared');
        }
      }
      left -= due.length;
    }
  };

  return async (_, signal) => {
    if (!isLocking(lock)) return;
    const day = { timeZone: settings.timeZone, today: dayOf(clock.now()) };
    const found: Found = { compared: 0, short: 0, failed: 0 };
    for (const table of await listRetainingTables(db)) await compareTable(table, found, { day, signal });
    if (found.failed > 0) log.error({ alarm: 'object-lock', ...found }, 'the locks of objects could not be compared');
    if (found.compared > 0) log.info(found, 'the locks of objects were compared with their retention');
  };
};
