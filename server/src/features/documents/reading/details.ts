import type { DocumentDetails } from '@pergamin/contract';
import { findOwnDocuments, type OwnDocument, type Reader } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import { findVersions } from '#features/documents/versions/successions.store.ts';
import { documentRowOf } from '#features/metadata/metadata.door.ts';
import { unpackPageSizes } from '#platform/pdf/page-sizes.ts';

/** The details of one own document. */
export const readDetails = async (
  { db, metadata }: Pick<DocumentsParts, 'db' | 'metadata'>,
  reader: Reader,
  document: OwnDocument,
): Promise<DocumentDetails> => {
  const [definitions, versions] = await Promise.all([
    metadata.definitions(),
    findVersions(db, document.id, (ids) => findOwnDocuments(db, reader, ids)),
  ]);
  return {
    ...versions,
    ...documentRowOf(document, definitions, reader),
    pageCount: document.page_count,
    pageSizes: unpackPageSizes(document.page_sizes, document.page_count),
    pagesReached: document.pages ?? [],
  };
};
