import type { Readable } from 'node:stream';
import { checkLimits, type DocumentDetails } from '@pergamin/contract';
import { findReading, setCorrupted } from '#features/documents/checking/checks.store.ts';
import { openVerified } from '#features/documents/checking/open-verified.ts';
import type { ReadAgain } from '#features/documents/checking/readings.ts';
import { assertSound } from '#features/documents/checking/sound.ts';
import { everybody, findPublicDocument, type OwnDocument, orNotFound } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ByteRange } from '#platform/http/byte-range.ts';
import { PortalError } from '#platform/http/errors.ts';
import { readDetails } from './details.ts';
import type { ReceiptFile } from './reading.service.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'objects' | 'ledger' | 'metadata' | 'clock' | 'log'> {
  readonly readAgain: ReadAgain;
}

export interface PublicFile {
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
  /** All of it, hashed on the way: the last bytes follow only when the others were right. */
  open(): Promise<Readable>;
  /** A byte range of a file that was verified at most ten minutes ago; otherwise all of it is read and hashed first. */
  openPart(range: ByteRange): Promise<Readable>;
}

/** Public documents for people without a session. Throws DOCUMENT_NOT_FOUND_ERROR for any other, and STORAGE_ERROR for a damaged one. */
export type PublicDocuments = ReturnType<typeof createPublicDocuments>;

export const createPublicDocuments = (parts: Parts) => {
  const { db, objects, readAgain, clock, log } = parts;
  const get = async (id: string): Promise<OwnDocument> => orNotFound(await findPublicDocument(db, id));

  const requireSound = async ({ id, object_key: objectKey }: OwnDocument, sha256: string): Promise<void> => {
    const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
    const reading = (await findReading(db, { id, since })) ?? (await readAgain(id, objectKey));
    if (reading.sha256 === sha256) return;
    if (reading.sha256 !== undefined) await setCorrupted(db, { id, corrupted: true });
    log.error({ alarm: 'corrupted', documentId: id, found: reading.sha256, expected: sha256 }, 'stored bytes are not those published');
    throw new PortalError('STORAGE_ERROR', { cause: new Error(`document ${id} is corrupted`) });
  };

  return {
    get: async (id: string): Promise<DocumentDetails> => readDetails(parts, everybody, await get(id)),

    async getReceipt(id: string): Promise<ReceiptFile> {
      const { file_name: fileName, principals } = await get(id);
      return { fileName, text: await parts.ledger.receiptOf(id, principals) };
    },

    async getFile(id: string): Promise<PublicFile> {
      const document = assertSound(await get(id), log);
      const { sha256, size } = document.registered ?? document;
      return {
        fileName: document.file_name,
        size,
        sha256,
        open: () => openVerified(parts, document),
        async openPart(range) {
          await requireSound(document, sha256);
          return objects.open(document.object_key, range);
        },
      };
    },
  };
};
