import type { DocumentLock } from '@pergamin/contract';
import { findOwnDocument, findPublicDocument, orNotFound } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { tellLock } from '#platform/objects/told-lock.ts';

/** Throws DOCUMENT_NOT_FOUND_ERROR for a document that is neither public nor the caller's. */
export type FindDocumentLock = (caller: ClientCaller | undefined, id: string) => Promise<DocumentLock>;

/** What keeps the bytes of a document from being removed. */
export const createFindDocumentLock =
  (parts: Pick<DocumentsParts, 'db' | 'objects' | 'clock'>): FindDocumentLock =>
  async (caller, id) => {
    const document = caller === undefined ? await findPublicDocument(parts.db, id) : await findOwnDocument(parts.db, caller, id);
    return tellLock(parts, orNotFound(document).object_key);
  };
