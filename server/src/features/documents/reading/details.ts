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
    pagesReached: pagesReached(document),
    ...(document.seal === null ? {} : { seal: document.seal }),
  };
};

/** Until the document is read, a page that could not be shown is tried again. */
export const pagesReached = ({ read_at: readAt, pages, pages_not_shown: notShown }: OwnDocument): number[] =>
  readAt === null ? (pages ?? []).filter((page) => notShown?.includes(page) !== true) : (pages ?? []);
