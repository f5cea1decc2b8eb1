import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { ObjectLock, StoredObject } from './objects.ts';
import { listNamingTables } from './unnamed-objects.ts';

export interface RetainingTable {
  readonly table: string;
  /** Which of the columns it has that say that an object is not kept: it was not published yet, was forgotten, or its bytes are going. */
  readonly columns: readonly string[];
}

/** What days mean: the organisation's zone, and its present day. */
export interface Today {
  readonly timeZone: string;
  /** yyyy-mm-dd */
  readonly today: string;
}

/** An object, and until when its row keeps it. */
export interface KeptObject {
  readonly key: string;
  /** The last day; of a retention without end, that of a hundred years. */
  readonly day: string;
  /** When that day has ended where the organisation is. */
  readonly until: Date;
}

/** Tables that name objects and have the day until which they are kept. */
export const listRetainingTables = async (db: Db): Promise<RetainingTable[]> => {
  const { rows } = await sql<RetainingTable>`
    select c.relname as "table", array_agg(a.attname::text) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relname = any(${await listNamingTables(db)}::text[]) and c.relnamespace = current_schema()::regnamespace and not a.attisdropped
      and a.attname in ('retention_date', 'published_at', 'state', 'removal_began_at', 'removed_at')
    group by c.relname`.execute(db);
  return rows.filter(({ columns }) => columns.includes('retention_date'));
};

/** What was forgotten, or is being removed, is kept by nothing: a lock would only keep its bytes from going. */
const isKept = ({ columns }: RetainingTable, { today }: Today): RawBuilder<unknown> => {
  const conditions = [
    sql`named.retention_date >= ${today}::date`,
    ...(columns.includes('published_at') ? [sql`named.published_at is not null`] : []),
    ...(columns.includes('state') ? [sql`named.state <> 'FORGOTTEN'`] : []),
    ...(columns.includes('removal_began_at') ? [sql`named.removal_began_at is null`] : []),
    ...(columns.includes('removed_at') ? [sql`named.removed_at is null`] : []),
  ];
  return sql.join(conditions, sql` and `);
};

const lastDay = ({ today }: Today): RawBuilder<unknown> => sql`least(named.retention_date, (${today}::date + interval '100 years')::date)`;

const keptColumns = (day: Today): RawBuilder<KeptObject> =>
  // The last day is kept to its end.
  sql`named.object_key as key, last.day::text as day, (last.day + 1)::timestamp at time zone ${day.timeZone} as until`;

const limit = 500;

/** Objects whose lock, as it was told, ends before their rows do, or that have none; in the order of their keys. Fewer than `limit`: there are no more. */
export const listUnlocked = async (db: Db, { table, after, day }: { table: RetainingTable; after: string; day: Today }) => {
  // Of one without end it is enough that decades are left: else each day would lock it for another day.
  const { rows } = await sql<KeptObject>`
    select ${keptColumns(day)} from ${sql.table(table.table)} named
    cross join lateral (select ${lastDay(day)} as day) last
    cross join lateral (select case when named.retention_date > ${day.today}::date + interval '100 years'
      then (${day.today}::date + interval '50 years')::date else named.retention_date end as day) enough
    left join object_lock locked on locked.key = named.object_key
    where ${isKept(table, day)} and named.object_key > ${after}
      and (locked.key is null or coalesce(locked.locked_until < (enough.day + 1)::timestamp at time zone ${day.timeZone}, locked.until < enough.day))
    order by named.object_key limit ${limit}`.execute(db);
  return { objects: rows, isLast: rows.length < limit };
};

/**
 * Until when this object is kept at this moment; undefined when nothing keeps it. Its row can neither be forgotten nor begin to be removed before the transaction
 * ends; one that somebody changes just now is left out.
 */
