import {
  downloadDocument,
  downloadPublicDocument as downloadPublic,
  downloadSentDocument as downloadSent,
  getPublicReceipt,
  getReceipt,
  getSentReceipt,
} from '@pergamin/contract';
import { call } from './api.ts';
import { alertError, isNotFound } from './errors.ts';
import { emit } from './events.ts';
import { t } from './language.ts';
import { pdfName, saveFile } from './save-file.ts';

export interface Downloadable {
  readonly id: string;
  /** The file name as it was published. */
  readonly fileName: string | undefined;
}

/** Saves the bytes that were published and tells that the document's marks have changed, or that it is gone. Failures are shown; answers whether it went well. */
export const downloadOwnDocument = (document: Downloadable): Promise<boolean> =>
  save(
    nameOf(document),
    () => call(downloadDocument, { params: { id: document.id } }),
    () => emit('documentUpdated', { documentId: document.id }),
  );

/** The same for a public document; no marks change. */
export const downloadPublicDocument = (document: Downloadable): Promise<boolean> =>
  save(nameOf(document), () => call(downloadPublic, { params: { id: document.id } }));

export const downloadSentDocument = (document: Downloadable): Promise<boolean> =>
  save(nameOf(document), () => call(downloadSent, { params: { id: document.id } }));

const receiptCalls = { own: getReceipt, sent: getSentReceipt, public: getPublicReceipt } as const;

/** Saves the receipt of a document, which proves its delivery without the portal. */
export const downloadReceipt = (kind: keyof typeof receiptCalls, document: Downloadable): Promise<boolean> =>
  save(`${nameOf(document)}.tlog-proof`, () => call(receiptCalls[kind], { params: { id: document.id } }));

const nameOf = ({ id, fileName }: Downloadable): string => pdfName(fileName, id);

const save = async (name: string, fetchBytes: () => Promise<Blob>, onNews?: () => void): Promise<boolean> => {
  try {
    saveFile(await fetchBytes(), name);
    onNews?.();
    return true;
  } catch (error) {
    if (isNotFound(error)) {
      emit('alert', { tone: 'error', title: t('code.DOCUMENT_NOT_FOUND_ERROR') });
      onNews?.();
    } else alertError(error);
    return false;
  }
};
