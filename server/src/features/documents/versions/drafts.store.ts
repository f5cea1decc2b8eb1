import { type NotNull, sql } from 'kysely';
import type { Publication, PublishedDocument } from '@pergamin/contract';
import type { PublicationValues } from '#features/metadata/metadata.door.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
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

/** Visible to no client before its release. A unique name that is taken is the database's unique violation. */
export const insertDraft = async (trx: Trx, draft: DocumentDraft): Promise<void> => {
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

/** By the publisher's names of them, or by the document that was replaced. */
export type PublishedAs = { readonly uniqueNames: readonly string[] } | { readonly replaces: string };

/** All that were published so, the earliest version first; drafts are not among them. */
export const findPublished = async (db: Db, as: PublishedAs): Promise<PublishedBefore[]> => {
  const documents = db
    .selectFrom('document')
    .select(['id', 'unique_name', 'sha256', 'size', 'page_count', 'published_at', 'pdf_flags', 'successor', 'demo'])
    .where('published_at', 'is not', null)
    .$narrowType<{ published_at: NotNull }>();
  const rows = await (
    'uniqueNames' in as
      ? documents.where('unique_name', '=', sql<string>`any(${as.uniqueNames}::text[])`).orderBy('version')
      : documents.where('id', '=', (one) => one.selectFrom('document').select('successor').where('id', '=', as.replaces))
  ).execute();
  return rows.map(({ published_at: publishedAt, page_count: pageCount, pdf_flags: flags, successor, ...row }) => {
    const { id, sha256, size, unique_name: uniqueName, demo: isDemo } = row;
    const document = { id, sha256, size, pageCount, publishedAt: publishedAt.getTime(), flags };
    return { document, uniqueName, isLatest: successor === null, isDemo };
  });
};
