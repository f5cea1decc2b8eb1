import type { ChannelId, LanguageCode, NoticeReason } from '@pergamin/contract';
import { type RawBuilder, sql } from 'kysely';
import { isDeliveredTo, isRead, principalsOf } from '#features/deliveries/deliveries.door.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { NoticeKind } from './notices.rules.ts';

/** Which ways lead out of the building. */
export interface Ways {
  readonly mail: boolean;
  readonly sms: boolean;
  /** Mail stays on this machine: the only way for demonstration data. */
  readonly isLocal: boolean;
}

/** Notices of one document by one channel: what a job takes up. */
export interface Batch {
  readonly documentId: string;
  readonly channel: ChannelId;
}

/** The client's own choice where it leads anywhere, else the other one, else none. Of `c` (client) and `d` (document). */
const wayOf = ({ mail, sms, isLocal }: Ways): RawBuilder<unknown> => {
  const bySms = sql`c.phone is not null and ${sms}::boolean and not (c.demo or d.demo)`;
  const byMail = sql`c.email is not null and ${mail}::boolean and (${isLocal}::boolean or not (c.demo or d.demo))`;
  return sql`case when c.preferred_channel = 'SMS' and ${bySms} then 'SMS' when ${byMail} then 'EMAIL' when ${bySms} then 'SMS' end`;
};

const isForDemo = ({ isLocal }: Ways): RawBuilder<unknown> => sql`(${isLocal}::boolean or not (c.demo or d.demo))`;

const batchesOf = (rows: readonly { document_id: string; channel: ChannelId | null }[]): Batch[] =>
  rows.flatMap(({ document_id: documentId, channel }) => (channel === null ? [] : [{ documentId, channel }]));

/** What there is to send now, and the ids of those that have no address. */
export interface Inserted {
  readonly count: number;
  readonly batches: Batch[];
  readonly failed: string[];
}

/** A notice of this kind for each of `reached` (document_id, receiver, channel), once. `count`: how many are new. */
const insertNotices = async (
  trx: Trx,
  { kind, now, reached }: { kind: NoticeKind; now: Date; reached: RawBuilder<unknown> },
): Promise<Inserted> => {
  const { rows } = await sql<{ document_id: string; channel: ChannelId | null; told: number; failed: string[] | null }>`
    with told as (
      insert into notice (document_id, receiver, kind, channel, state, reason, failed_at, due_at, created_at)
      select document_id, receiver, ${kind}, channel, case when channel is null then 'failed' else 'queued' end,
        case when channel is null then 'NO_ADDRESS' end, case when channel is null then ${now}::timestamptz end, ${now}::timestamptz,
        ${now}::timestamptz
      from (${reached}) as reached
      on conflict (document_id, receiver, kind) do nothing
      returning id, document_id, channel
    )
    select document_id, channel, count(*)::int as told, array_agg(id) filter (where channel is null) as failed
    from told group by document_id, channel`.execute(trx);
  return {
    count: rows.reduce((sum, { told }) => sum + told, 0),
    batches: batchesOf(rows),
    failed: rows.flatMap(({ failed }) => failed ?? []),
  };
};

/** A notice for every client who has a notification of this kind of these documents. */
export const insertNews = async (
  trx: Trx,
  { kind, documentIds, ways, now }: { kind: Exclude<NoticeKind, 'reminder'>; documentIds: readonly string[]; ways: Ways; now: Date },
): Promise<Inserted> => {
  const reached = sql`
    select n.document_id, n.receiver, ${wayOf(ways)} as channel
    from notification n join document d on d.id = n.document_id join client c on c.personal_id = n.receiver
    where n.document_id = any(${documentIds}::uuid[]) and n.type = ${kind} and c.state <> 'DISABLED' and ${isForDemo(ways)}`;
  return insertNotices(trx, { kind, now, reached });
};

