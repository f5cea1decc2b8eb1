import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { LockLevel } from './lock-level.ts';
import type { Objects } from './objects.ts';
import { listNamingTables } from './unnamed-objects.ts';

interface Parts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'retain'>;
  readonly lock: LockLevel;
  readonly settings: { readonly timeZone: string };
  readonly log: Log;
}

interface Unlocked {
  readonly key: string;
  /** The last day; of a retention without end, that of a hundred years. */
  readonly day: string;
  /** When that day has ended where the organisation is. */
  readonly until: Date;
}

const limit = 500;

/**
 * Locks objects in the store until the retention of their rows ends, and longer when it was extended. A killed round is continued by the next one.
 * Does nothing where the store locks nothing.
 */
export const createObjectLocks = ({ db, objects, lock, settings, log }: Parts): JobHandler => {
  const lockOne = async ({ key, day, until }: Unlocked): Promise<void> => {
    await objects.retain(key, until);
    await db
      .insertInto('object_lock')
      .values({ key, until: day })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ until: day }))
      .execute();
  };

  const lockTable = async (table: RetainingTable, signal: AbortSignal): Promise<{ locked: number; failed: number }> => {
    const counts = { locked: 0, failed: 0 };
    let portion: readonly Unlocked[] = [];
    do {
      portion = await listUnlocked(db, { ...table, timeZone: settings.timeZone, after: portion.at(-1)?.key ?? '' });
      for (const object of portion) {
        if (signal.aborted) return counts;
        try {
          await lockOne(object);
          counts.locked += 1;
        } catch (error) {
          counts.failed += 1;
          log.warn({ err: error, object: object.key }, 'an object could not be locked');
        }
      }
    } while (portion.length === limit);
    return counts;
  };

  return async (_, signal) => {
    if (lock !== 'compliance' && lock !== 'governance') return;
    const total = { locked: 0, failed: 0 };
    for (const table of await listRetainingTables(db)) {
      const { locked, failed } = await lockTable(table, signal);
      total.locked += locked;
      total.failed += failed;
    }
    if (total.locked > 0) log.info(total, 'objects were locked until their retention ends');
    if (total.failed > 0) log.error({ alarm: 'object-lock', ...total }, 'objects could not be locked; the next round tries again');
  };
};

interface RetainingTable {
  readonly table: string;
  /** Which of the columns it has that say that an object is not kept: it was not published yet, or its bytes were removed. */
  readonly columns: readonly string[];
}

/** Tables that name objects and have the day until which they are kept. */
const listRetainingTables = async (db: Db): Promise<RetainingTable[]> => {
  const { rows } = await sql<RetainingTable>`
    select c.relname as "table", array_agg(a.attname::text) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relname = any(${await listNamingTables(db)}::text[]) and c.relnamespace = current_schema()::regnamespace and not a.attisdropped
      and a.attname in ('retention_date', 'published_at', 'removed_at')
    group by c.relname`.execute(db);
  return rows.filter(({ columns }) => columns.includes('retention_date'));
};

/** In the order of their keys. */
const listUnlocked = async (
  db: Db,
  { table, columns, timeZone, after }: RetainingTable & { readonly timeZone: string; readonly after: string },
): Promise<readonly Unlocked[]> => {
  const isKept = [
    sql`named.retention_date >= current_date`,
    ...(columns.includes('published_at') ? [sql`named.published_at is not null`] : []),
    ...(columns.includes('removed_at') ? [sql`named.removed_at is null`] : []),
  ];
  // Of one without end it is enough that decades are left: else each day would lock it for another day.
  const whenEnough = sql`case when named.retention_date > current_date + interval '100 years' then (current_date + interval '50 years')::date
    else named.retention_date end`;
  // The last day is locked to its end.
  const { rows } = await sql<Unlocked>`
    select named.object_key as key, last.day::text as day, (last.day + 1)::timestamp at time zone ${timeZone} as until
    from ${sql.table(table)} named
    cross join lateral (select least(named.retention_date, (current_date + interval '100 years')::date) as day) last
    left join object_lock locked on locked.key = named.object_key
    where ${sql.join(isKept, sql` and `)} and named.object_key > ${after}
      and (locked.until is null or locked.until < ${whenEnough})
    order by named.object_key limit ${limit}`.execute(db);
  return rows;
};
