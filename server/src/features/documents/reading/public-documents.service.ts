import type { DocumentDetails } from '@pergamin/contract';
import { openVerified } from '#features/documents/checking/open-verified.ts';
import { assertSound } from '#features/documents/checking/sound.ts';
import { everybody, findPublicDocument, type OwnDocument, orNotFound } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { KeptFile } from '#platform/http/file-answer.ts';
import { readDetails } from './details.ts';
import type { ReceiptFile } from './reading.service.ts';

/** Public documents for people without a session. Throws DOCUMENT_NOT_FOUND_ERROR for any other, and STORAGE_ERROR for a damaged one. */
export type PublicDocuments = ReturnType<typeof createPublicDocuments>;

export const createPublicDocuments = (parts: Pick<DocumentsParts, 'db' | 'objects' | 'ledger' | 'metadata' | 'log'>) => {
  const { db, log } = parts;
  const get = async (id: string): Promise<OwnDocument> => orNotFound(await findPublicDocument(db, id));

  return {
    get: async (id: string): Promise<DocumentDetails> => readDetails(parts, everybody, await get(id)),

    async getReceipt(id: string): Promise<ReceiptFile> {
      const { file_name: fileName, principals } = await get(id);
      return { fileName, text: await parts.ledger.receiptOf(id, principals) };
    },

    async getFile(id: string): Promise<KeptFile> {
      const document = assertSound(await get(id), log);
      const { sha256, size } = document.registered ?? document;
      return { id, fileName: document.file_name, size, sha256, open: (part) => openVerified(parts, document, { range: part?.range }) };
    },
  };
};
