import type { Publication, PublishedDocument } from '@pergamin/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { PublicationValues } from '#features/metadata/metadata.door.ts';
import type { Database } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import type { StoredObject } from '#platform/objects/objects.ts';
import type { PdfInspection } from '#platform/pdf/pdf-pool.ts';
import { kindOf, packPageSizes } from './documents.rules.ts';

/** A document that is complete, but that nobody can see yet. */
export interface DocumentDraft {
  readonly id: string;
  readonly description: Pick<Publication, 'type' | 'cif' | 'cif2' | 'groupId' | 'uniqueName' | 'addedBy'>;
  readonly values: PublicationValues;
  readonly object: StoredObject;
  readonly inspection: Pick<PdfInspection, 'pages' | 'sizes' | 'flags'>;
  readonly publisher: Pick<PublisherCaller, 'name' | 'demo'>;
  /** One more than that of the document whose place it takes; 1 when left out. */
  readonly version?: number;
}

export interface PublishedBefore {
  readonly document: Omit<PublishedDocument, 'repeated'>;
  readonly uniqueName: string | null;
  /** Nothing has replaced it. */
  readonly isLatest: boolean;
  readonly isDemo: boolean;
}

export const insertDraft = async (trx: Transaction<Database>, draft: DocumentDraft): Promise<void> => {
  const { id, description, values, object, inspection, publisher, version = 1 } = draft;
  const { columns, meta, searchText } = values;
  const { type } = description;
  await trx
    .insertInto('document')
    .values({
      ...columns,
      id,
      type,
      kind: kindOf({ type, marker: columns.marker }),
      cif: description.cif ?? null,
      cif2: description.cif2 ?? null,
      group_id: description.groupId ?? null,
      unique_name: description.uniqueName ?? null,
      version,
      added_by: description.addedBy ?? columns.added_by,
      published_by: publisher.name,
      object_key: object.key,
      sha256: object.sha256,
      size: object.size,
      page_count: inspection.pages,
      page_sizes: JSON.stringify(packPageSizes(inspection.sizes)),
      meta: JSON.stringify(meta),
      search_text: searchText,
      pdf_flags: inspection.flags,
      demo: publisher.demo,
    })
    .execute();
};

/** What lists are searched and sorted by; `listed_values` in the schema says what each is of a document. */
export const listedColumns = [
  'first_cif',
  'second_cif',
  'search_text',
  'account_key',
  'case_key',
  'product_group',
  'st_number_key',
  'st_doc_type',
  'pub_name_key',
  'pub_duration_key',
  'pub_product_group',
  'file_key',
  'extension_key',
  'bar_number',
  'expires_on',
  'retention_date',
  'size',
  'version',
  'state',
  'is_locked',
  'reg_date',
  'st_date',
  'st_period_start',
  'st_period_end',
  'sha256',
] as const;

/**
 * The one step by which documents become visible: publication times, register rows and deliveries with all that lists need appear
 * together, or not at all. A list's own date (D13) is REG_DATE, of statements ST_DATE, else the day of publication where the organisation is.
 */
export const release = async (
  trx: Transaction<Database>,
  documentIds: readonly string[],
  { at, timeZone }: { at: Date; timeZone: string },
): Promise<void> => {
  await sql`
    with released as (
      update document set published_at = ${at}::timestamptz
      where id = any(${documentIds}::uuid[]) and published_at is null
      returning *, document as doc
    ),
    registered as (
      insert into publication (document_id, sha256, cif, cif2, group_id, size, at)
      select id, sha256, cif, cif2, group_id, size, ${at}::timestamptz from released
    ),
    delivered as (
      insert into delivery (principal, document_id, kind, published_at, listed_on, content_key, ${sql.raw(listedColumns.join(', '))})
      select recipient.principal, id, kind, ${at}::timestamptz,
        coalesce(
          nullif(case kind when 'statement' then released.st_date else released.reg_date end, 'infinity'),
          (${at}::timestamptz at time zone ${timeZone}::text)::date
        ), content_key(released.sha256), ${sql.raw(listedColumns.map((name) => `listed.${name}`).join(', '))}
      from released cross join lateral listed_values(doc) as listed cross join lateral (
        select 'cif:' || cif as principal where type = 'PRIVATE'
        union select 'cif:' || cif2 where type = 'PRIVATE' and cif2 is not null
        union select 'group:' || group_id where type = 'GROUP'
        union select 'public' where type = 'PUBLIC'
      ) as recipient
    )
    select`.execute(trx);
};

/** By the publisher's name of it, or by the document that it replaced. */
export type PublishedAs = { readonly uniqueName: string } | { readonly replaces: string };

/** All that were published so, the earliest version first; drafts are not among them. */
export const findPublished = async (db: Kysely<Database>, as: PublishedAs): Promise<PublishedBefore[]> => {
  const documents = db
    .selectFrom('document')
    .select(['id', 'unique_name', 'sha256', 'size', 'page_count', 'published_at', 'pdf_flags', 'successor', 'demo'])
    .where('published_at', 'is not', null);
  const rows = await (
    'uniqueName' in as
      ? documents.where('unique_name', '=', as.uniqueName).orderBy('version')
      : documents.where('id', '=', (one) => one.selectFrom('document').select('successor').where('id', '=', as.replaces))
  ).execute();
  return rows.flatMap(({ published_at: publishedAt, page_count: pageCount, pdf_flags: flags, successor, ...row }) => {
    const { id, sha256, size, unique_name: uniqueName, demo: isDemo } = row;
    if (publishedAt === null) return [];
    const document = { id, sha256, size, pageCount, publishedAt: publishedAt.getTime(), flags };
    return [{ document, uniqueName, isLatest: successor === null, isDemo }];
  });
};
