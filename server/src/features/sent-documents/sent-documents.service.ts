import { calls, type DocumentLock, type SentDocument, type SentDocumentDetails, type SentQuery } from '@pergamin/contract';
import type { ShownPdf } from '#features/rendering/rendering.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { KeptFile } from '#platform/http/file-answer.ts';
import { tellLock } from '#platform/objects/told-lock.ts';
import { type Expected, verifiedBytes } from '#platform/objects/verified-bytes.ts';
import { unpackPageSizes } from '#platform/pdf/page-sizes.ts';
import type { SentDocumentsParts } from './parts.ts';
import { sentDocumentOf } from './sent-documents.rules.ts';
import { getOwnSent, listOwnSent, type SentRow, setSentCorrupted } from './sent-documents.store.ts';

type Parts = Pick<SentDocumentsParts, 'db' | 'objects' | 'log'>;

/**
 * What the caller has sent. Every method that names one throws DOCUMENT_NOT_FOUND_ERROR when it is not the caller's, for every reason alike, and
 * STORAGE_ERROR instead of showing or handing out one whose stored bytes are no longer those that were sent.
 */
export type SentDocuments = ReturnType<typeof createSentDocumentService>;

export const createSentDocumentService = (parts: Parts & Pick<SentDocumentsParts, 'ledger' | 'clock'>) => {
  const { db, ledger } = parts;
  return {
    /** Throws INVALID_DATE_RANGE when the end is before the start. */
    async list(caller: ClientCaller, query: SentQuery): Promise<{ items: SentDocument[]; total: number }> {
      const { createdOnAfter: after, createdOnBefore: before } = query.criteria;
      if (after !== null && before !== null && before < after) throw new PortalError('INVALID_DATE_RANGE');
      const { rows, total } = await listOwnSent(db, caller.personalId, query);
      return { items: rows.map(sentDocumentOf), total };
    },

    async get(caller: ClientCaller, id: string): Promise<SentDocumentDetails> {
      const sent = await getOwnSent(db, caller.personalId, id);
      const { size, pageCount } = sent;
      return { ...sentDocumentOf(sent), size, pageCount, pageSizes: unpackPageSizes(sent.pageSizes, pageCount) };
    },

    async getReceipt(caller: ClientCaller, id: string): Promise<{ fileName: string; text: string }> {
      const { filename: fileName, cif } = await getOwnSent(db, caller.personalId, id);
      return { fileName, text: await ledger.receiptOf(id, [`cif:${cif}`]) };
    },

    /** What keeps its bytes from being removed, asked of the store now. */
    findLock: async (caller: ClientCaller, id: string): Promise<DocumentLock> =>
      tellLock(parts, (await getOwnSent(db, caller.personalId, id)).objectKey),

    async getShown({ personalId }: ClientCaller, id: string): Promise<ShownPdf> {
      const { objectKey, sha256, pageCount: pages } = assertSound(await getOwnSent(db, personalId, id));
      return { id, objectKey, sha256, pages, imagePath: calls.getSentPageImage.path, client: personalId };
    },

    getFile: async (caller: ClientCaller, id: string): Promise<KeptFile> => sentFile(parts, await getOwnSent(db, caller.personalId, id)),
  };
};

const assertSound = (sent: SentRow): SentRow => {
  if (sent.corrupted) throw new PortalError('STORAGE_ERROR', { cause: new Error(`the sent document ${sent.id} is corrupted`) });
  return sent;
};

/** The bytes as they were sent; when the stored ones differ, the stream ends early, and an alarm is logged. */
export const sentFile = ({ db, objects, log }: Parts, sent: SentRow): KeptFile => {
  const { id, objectKey, sha256, size, filename: fileName } = assertSound(sent);
  const onWrong = async (found: Expected): Promise<Error> => {
    log.error({ alarm: 'corrupted', sentDocumentId: id, found, expected: { sha256, size } }, 'stored bytes are not those sent');
    await setSentCorrupted(db, id);
    return new PortalError('STORAGE_ERROR', { cause: new Error(`the sent document ${id} is corrupted`) });
  };
  const open: KeptFile['open'] = async (part) =>
    verifiedBytes(await objects.open(objectKey), { sha256, size, range: part?.range, onWrong });
  return { id, fileName, size, sha256, open };
};
