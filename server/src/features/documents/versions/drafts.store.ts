import { sql } from 'kysely';
import type { DocumentSeal, Publication, PublishedDocument } from '@pergamin/contract';
import type { PublicationValues } from '#features/metadata/metadata.door.ts';
import type { Database, Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import type { StoredObject } from '#platform/objects/objects.ts';
import type { PdfInspection } from '#platform/pdf/pdf-pool.ts';
import { packPageSizes } from '#platform/pdf/page-sizes.ts';
import { kindOf } from './kinds.rules.ts';

/** A document that is complete and not released yet, so no client sees it. */
export interface DocumentDraft {
  readonly id: string;
  readonly description: Pick<Publication, 'type' | 'cif' | 'cif2' | 'groupId' | 'uniqueName' | 'addedBy'>;
  readonly values: PublicationValues;
  readonly object: StoredObject;
  readonly inspection: Pick<PdfInspection, 'pages' | 'sizes' | 'flags'> & { readonly seal?: DocumentSeal | null };
  readonly publisher: Pick<PublisherCaller, 'keyId' | 'name' | 'demo'>;
  /** Of a document that is released with others. */
  readonly batch?: { readonly id: string; readonly position: number };
  /** One more than that of the document whose place it takes; 1 when left out. */
  readonly version?: number;
}

export interface PublishedBefore {
  /** Not visible before the ledger covers it, and without a moment until then. */
  readonly document: Omit<PublishedDocument, 'repeated' | 'publishedAt'> & { readonly publishedAt: number | null };
  readonly uniqueName: string | null;
  /** Nothing has replaced it. */
  readonly isLatest: boolean;
  readonly isDemo: boolean;
}

const rowOf = ({ id, description, values, object, inspection, publisher, version = 1, batch }: DocumentDraft) => {
  const { columns, meta, searchText } = values;
  const { type } = description;
  return {
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
    publisher_key_id: publisher.keyId,
    object_key: object.key,
    sha256: object.sha256,
    size: object.size,
    page_count: inspection.pages,
    page_sizes: packPageSizes(inspection.sizes),
    meta,
    search_text: searchText,
    pdf_flags: inspection.flags,
    seal: inspection.seal ?? null,
    demo: publisher.demo,
    batch_id: batch?.id ?? null,
    batch_position: batch?.position ?? null,
  } satisfies Partial<Record<keyof Database['document'], unknown>>;
};

/** One statement, however many. Visible to no client before their release. Gives the ids of those whose unique name was not taken. */
export const insertDrafts = async (trx: Trx, drafts: readonly DocumentDraft[]): Promise<ReadonlySet<string>> => {
  const rows = drafts.map(rowOf);
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  // By name, so that two that have names in common wait for one another in one direction.
  const { rows: inserted } = await sql<{ id: string }>`
    insert into document (${columns}) select ${columns} from json_populate_recordset(null::document, ${JSON.stringify(rows)}::json)
    order by unique_name
    on conflict (unique_name) where unique_name is not null and successor is null do nothing returning id`.execute(trx);
  return new Set(inserted.map(({ id }) => id));
};

export interface NamedDocument {
  readonly document: Omit<PublishedDocument, 'repeated' | 'publishedAt'> & { readonly publishedAt: number | null };
  readonly uniqueName: string | null;
  readonly batchId: string | null;
  readonly isDemo: boolean;
}

/** All that have these names, drafts and earlier versions among them. */
export const findNames = async (db: Db, uniqueNames: readonly string[]): Promise<NamedDocument[]> => {
  const rows = await db
    .selectFrom('document')
    .select(['id', 'unique_name', 'sha256', 'size', 'page_count', 'published_at', 'pdf_flags', 'batch_id', 'demo'])
    .where('unique_name', '=', sql<string>`any(${uniqueNames}::text[])`)
    .execute();
  return rows.map(({ published_at: publishedAt, page_count: pageCount, pdf_flags: flags, ...row }) => {
    const { id, sha256, size, unique_name: uniqueName, batch_id: batchId, demo: isDemo } = row;
    return { document: { id, sha256, size, pageCount, publishedAt: publishedAt?.getTime() ?? null, flags }, uniqueName, batchId, isDemo };
  });
};

/** When it became visible; null before. */
export const findMoment = async (db: Db, id: string): Promise<number | null> => {
  const row = await db.selectFrom('document').select('published_at').where('id', '=', id).executeTakeFirst();
  return row?.published_at?.getTime() ?? null;
};

/** By the publisher's names of them, or by the document that was replaced. */
export type PublishedAs = { readonly uniqueNames: readonly string[] } | { readonly replaces: string };

/** All that were published so, the earliest version first, and what the ledger is about to cover; drafts of batches are not among them. */
export const findPublished = async (db: Db, as: PublishedAs): Promise<PublishedBefore[]> => {
  const documents = db
    .selectFrom('document')
    .select(['id', 'unique_name', 'sha256', 'size', 'page_count', 'published_at', 'pdf_flags', 'successor', 'demo'])
    .where((column) => column.or([column('published_at', 'is not', null), column('batch_id', 'is', null)]));
  const rows = await (
    'uniqueNames' in as
      ? documents.where('unique_name', '=', sql<string>`any(${as.uniqueNames}::text[])`).orderBy('version')
      : documents.where('id', '=', (one) => one.selectFrom('document').select('successor').where('id', '=', as.replaces))
  ).execute();
  return rows.map(({ published_at: publishedAt, page_count: pageCount, pdf_flags: flags, successor, ...row }) => {
    const { id, sha256, size, unique_name: uniqueName, demo: isDemo } = row;
    const document = { id, sha256, size, pageCount, publishedAt: publishedAt?.getTime() ?? null, flags };
    return { document, uniqueName, isLatest: successor === null, isDemo };
  });
};
