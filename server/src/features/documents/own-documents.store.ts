import type { CheckStatus, DocumentSeal } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Db, PageSize } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { callersPrincipals, closedAt, deliveredContent, isRead, ownDocuments, readAt } from '#features/deliveries/deliveries.door.ts';
import { type MarkedRow, metadataRowColumns } from '#features/metadata/metadata.door.ts';
import { PortalError } from '#platform/http/errors.ts';

/** A document that the caller may know of, with its publication and the caller's marks. `published_at`: as the register has it, which nothing changes unnoticed. */
export interface OwnDocument extends MarkedRow {
  readonly group_id: string | null;
  readonly object_key: string;
  readonly page_count: number;
  readonly page_sizes: PageSize[];
  /** Which of the caller's principals it was delivered to. */
  readonly principals: string[];
  /** What was published; null only when the register lost it. */
  readonly registered: { sha256: string; size: number; cif: string | null; cif2: string | null; group_id: string | null } | null;
  readonly seal: DocumentSeal | null;
  readonly opened_at: Date | null;
  /** Recorded as read by an earlier release, when not all of its pages were reached. */
  readonly closed_at: Date | null;
  readonly pages: number[] | null;
  /** Of those: the ones that could not be shown. */
  readonly pages_not_shown: number[] | null;
}

/** The identity that documents are read with; `everybody` without a session. */
export type Reader = Pick<ClientCaller, 'personalId' | 'cif' | 'cif2'>;

const documentColumns = sql.join(
  [
    ...metadataRowColumns.filter((name) => name !== 'published_at'),
    'group_id',
    'object_key',
    'page_count',
    'page_sizes',
    'corrupted',
    'seal',
  ].map((name) => sql.ref(`document.${name}`)),
);

/** A caller without a session: owns nothing, belongs to no group, marks nothing. No client has an empty number. */
export const everybody: Reader = { personalId: '', cif: '', cif2: null };

/** Undefined for any other than a public one. */
export const findPublicDocument = async (db: Db, id: string): Promise<OwnDocument | undefined> => {
  const document = await findOwnDocument(db, everybody, id);
  return document?.type === 'PUBLIC' ? document : undefined;
};

/** Whether everybody may see the document of this id. */
export const isPublicDocument = async (db: Db, id: string): Promise<boolean> => (await findPublicDocument(db, id)) !== undefined;

/** Random, foreign and deleted ids take the same way through the same statement, and find nothing. In no order. */
export const findOwnDocuments = async (db: Db, caller: Reader, ids: readonly string[]): Promise<OwnDocument[]> => {
  const { rows } = await sql<OwnDocument>`
    with ${ownDocuments(caller, ids)}
    select document.id, ${documentColumns}, coalesce(publication.at, document.published_at) as published_at, own.principals, mark.opened_at,
      ${sql.raw(readAt('mark', 'document.page_count'))} as read_at,
      ${sql.raw(closedAt('mark', 'document.page_count'))} as closed_at, mark.downloaded_at, mark.pages, mark.pages_not_shown,
      case when publication.document_id is not null then json_build_object(
        'sha256', publication.sha256, 'size', publication.size,
        'cif', publication.cif, 'cif2', publication.cif2, 'group_id', publication.group_id
      ) end as registered
    from own
    join document on document.id = own.id
    left join publication on publication.document_id = own.id
    left join document_mark mark on mark.document_id = own.id and mark.personal_id = ${caller.personalId}`.execute(db);
  return rows;
};

export const findOwnDocument = async (db: Db, caller: Reader, id: string): Promise<OwnDocument | undefined> =>
  (await findOwnDocuments(db, caller, [id]))[0];

/** Throws DOCUMENT_NOT_FOUND_ERROR for one that is not the caller's, for every reason alike. */
export const getOwnDocument = async (db: Db, caller: Reader, id: string): Promise<OwnDocument> =>
  orNotFound(await findOwnDocument(db, caller, id));

