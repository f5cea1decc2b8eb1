import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';
import type { LastScrub } from '#platform/metrics/scrub-metrics.ts';

export interface KeptBytes {
  readonly id: string;
  readonly state: string;
  readonly object_key: string;
  readonly corrupted: boolean;
}

/** Published, and their bytes are kept. */
const kept = sql`document.published_at is not null and document.state <> 'FORGOTTEN' and document.removal_began_at is null`;

export const countKept = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from document where ${kept}`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Those whose bytes were not read again for the longest time, and not since `before`. */
export const listLongestUnread = async (db: Db, { before, limit }: { before: Date; limit: number }): Promise<readonly KeptBytes[]> => {
  const { rows } = await sql<KeptBytes>`
    select document.id, document.state, document.object_key, document.corrupted
    from document
    left join document_check reading on reading.document_id = document.id
    where ${kept} and (reading.checked_at is null or reading.checked_at < ${before}::timestamptz)
    order by reading.checked_at nulls first, document.id
    limit ${limit}::int`.execute(db);
  return rows;
};

export interface KeptReport {
  readonly documents: number;
  /** Whose bytes were read again since then. */
  readonly read: number;
  readonly damaged: number;
  readonly unreadable: number;
  /** Not as the ledger says, when they were last compared. */
  readonly disputed: number;
  /** The reading that is the longest ago; null when one was never read again. */
  readonly oldestReading: Date | null;
  /** At most a hundred of the damaged, unreadable and disputed ones. */
  readonly wrong: readonly string[];
}

/** What the last readings of all documents gave. */
export const reportKept = async (db: Db, since: Date): Promise<KeptReport> => {
  const { rows } = await sql<KeptReport>`
    with reading as (
      select document.id, checked.checked_at as at,
        checked.checked_at is not null and checked.sha256 is null as is_unreadable,
        coalesce(cardinality(checked.differences), 0) > 0 as is_disputed,
        document.corrupted or checked.sha256 is distinct from publication.sha256 and checked.sha256 is not null as is_damaged
      from document
      left join document_check checked on checked.document_id = document.id
      left join publication on publication.document_id = document.id
      where ${kept}
    )
    select count(*)::int as documents,
      (count(*) filter (where at >= ${since}::timestamptz))::int as read,
      (count(*) filter (where is_damaged))::int as damaged,
      (count(*) filter (where is_unreadable))::int as unreadable,
      (count(*) filter (where is_disputed))::int as disputed,
      case when count(*) = count(at) then min(at) end as "oldestReading",
      array(select id::text from reading where is_damaged or is_unreadable or is_disputed order by id limit 100) as wrong
    from reading`.execute(db);
  const [report] = rows;
  if (report === undefined) throw new Error('a count without a row');
  return report;
};

export const keepRound = async (
  db: Db,
  { endedOn, isLedgerSound, ...found }: Omit<LastScrub, 'madeOn' | 'endedOn'> & { readonly endedOn: Date },
): Promise<void> => {
  await db
    .insertInto('scrub_round')
    .values({ ...found, ended_at: endedOn, is_ledger_sound: isLedgerSound })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Before the first one: nothing found. */
export const readLastScrub = async (db: Db): Promise<LastScrub> => {
  const { rows } = await sql<LastScrub>`
    select round.ended_at as "endedOn", coalesce(read, 0) as read, coalesce(damaged, 0) as damaged, coalesce(unreadable, 0) as unreadable,
      coalesce(disputed, 0) as disputed, coalesce(missing, 0) as missing, coalesce(lost, 0) as lost, coalesce(is_ledger_sound, true) as "isLedgerSound", made.at as "madeOn"
    from (select min(timestamp)::timestamptz as at from kysely_migration) made
    left join (select * from scrub_round order by ended_at desc limit 1) round on true`.execute(db);
  const [last] = rows;
  if (last === undefined) throw new Error('an aggregate without a row');
  return last;
};
