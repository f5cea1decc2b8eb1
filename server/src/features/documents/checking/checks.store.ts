import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

/** What the latest reading of a document's bytes gave, when it is not older than `since`. */
export const findReading = async (
  db: Db,
  { id, since }: { id: string; since: Date },
): Promise<{ sha256: string; at: Date } | undefined> => {
  const row = await db
    .selectFrom('document_check')
    .select(['sha256', 'checked_at'])
    .where('document_id', '=', id)
    .where('checked_at', '>=', since)
    .executeTakeFirst();
  return row === undefined || row.sha256 === null ? undefined : { sha256: row.sha256, at: row.checked_at };
};

/** `sha256` null: they could not be read. */
export const recordReading = async (db: Db, { id, sha256, at }: { id: string; sha256: string | null; at: Date }): Promise<void> => {
  await db
    .insertInto('document_check')
    .values({ document_id: id, sha256, checked_at: at })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet({ sha256, checked_at: at }))
    .execute();
};

/** What of a document is not as its statements in the ledger say. Kept beside its reading, until it is compared again. */
export const recordDifferences = async (db: Db, { id, differences }: { id: string; differences: readonly string[] }): Promise<void> => {
  await sql`update document_check set differences = ${differences}::text[]
    where document_id = ${id}::uuid and differences is distinct from ${differences}::text[]`.execute(db);
};

export const setCorrupted = async (db: Db, { id, corrupted }: { id: string; corrupted: boolean }): Promise<void> => {
  await db.updateTable('document').set({ corrupted }).where('id', '=', id).execute();
};

/**
 * Counts one more call of the subject, unless it made `limit` calls within the last `windowMs`: then it gives the moment when the oldest of
 * them leaves the window. Exact over all processes, as the row is locked while it is counted.
 */
export const countCall = async (
  db: Db,
  { subject, limit, windowMs, at }: { subject: string; limit: number; windowMs: number; at: Date },
): Promise<{ allowed: true } | { allowed: false; again: Date }> => {
  const since = new Date(at.getTime() - windowMs);
  const recent = sql`select call from unnest(call_counter.calls) as made (call) where call > ${since}::timestamptz`;
  const counted = await sql`
    insert into call_counter (subject, calls) values (${subject}, array[${at}::timestamptz])
    on conflict (subject) do update set calls = array(${recent} order by call) || excluded.calls
      where (select count(*) from (${recent}) as latest) < ${limit}::int
    returning subject`.execute(db);
  if (counted.rows.length > 0) return { allowed: true };
  const oldest = await sql<{ call: Date | null }>`
    select min(call) as call from call_counter, unnest(calls) as made (call)
    where subject = ${subject} and call > ${since}::timestamptz`.execute(db);
  return { allowed: false, again: new Date((oldest.rows[0]?.call ?? at).getTime() + windowMs) };
};

/** Removes counts of subjects whose last call is older than every limit's window. */
export const forgetCalls = async (db: Db, { before }: { before: Date }): Promise<void> => {
  await sql`delete from call_counter where coalesce(calls[cardinality(calls)] < ${before}::timestamptz, true)`.execute(db);
};