export const orNotFound = (document: OwnDocument | undefined): OwnDocument => {
  if (document === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
  return document;
};

/**
 * Which documents were delivered to the caller, or to everybody, with this content; the newest first, at most `limit`. Rows of others are not
 * read, so the answer for an unknown checksum takes the same time. Whether they may still be seen is for `ownDocuments` to say.
 */
export const findDeliveredContent = async (
  db: Db,
  caller: Reader,
  { sha256, limit }: { sha256: string; limit: number },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with ${callersPrincipals(caller)},
    delivered as (${deliveredContent(sha256)})
    select delivered.document_id as id
    from delivered
    join document on document.id = delivered.document_id
    left join publication on publication.document_id = delivered.document_id
    where coalesce(publication.sha256, document.sha256) = ${sha256}
    group by delivered.document_id
    order by max(delivered.published_at) desc, delivered.document_id desc
    limit ${limit}::int`.execute(db);
  return rows.map(({ id }) => id);
};

export interface ReachedPage {
  readonly id: string;
  readonly page: number;
  /** False: the viewer said in its place that it cannot be shown. */
  readonly isShown: boolean;
  readonly at: Date;
}

/**
 * Undefined: not the caller's. Else the number of pages it has; the page is marked when it is one of them, once, with the time when it was first
 * shown. One that could not be shown may be shown later, until the document is read.
 */
export const markOwnPage = async (db: Db, caller: Reader, { id, page, isShown, at }: ReachedPage): Promise<number | undefined> => {
  const isReadAlready = sql.raw(isRead('document_mark', '(select page_count from own)'));
  const { rows } = await sql<{ page_count: number }>`
    with ${ownDocuments(caller, [id])},
    marked as (
      insert into document_mark (personal_id, document_id, pages, pages_not_shown, page_times)
      select ${caller.personalId}, id, array[${page}::int], case when ${isShown} then '{}' else array[${page}::int] end,
        ${isShown ? { [page]: at.getTime() } : {}}::jsonb
      from own where page_count >= ${page}::int
      on conflict (personal_id, document_id) do update set
        pages = array(select distinct page from unnest(document_mark.pages || excluded.pages) as reached (page) order by page),
        pages_not_shown = case
          when ${isReadAlready} then document_mark.pages_not_shown
          when ${isShown} then array_remove(document_mark.pages_not_shown, ${page}::int)
          else array(select page from unnest(document_mark.pages_not_shown || excluded.pages_not_shown) as bad (page) order by page)
        end,
        page_times = excluded.page_times || document_mark.page_times
        where not document_mark.pages @> excluded.pages
          or ${isShown} and not ${isReadAlready} and document_mark.pages_not_shown @> excluded.pages
    )
    select page_count from own`.execute(db);
  return rows[0]?.page_count;
};

export interface ReadDocument {
  readonly type: 'PRIVATE' | 'GROUP' | 'PUBLIC';
  readonly uniqueName: string | null;
  /** It became read by this. */
  readonly isFirst: boolean;
}

/**
 * Undefined: not the caller's. Marked as read when the caller has marked every page, also by a call that ends while this one waits for it, and not
 * before; the first time is kept.
 */
export const markOwnRead = async (db: Db, caller: Reader, { id, at }: { id: string; at: Date }): Promise<ReadDocument | undefined> => {
  const { rows } = await sql<ReadDocument>`
    with ${ownDocuments(caller, [id])},
    marked as (
      update document_mark mark set read_at = ${at}::timestamptz from own
      where mark.document_id = own.id and mark.personal_id = ${caller.personalId} and mark.read_at is null
        and cardinality(mark.pages) >= own.page_count
      returning mark.document_id
    )
    select document.type, document.unique_name as "uniqueName", marked.document_id is not null as "isFirst"
    from own join document on document.id = own.id left join marked on marked.document_id = own.id`.execute(db);
  return rows[0];
};

/** Those of them that are the caller's: they are marked, and the first time is kept. */
export const markOwnDocuments = async (
  db: Db,
  caller: Reader,
  { ids, mark, at }: { ids: readonly string[]; mark: 'opened_at' | 'downloaded_at'; at: Date },
): Promise<void> => {
  const column = sql.ref(mark);
  await sql`
    with ${ownDocuments(caller, ids)}
    insert into document_mark (personal_id, document_id, ${column})
    select ${caller.personalId}, id, ${at}::timestamptz from own order by id
    on conflict (personal_id, document_id) do update set ${column} = excluded.${column} where document_mark.${column} is null`.execute(db);
};

/** The client's own verification of a document. Of each outcome the first time is kept. */
export const markOwnVerification = async (
  db: Db,
  caller: Reader,
  { id, outcome, at }: { id: string; outcome: CheckStatus; at: Date },
): Promise<void> => {
  await sql`
    with ${ownDocuments(caller, [id])}
    insert into document_mark (personal_id, document_id, verified)
    select ${caller.personalId}, id, ${{ [outcome]: at.getTime() }}::jsonb from own
    on conflict (personal_id, document_id) do update set verified = excluded.verified || document_mark.verified
      where not document_mark.verified ? ${outcome}`.execute(db);
};
