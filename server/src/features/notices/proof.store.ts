import type { CheckStatus } from '@pergamin/contract';
import { sql } from 'kysely';
import { closedAt, readAt } from '#features/deliveries/deliveries.door.ts';
import type { Db } from '#platform/database/schema.ts';
import { type Asked, isWanted, joinNotices, noticeColumns, type NoticeRow, owners, type Portion } from './report.store.ts';

export interface DeliveryRow extends NoticeRow {
  readonly kind: 'private' | 'statement';
  readonly sha256: string;
  readonly pageCount: number;
  readonly openedAt: Date | null;
  readonly readAt: Date | null;
  readonly closedAt: Date | null;
  readonly downloadedAt: Date | null;
  /** The following are null as long as the client did nothing with the document. */
  readonly pages: number[] | null;
  readonly pagesNotShown: number[] | null;
  /** Milliseconds since 1970 by page. */
  readonly pageTimes: Record<string, number> | null;
  readonly verified: Partial<Record<CheckStatus, number>> | null;
}

/** Those who may see a document, and those who were told of it or did something with it and may not see it any more. */
export const listDeliveries = async (db: Db, asked: Asked, { documentIds, after, limit }: Portion): Promise<DeliveryRow[]> => {
  const { rows } = await sql<DeliveryRow>`
    select d.id, d.published_at as "publishedAt", publication.at as "registeredAt", d.unique_name as "uniqueName", d.file_name as "fileName", d.kind, d.state,
      publication.sha256, d.page_count as "pageCount", told.*
    from document d join publication on publication.document_id = d.id cross join lateral (
      select owner.personal_id as "personalId", m.opened_at as "openedAt", ${sql.raw(readAt('m', 'd.page_count'))} as "readAt",
        ${sql.raw(closedAt('m', 'd.page_count'))} as "closedAt", m.downloaded_at as "downloadedAt",
        m.pages, m.pages_not_shown as "pagesNotShown", m.page_times as "pageTimes", m.verified, ${noticeColumns}
      from (
        ${owners}
        union select personal_id from document_mark where document_id = d.id
        union select receiver from notice where document_id = d.id
      ) as owner
      left join document_mark m on m.personal_id = owner.personal_id and m.document_id = d.id ${joinNotices}
      where ${isWanted(after, asked)}
      order by owner.personal_id limit ${limit}
    ) as told
    where d.id = any(${documentIds}::uuid[])
    order by d.published_at, d.id, "personalId" limit ${limit}`.execute(db);
  return rows;
};
