import type { ChannelId, DocumentState, NoticeReason, NoticeState } from '@pergamin/contract';
import { type RawBuilder, sql } from 'kysely';
import { isRead, isThere, membersAtPublication } from '#features/deliveries/deliveries.door.ts';
import type { Db } from '#platform/database/schema.ts';

/** The position of a report: documents in the order of their publication, of each its clients by personal id. */
export interface Place {
  readonly publishedAt: Date;
  readonly documentId: string;
  /** The last one that was reported; null: the document is done. */
  readonly personalId: string | null;
}

/** Days of the organisation: the first and the last. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface Asked extends Days {
  readonly kind?: 'private' | 'statement' | undefined;
  readonly cif?: string | undefined;
  readonly document?: string | undefined;
}

export interface ReportedDocument {
  readonly id: string;
  readonly publishedAt: Date;
  readonly pageCount: number;
}

/** The rows of a report that one statement reads. */
export interface Portion {
  readonly documentIds: readonly string[];
  readonly after: Place | undefined;
  readonly limit: number;
}

const onDays = (moment: string, { from, to }: Days, timeZone: string): RawBuilder<unknown> => sql`
  (${from ?? null}::date is null or ${sql.raw(moment)} >= ${from ?? null}::date::timestamp at time zone ${timeZone})
  and (${to ?? null}::date is null or ${sql.raw(moment)} < (${to ?? null}::date + 1)::timestamp at time zone ${timeZone})`;

/** The next documents in order, opened or not, so that each page of a report reads a bounded number of rows. */
export const listDocuments = async (
  db: Db,
  asked: Asked,
  { after, isFor, timeZone, limit }: { after: Place | undefined; isFor: 'unread' | 'proof'; timeZone: string; limit: number },
): Promise<ReportedDocument[]> => {
  const isReported = isFor === 'unread' ? isThere('document') : `document.state <> 'FORGOTTEN'`;
  const place =
    after === undefined
      ? sql``
      : sql`and (published_at, id) ${sql.raw(after.personalId === null ? '>' : '>=')} (${after.publishedAt}::timestamptz, ${after.documentId}::uuid)`;
  const { rows } = await sql<ReportedDocument>`
    select id, published_at as "publishedAt", page_count as "pageCount" from document
    where type <> 'PUBLIC' and published_at is not null and ${sql.raw(isReported)} and ${onDays('published_at', asked, timeZone)} ${place}
      ${asked.kind === undefined ? sql`` : sql`and kind = ${asked.kind}`}
      ${asked.document === undefined ? sql`` : sql`and id = ${asked.document}::uuid`}
    order by published_at, id limit ${limit}`.execute(db);
  return rows;
};

export const hasClient = async (db: Db, cif: string): Promise<boolean> => {
  const { rows } = await sql`select from client where cif = ${cif} or cif2 = ${cif} limit 1`.execute(db);
  return rows.length > 0;
};

export const isPublished = async (db: Db, id: string): Promise<boolean> => {
  const row = await db.selectFrom('document').select('id').where('id', '=', id).where('published_at', 'is not', null).executeTakeFirst();
  return row !== undefined;
};

const members = sql.raw(membersAtPublication('d'));

/** Rows (personal_id): the clients who may see a row `d` of `document`. Of a group those who were in it at the moment of publication. */
export const owners = sql`
  select personal_id from client where d.type = 'PRIVATE' and cif in (d.cif, d.cif2)
  union select personal_id from client where d.type = 'PRIVATE' and cif2 in (d.cif, d.cif2)
  union select personal_id from (${members}) as own join client on client.cif = own.cif where d.type = 'GROUP'
  union select personal_id from (${members}) as own join client on client.cif2 = own.cif where d.type = 'GROUP'`;

/** Of a row `d` and a row `owner`: behind the place, and with the customer number that is asked for. */
export const isWanted = (after: Place | undefined, { cif }: Asked): RawBuilder<unknown> => sql`
  ${after === undefined || after.personalId === null ? sql`true` : sql`(d.id <> ${after.documentId}::uuid or owner.personal_id > ${after.personalId})`}
  ${cif === undefined ? sql`` : sql`and exists (select from client c where c.personal_id = owner.personal_id and ${cif} in (c.cif, c.cif2))`}`;