/** Neither read nor downloaded by the receiver `n` of document `d`. */
const isUnread = sql`not exists (
  select from document_mark m where m.personal_id = n.receiver and m.document_id = n.document_id
    and (m.downloaded_at is not null or ${sql.raw(isRead('m', 'd.page_count'))}))`;

interface ReminderPeriod {
  readonly ways: Ways;
  readonly now: Date;
  /** Of the notices: older ones than `from` are not dug out when the setting is new. */
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

/** `count`: fewer than the limit when none is left. */
export const insertReminders = (trx: Trx, { ways, now, from, to, limit }: ReminderPeriod): Promise<Inserted> =>
  insertNotices(trx, {
    kind: 'reminder',
    now,
    reached: sql`
      select n.document_id, n.receiver, ${wayOf(ways)} as channel
      from notice n join document d on d.id = n.document_id and d.state = 'ACTIVE' join client c on c.personal_id = n.receiver
      where n.kind = 'publication' and n.created_at > ${from}::timestamptz and n.created_at <= ${to}::timestamptz
        and c.state <> 'DISABLED' and ${isForDemo(ways)}
        and ${isUnread}
        and not exists (select from notice r where r.document_id = n.document_id and r.receiver = n.receiver and r.kind = 'reminder')
      order by n.created_at
      limit ${limit}`,
  });

/** A notice that this run has taken up, and what is to be said in it. */
export interface Claimed {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly receiver: string;
  readonly failures: number;
  readonly createdAt: Date;
  readonly fileName: string;
  readonly sha256: string;
  readonly isActive: boolean;
  /** The document is in the lists of the receiver, as things are now. */
  readonly isTheirs: boolean;
  readonly isUnread: boolean;
  /** A client who cannot sign in is sent nothing. */
  readonly isDisabled: boolean;
  readonly cif: string | null;
  readonly cif2: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly language: LanguageCode | null;
}

/** The oldest that is due, also one whose run died. Undefined: nothing is due now. */
export const claimNext = async (
  db: Db,
  { documentId, channel, claim, now }: Batch & { claim: string; now: Date },
): Promise<Claimed | undefined> => {
  const { rows } = await sql<Claimed>`
    with n as (
      update notice set attempts = attempts + 1, claim = ${claim}::uuid
      where id = (
        select id from notice where document_id = ${documentId}::uuid and channel = ${channel} and state = 'queued' and due_at <= ${now}::timestamptz
        order by due_at limit 1 for update skip locked
      )
      returning *
    )
    select n.id, n.kind, n.receiver, n.failures, n.created_at as "createdAt", d.file_name as "fileName", d.sha256,
      d.state = 'ACTIVE' as "isActive", ${isUnread} as "isUnread",
      c.state is not distinct from 'DISABLED' as "isDisabled", c.cif, c.cif2, c.email, c.phone,
      coalesce(c.chosen_language, c.language) as language,
      ${sql.raw(isDeliveredTo(`(${principalsOf('array[c.cif, c.cif2]')}) as principal`, 'n.document_id'))} as "isTheirs"
    from n join document d on d.id = n.document_id left join client c on c.personal_id = n.receiver`.execute(db);
  return rows[0];
};

export interface Run {
  readonly id: string;
  readonly claim: string;
}

const ofRun = (db: Db, { id, claim }: Run) =>
  db.updateTable('notice').where('id', '=', id).where('claim', '=', claim).where('state', '=', 'queued');

/** Before the message is sent. False when another run has claimed the notice meanwhile, or it has bounced already. */
export const markHandedOver = async (db: Db, run: Run): Promise<boolean> => {
  const { numUpdatedRows } = await ofRun(db, run)
    .set({ sends: sql`sends + 1` })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** False when another run has claimed the notice meanwhile. */
export const settleSent = async (db: Db, run: Run, { at, messageId }: { at: Date; messageId: string | null }): Promise<boolean> => {
  const { numUpdatedRows } = await ofRun(db, run)
    .set({ state: 'sent', sent_at: at, message_id: messageId, last_error: null })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** False when another run has claimed the notice meanwhile. */
export const settleFailed = async (
  db: Db,
  run: Run,
  { reason, error, at }: { reason: NoticeReason; error: string | null; at: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await ofRun(db, run)
    .set({ state: 'failed', reason, failed_at: at, last_error: error, failures: sql`failures + 1` })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** What became of notices, and the document of each as the ledger says it. */
export const listResults = async (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('notice')
    .innerJoin('document as d', 'd.id', 'notice.document_id')
    .select(['notice.id', 'notice.kind', 'channel', 'notice.state as noticeState', 'notice.reason', 'receiver'])
    .select(['d.id as documentId', 'd.unique_name as uniqueName', 'd.sha256', 'd.size', 'd.type', 'd.state'])
    .select(sql<string>`ledger_owner(d)`.as('owner'))
    .where('notice.id', 'in', sql<string>`(select unnest(${ids}::uuid[]))`)
    .execute();

export type Result = Awaited<ReturnType<typeof listResults>>[number];

export const settleLater = async (db: Db, run: Run, { dueAt, error }: { dueAt: Date; error: string }) => {
  await ofRun(db, run)
    .set({ due_at: dueAt, last_error: error, failures: sql`failures + 1` })
    .execute();
};

/** Removes a reminder that is no longer needed. */
export const forget = async (db: Db, { id, claim }: Run): Promise<void> => {
  await db.deleteFrom('notice').where('id', '=', id).where('claim', '=', claim).where('state', '=', 'queued').execute();
};

/** When the next one of the batch is due; undefined: there is none. */
export const findNextDue = async (db: Db, { documentId, channel }: Batch): Promise<Date | undefined> => {
  const row = await db
    .selectFrom('notice')
    .select((of) => of.fn.min('due_at').as('dueAt'))
    .where('document_id', '=', documentId)
    .where('channel', '=', channel)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return row?.dueAt ?? undefined;
};

/** Batches with a notice that should have gone long ago: their job is lost, or there was none after a restored backup. */
export const listOverdue = async (db: Db, { before, limit }: { before: Date; limit: number }): Promise<Batch[]> => {
  const rows = await db
    .selectFrom('notice')
    .select(['document_id', 'channel'])
    .distinct()
    .where('state', '=', 'queued')
    .where('due_at', '<', before)
    .limit(limit)
    .execute();
  return batchesOf(rows);
};

/** Notices by mail that wait for their next attempt are due now. */
export const makeMailDue = async (db: Db, now: Date): Promise<void> => {
  await sql`update notice set due_at = ${now}::timestamptz
    where state = 'queued' and channel = 'EMAIL' and due_at > ${now}::timestamptz`.execute(db);
  await sql`select count(*) from graphile_worker.reschedule_jobs(array(
    select id from graphile_worker.jobs
    where task_identifier = 'notices:send' and queue_name = 'mail' and run_at > now() and locked_at is null
  ), run_at => now())`.execute(db);
};

export interface NoticesStanding {
  readonly channel: ChannelId;
  readonly waiting: number;
  /** Seconds since the oldest of them was made. */
  readonly oldestSeconds: number;
}

/** Of the notices that wait; none of a channel that has none. */
export const listWaiting = async (db: Db, now: Date): Promise<readonly NoticesStanding[]> => {
  const { rows } = await sql<NoticesStanding>`
    select channel, count(*)::int as waiting, extract(epoch from ${now}::timestamptz - min(created_at))::float8 as "oldestSeconds"
    from notice where state = 'queued' group by channel`.execute(db);
  return rows;
};

/** The notice's own id, bare or as the first part of a Message-ID. */
const ownId = /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:@[^<>]*>?)?$/i;

export const ownIdIn = (id: string): string | null => ownId.exec(id)?.[1] ?? null;