export const holdKept = async (trx: Trx, { table, key, day }: { table: RetainingTable; key: string; day: Today }) => {
  const { rows } = await sql<KeptObject>`
    select ${keptColumns(day)} from ${sql.table(table.table)} named cross join lateral (select ${lastDay(day)} as day) last
    where named.object_key = ${key} and ${isKept(table, day)} for share of named skip locked`.execute(trx);
  return rows[0];
};

/** Until when rows keep these objects. Those that nothing keeps are left out. */
export const findKeptUntil = async (db: Db, keys: readonly string[], day: Today): Promise<ReadonlyMap<string, Date>> => {
  const kept = new Map<string, Date>();
  for (const table of await listRetainingTables(db)) {
    const { rows } = await sql<KeptObject>`
      select ${keptColumns(day)} from ${sql.table(table.table)} named cross join lateral (select ${lastDay(day)} as day) last
      where named.object_key = any(${keys}::text[]) and ${isKept(table, day)}`.execute(db);
    for (const { key, until } of rows) kept.set(key, new Date(Math.max(until.getTime(), kept.get(key)?.getTime() ?? 0)));
  }
  return kept;
};

/** What the store was told. */
export const noteLock = async (db: Db, { key, day, until }: KeptObject): Promise<void> => {
  const told = { until: day, locked_until: until, is_short: false };
  await db
    .insertInto('object_lock')
    .values({ key, ...told })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(told))
    .execute();
};

/** Of objects that were just written, in the transaction that names them. */
export const noteLocks = async (trx: Trx, stored: readonly Pick<StoredObject, 'key' | 'lockedUntil'>[]): Promise<void> => {
  for (const { key, lockedUntil: until } of stored)
    if (until !== undefined) await noteLock(trx, { key, day: until.toISOString().slice(0, 10), until });
};

/** Those that were not compared with the store for the longest time, and not since `before`. */
export const listLongestUncompared = async (
  db: Db,
  { table, before, day, count }: { table: RetainingTable; before: Date; day: Today; count: number },
): Promise<readonly KeptObject[]> => {
  const { rows } = await sql<KeptObject>`
    select ${keptColumns(day)} from object_lock locked
    join ${sql.table(table.table)} named on named.object_key = locked.key
    cross join lateral (select ${lastDay(day)} as day) last
    where ${isKept(table, day)} and (locked.compared_at is null or locked.compared_at < ${before}::timestamptz)
    order by locked.compared_at nulls first, locked.key limit ${count}::int`.execute(db);
  return rows;
};

export const countKept = async (db: Db, { table, day }: { table: RetainingTable; day: Today }): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from object_lock locked join ${sql.table(table.table)} named on named.object_key = locked.key
    where ${isKept(table, day)}`.execute(db);
  return rows[0]?.count ?? 0;
};

/** What the store told of an object, compared with until when its row keeps it. */
export const keepComparison = async (
  db: Db,
  key: string,
  { at, isShort }: { readonly at: Date; readonly isShort?: boolean },
): Promise<void> => {
  const found = isShort === undefined ? {} : { is_short: isShort };
  await db
    .updateTable('object_lock')
    .set({ compared_at: at, ...found })
    .where('key', '=', key)
    .execute();
};

/** How many locks end before the retention, as the last comparison of each has found. */
export const countShort = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('object_lock')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('is_short', '=', true)
    .executeTakeFirstOrThrow();
  return count;
};

/** A lock that keeps what was discarded: it is discarded again once that has ended. */
export const noteDiscarded = async (db: Db, key: string, { lock, at }: { readonly lock: ObjectLock; readonly at: Date }): Promise<void> => {
  const told = { until: lock.until.toISOString().slice(0, 10), locked_until: lock.until, is_short: false, discarded_at: at };
  await db
    .insertInto('object_lock')
    .values({ key, ...told })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(told))
    .execute();
};

/** Of an object that is gone. */
export const forgetLock = async (db: Db, key: string): Promise<void> => {
  await db.deleteFrom('object_lock').where('key', '=', key).execute();
};
