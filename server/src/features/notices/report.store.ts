import type { ChannelId, DocumentState, NoticeReason, NoticeState } from '@pergamin/contract';
import { sql } from 'kysely';
import { isThere, membersAtPublication } from '#features/deliveries/deliveries.door.ts';
import type { Db } from '#platform/database/schema.ts';

/** The position of a report: documents in the order of their publication, of each its owners by personal id. */
export interface Place {
  readonly publishedAt: Date;
  readonly documentId: string;
  /** The last one that was reported; null: the document is done. */
  readonly personalId: string | null;
}

export interface Asked {
  /** A day of the organisation. */
  readonly since: string | undefined;
  readonly only: 'unread' | 'undelivered' | undefined;
}

interface ReportedDocument {
  readonly id: string;
  readonly publishedAt: Date;
}

/** The next documents in order, opened or not, so that each page of the report reads a bounded number of rows. */
export const listDocuments = async (
  db: Db,
  { after, since, timeZone, limit }: { after: Place | undefined; since: string | undefined; timeZone: string; limit: number },
): Promise<ReportedDocument[]> => {
  const beginning = since === undefined ? sql`` : sql`and published_at >= ${since}::date::timestamp at time zone ${timeZone}`;
  const place =
    after === undefined
      ? sql``
      : sql`and (published_at, id) ${sql.raw(after.personalId === null ? '>' : '>=')} (${after.publishedAt}::timestamptz, ${after.documentId}::uuid)`;
  const { rows } = await sql<ReportedDocument>`
    select id, published_at as "publishedAt" from document
    where type <> 'PUBLIC' and published_at is not null and ${sql.raw(isThere('document'))} ${beginning} ${place}
    order by published_at, id limit ${limit}`.execute(db);
  return rows;
};

export interface UnopenedRow extends ReportedDocument {
  readonly uniqueName: string | null;
  readonly fileName: string;
  readonly state: DocumentState;
  readonly personalId: string;
  readonly unread: boolean;
  readonly undelivered: boolean;
  readonly noticeId: string | null;
  readonly noticeState: NoticeState;
  readonly reason: NoticeReason | null;
  readonly channel: ChannelId | null;
  readonly attempts: number;
  readonly sends: number;
  readonly sentAt: Date | null;
  readonly lastError: string | null;
  readonly remindedAt: Date | null;
}

const members = sql.raw(membersAtPublication('d'));

/** The recipients of these documents who have not opened one or got no notice of it. Owners are those of the moment of publication. */
export const listUnopened = async (
  db: Db,
  { documentIds, after, only, limit }: { documentIds: readonly string[]; after: Place | undefined; only: Asked['only']; limit: number },
): Promise<UnopenedRow[]> => {
  const wanted = { unread: sql`unread`, undelivered: sql`undelivered`, both: sql`(unread or undelivered)` }[only ?? 'both'];
  const place =
    after === undefined || after.personalId === null
      ? sql`true`
      : sql`(d.id <> ${after.documentId}::uuid or owner.personal_id > ${after.personalId})`;
  const { rows } = await sql<UnopenedRow>`
    select d.id, d.published_at as "publishedAt", d.unique_name as "uniqueName", d.file_name as "fileName", d.state, told.*
    from document d cross join lateral (
      select * from (
        select owner.personal_id as "personalId", m.read_at is null and m.downloaded_at is null as unread,
          coalesce(n.state in ('failed', 'bounced'), false) as undelivered,
          n.id as "noticeId", n.state as "noticeState", n.reason, n.channel, n.attempts, n.sends, n.sent_at as "sentAt",
          n.last_error as "lastError", r.sent_at as "remindedAt"
        from (
          select personal_id from client where d.type = 'PRIVATE' and cif in (d.cif, d.cif2)
          union select personal_id from client where d.type = 'PRIVATE' and cif2 in (d.cif, d.cif2)
          union select personal_id from (${members}) as own join client on client.cif = own.cif where d.type = 'GROUP'
          union select personal_id from (${members}) as own join client on client.cif2 = own.cif where d.type = 'GROUP'
        ) as owner
        left join document_mark m on m.personal_id = owner.personal_id and m.document_id = d.id
        left join notice n on n.document_id = d.id and n.receiver = owner.personal_id and n.kind = 'publication'
        left join notice r on r.document_id = d.id and r.receiver = owner.personal_id and r.kind = 'reminder'
        where ${place}
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
  { since, timeZone }: { since: string | undefined; timeZone: string },
): Promise<Record<NoticeState | 'undeliverable' | 'reminders', number>> => {
  const beginning = since === undefined ? sql`true` : sql`created_at >= ${since}::date::timestamp at time zone ${timeZone}`;
  const { rows } = await sql<Record<NoticeState | 'undeliverable' | 'reminders', number>>`
    select count(*) filter (where kind = 'publication' and state = 'queued') as queued,
      count(*) filter (where kind = 'publication' and state = 'sent') as sent,
      count(*) filter (where kind = 'publication' and state = 'failed') as failed,
      count(*) filter (where kind = 'publication' and state = 'bounced') as bounced,
      count(*) filter (where kind = 'publication' and reason = 'NO_ADDRESS') as undeliverable,
      count(*) filter (where kind = 'reminder') as reminders
    from notice where ${beginning}`.execute(db);
  return rows[0] ?? { queued: 0, sent: 0, failed: 0, bounced: 0, undeliverable: 0, reminders: 0 };
};
