import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import { ownIdIn, type Run, settleSent } from './notices.store.ts';
import type { NoticesParts } from './parts.ts';
import { recordResults } from './results.ts';

type Parts = Pick<NoticesParts, 'db' | 'webhooks' | 'metrics' | 'clock'>;

/** A message that was not delivered. */
interface Undelivered {
  readonly id: string;
  readonly reason: string;
}

/** The id of a message is written down at most ten seconds after it was taken; or, when that answer was lost, when it is sent again under the same key. */
const keptMs = 3_600_000;
/** The youngest: gateways may tell of others' messages for as long as they like. */
const maxKept = 10_000;

/** Writers of a message id hold it shared, keepers of a report of an unknown id exclusively: so that one of them sees the other. */
const lock = sql`hashtext('pergamin.early_report')`;

/**
 * Sets the notices with these ids to bounced; one that has bounced or failed before keeps its first state. Returns the ids without a
 * notice.
 */
const markUndelivered = async (
  trx: Trx,
  undelivered: readonly Undelivered[],
  parts: Pick<Parts, 'webhooks' | 'metrics' | 'clock'>,
): Promise<readonly Undelivered[]> => {
  if (undelivered.length === 0) return [];
  const { rows } = await sql<{ id: string; bounced: string | null }>`
    with said as (
      select * from unnest(${undelivered.map(({ id }) => id)}::text[], ${undelivered.map(({ id }) => ownIdIn(id))}::uuid[],
        ${undelivered.map(({ reason }) => reason)}::text[]) as said (id, own, reason)
    ),
    meant as (
      select notice.id as notice_id, said.id, said.reason from said join notice on notice.id = said.own
      union all select notice.id, said.id, said.reason from said join notice on notice.message_id = said.id
    ),
    -- In one order, so that two reports that name the same messages never wait for one another.
    mine as (select id from notice where id in (select notice_id from meant) order by id for update),
    told as (
      update notice set state = 'bounced', reason = 'BOUNCED', last_error = meant.reason, bounced_at = ${parts.clock.now()}::timestamptz
      from meant, mine where notice.id = meant.notice_id and notice.id = mine.id and notice.state in ('queued', 'sent')
      returning notice.id
    )
    select meant.id, told.id as bounced from meant left join told on told.id = meant.notice_id`.execute(trx);
  await recordResults(trx, [...new Set(rows.flatMap(({ bounced }) => bounced ?? []))], parts);
  const known = new Set(rows.map(({ id }) => id));
  return undelivered.filter(({ id }) => !known.has(id));
};

export const recordUndelivered = (parts: Parts, undelivered: readonly Undelivered[]): Promise<readonly Undelivered[]> =>
  parts.db.transaction().execute((trx) => markUndelivered(trx, undelivered, parts));

/** Blocks until running inserts of message ids have committed; then sets the notices whose ids became known to bounced. */
export const keepEarly = async (parts: Parts, undelivered: readonly Undelivered[]): Promise<void> => {
  const at = parts.clock.now();
  await parts.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
    const unknown = await markUndelivered(trx, undelivered, parts);
    await forgetExpired(trx, at);
    await sql`
      insert into early_report (message_id, reason, received_at)
      select id, reason, ${at}::timestamptz
      from unnest(${unknown.map(({ id }) => id)}::text[], ${unknown.map(({ reason }) => reason)}::text[]) as unknown (id, reason)
      on conflict (message_id) do nothing`.execute(trx);
    await sql`
      delete from early_report where message_id in (
        select message_id from early_report order by received_at desc, message_id offset ${maxKept}::int
      )`.execute(trx);
  });
};

export const forgetExpired = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('early_report').where('received_at', '<=', expiredAt(now)).execute();
};

/** Records that the gateway took a message, and under which id; bounced, when a report of its failure came earlier. */
export const settleTaken = async (parts: Parts, run: Run, { at, messageId }: { at: Date; messageId: string }): Promise<void> => {
  await parts.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(trx);
    const isMine = await settleSent(trx, run, { at, messageId });
    await sql`
      with told as (
        delete from early_report using notice
        where early_report.message_id = ${messageId} and notice.message_id = ${messageId} and notice.id = ${run.id}::uuid
        returning early_report.reason, received_at
      )
      update notice set state = 'bounced', reason = 'BOUNCED', last_error = told.reason, bounced_at = told.received_at
      from told
      where notice.id = ${run.id}::uuid and notice.state = 'sent' and told.received_at > ${expiredAt(at)}::timestamptz`.execute(trx);
    if (isMine) await recordResults(trx, [run.id], parts);
  });
};

const expiredAt = (now: Date): Date => new Date(now.getTime() - keptMs);