/** Of a row `n` of `notice`, and `r`, the reminder. */
export const noticeColumns = sql.raw(`n.id as "noticeId", n.state as "noticeState", n.reason, n.channel, n.attempts, n.sends,
  n.sent_at as "sentAt", coalesce(n.bounced_at, n.failed_at) as "failedAt", n.last_error as "lastError", r.sent_at as "remindedAt"`);

export const joinNotices = sql.raw(`
  left join notice n on n.document_id = d.id and n.receiver = owner.personal_id and n.kind = 'publication'
  left join notice r on r.document_id = d.id and r.receiver = owner.personal_id and r.kind = 'reminder'`);

/** What a row of each report begins with. */
export interface NoticeRow {
  readonly id: string;
  /** By which the rows are in order. */
  readonly publishedAt: Date;
  /** Which is told: nothing changes it unnoticed. */
  readonly registeredAt: Date;
  readonly uniqueName: string | null;
  readonly fileName: string;
  readonly state: DocumentState;
  readonly personalId: string;
  readonly noticeId: string | null;
  readonly noticeState: NoticeState;
  readonly reason: NoticeReason | null;
  readonly channel: ChannelId | null;
  readonly attempts: number;
  readonly sends: number;
  readonly sentAt: Date | null;
  readonly failedAt: Date | null;
  readonly lastError: string | null;
  readonly remindedAt: Date | null;
}

export interface UnopenedRow extends NoticeRow {
  readonly unread: boolean;
  readonly undelivered: boolean;
}

export interface AskedUnopened extends Asked {
  readonly only?: 'unread' | 'undelivered' | undefined;
}

/** The recipients of these documents who have neither read nor downloaded one, or got no notice of it. */
export const listUnopened = async (db: Db, asked: AskedUnopened, { documentIds, after, limit }: Portion): Promise<UnopenedRow[]> => {
  const wanted = { unread: sql`unread`, undelivered: sql`undelivered`, both: sql`(unread or undelivered)` }[asked.only ?? 'both'];
  const { rows } = await sql<UnopenedRow>`
    select d.id, d.published_at as "publishedAt", coalesce(publication.at, d.published_at) as "registeredAt", d.unique_name as "uniqueName",
      d.file_name as "fileName", d.state, told.*
    from document d left join publication on publication.document_id = d.id cross join lateral (
      select * from (
        select owner.personal_id as "personalId", m.downloaded_at is null and ${sql.raw(isRead('m', 'd.page_count'))} is not true as unread,
          coalesce(n.state in ('failed', 'bounced'), false) as undelivered, ${noticeColumns}
        from (${owners}) as owner
        left join document_mark m on m.personal_id = owner.personal_id and m.document_id = d.id ${joinNotices}
        where ${isWanted(after, asked)}
      ) as seen
      where ${wanted}
      order by "personalId" limit ${limit}
    ) as told
    where d.id = any(${documentIds}::uuid[])
    order by d.published_at, d.id, "personalId" limit ${limit}`.execute(db);
  return rows;
};

export const countNotices = async (
  db: Db,
  days: Days,
  timeZone: string,
): Promise<Record<NoticeState | 'undeliverable' | 'reminders', number>> => {
  const { rows } = await sql<Record<NoticeState | 'undeliverable' | 'reminders', number>>`
    select count(*) filter (where kind = 'publication' and state = 'queued') as queued,
      count(*) filter (where kind = 'publication' and state = 'sent') as sent,
      count(*) filter (where kind = 'publication' and state = 'failed') as failed,
      count(*) filter (where kind = 'publication' and state = 'bounced') as bounced,
      count(*) filter (where kind = 'publication' and reason = 'NO_ADDRESS') as undeliverable,
      count(*) filter (where kind = 'reminder') as reminders
    from notice where ${onDays('created_at', days, timeZone)}`.execute(db);
  return rows[0] ?? { queued: 0, sent: 0, failed: 0, bounced: 0, undeliverable: 0, reminders: 0 };
};
