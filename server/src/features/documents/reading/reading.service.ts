import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { calls, type DocumentDetails, type FilePurpose } from '@pergamin/contract';
import { openVerified } from '#features/documents/checking/open-verified.ts';
import { assertSound } from '#features/documents/checking/sound.ts';
import {
  getOwnDocument,
  markOwnDocuments,
  markOwnPage,
  markOwnRead,
  type ReachedPage,
  type ReadDocument,
} from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ShownPdf } from '#features/rendering/rendering.door.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { KeptFile } from '#platform/http/file-answer.ts';
import { requireAllPages } from '#platform/pdf/require-all-pages.ts';
import { readDetails } from './details.ts';

export interface ReceiptFile {
  /** Of the document. */
  readonly fileName: string;
  readonly text: string;
}

interface FileRequest {
  readonly id: string;
  readonly purpose: FilePurpose;
  /**
   * Where the bytes go. The mark of a download or an opening is set when it has taken all but the last one (D10), so that a client who has the
   * whole file finds it marked. A part sets it when the client has the whole file with it.
   */
  readonly target: Writable;
}

/** Throws as `markRead`. */
const recordReading = async (on: Db, caller: ClientCaller, read: { id: string; at: Date }): Promise<ReadDocument> => {
  const marked = await markOwnRead(on, caller, read);
  if (marked === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
  if (marked.isFirst) return marked;
  const { page_count: pageCount, pages } = await getOwnDocument(on, caller, read.id);
  requireAllPages({ pageCount, pages: pages ?? [] });
  return marked;
};

/**
 * One document of the caller: its details, its pages, its bytes, and the caller's marks. Every method throws
 * DOCUMENT_NOT_FOUND_ERROR for a document that is not the caller's, for every reason alike, and STORAGE_ERROR instead of showing or handing out
 * one whose stored bytes are no longer those that were published (D18).
 */
export type Reading = ReturnType<typeof createReading>;

export const createReading = (
  parts: Pick<DocumentsParts, 'db' | 'objects' | 'ledger' | 'metadata' | 'notifications' | 'webhooks' | 'clock' | 'log'>,
) => {
  const { db, webhooks, clock, log } = parts;

  const markTaken = async (caller: ClientCaller, { id, purpose, target }: FileRequest): Promise<void> => {
    // A connection that breaks is as good as closed.
    if (target.writableNeedDrain) await Promise.race([once(target, 'drain'), once(target, 'close')]).catch(() => undefined);
    if (target.destroyed) return;
    try {
      const mark = purpose === 'download' ? 'downloaded_at' : 'opened_at';
      await markOwnDocuments(db, caller, { ids: [id], mark, at: clock.now() });
    } catch (error) {
      // The bytes are right and on their way.
      log.error({ err: error, documentId: id, purpose }, 'a file that was taken could not be marked');
    }
  };

  const recordAndTell = async (trx: Trx, caller: ClientCaller, read: { id: string; at: Date }): Promise<void> => {
    const { type, uniqueName, isFirst } = await recordReading(trx, caller, read);
    if (!isFirst || type === 'PUBLIC') return;
    const { id } = read;
    const { personalId } = caller;
    await webhooks.tell(trx, [{ type: 'document.read', createdOn: read.at.getTime(), document: { id, uniqueName }, personalId }]);
  };

  return {
    get: async (caller: ClientCaller, id: string): Promise<DocumentDetails> =>
      readDetails(parts, caller, await getOwnDocument(db, caller, id)),

    async getShown(caller: ClientCaller, id: string): Promise<ShownPdf> {
      const { object_key: objectKey, sha256, page_count: pages } = assertSound(await getOwnDocument(db, caller, id), log);
      return { id, objectKey, sha256, pages, imagePath: calls.getPageImage.path, client: caller.personalId };
    },

    async getFile(caller: ClientCaller, request: FileRequest): Promise<KeptFile> {
      const document = assertSound(await getOwnDocument(db, caller, request.id), log);
      const { size, sha256 } = document.registered ?? document;
      const beforeLast = () => markTaken(caller, request);
      const open: KeptFile['open'] = (part) =>
        openVerified(parts, document, { range: part?.range, beforeLast: part === undefined || part.completes ? beforeLast : undefined });
      return { id: request.id, fileName: document.file_name, size, sha256, open };
    },

    async getReceipt(caller: ClientCaller, id: string): Promise<ReceiptFile> {
      const { file_name: fileName, principals } = await getOwnDocument(db, caller, id);
      return { fileName, text: await parts.ledger.receiptOf(id, principals) };
    },

    /** Throws RESOURCE_NOT_FOUND for a page that the document does not have. */
    async markPage(caller: ClientCaller, reached: Omit<ReachedPage, 'at'>): Promise<void> {
      const pageCount = await markOwnPage(db, caller, { ...reached, at: clock.now() });
      if (pageCount === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
      if (reached.page > pageCount) throw new PortalError('RESOURCE_NOT_FOUND');
    },

    /** Settles the notification of it, too. Throws INVALID_STATUS, with the pages that are missing, unless the caller has marked every page. */
    async markRead(caller: ClientCaller, id: string): Promise<void> {
      const read = { id, at: clock.now() };
      if (webhooks.wants('document.read')) await db.transaction().execute((trx) => recordAndTell(trx, caller, read));
      else await recordReading(db, caller, read);
      await parts.notifications.settleDocument(caller, id);
    },
  };
};
