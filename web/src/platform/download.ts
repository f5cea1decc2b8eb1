import { downloadDocument, downloadPublicDocument as downloadPublic, downloadSentDocument as downloadSent } from '@pergamin/contract';
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
export const downloadOwnDocument = async (document: Downloadable): Promise<boolean> => {
  const tell = (): void => emit('documentUpdated', { documentId: document.id });
  const isSaved = await save(document, () => call(downloadDocument, { params: { id: document.id } }), tell);
  if (isSaved) tell();
  return isSaved;
};

/** The same for a public document; no marks change. */
export const downloadPublicDocument = (document: Downloadable): Promise<boolean> =>
  save(document, () => call(downloadPublic, { params: { id: document.id } }));

/** The same for a document that the person has sent. */
export const downloadSentDocument = (document: Downloadable): Promise<boolean> =>
  save(document, () => call(downloadSent, { params: { id: document.id } }));

const save = async ({ id, fileName }: Downloadable, fetchBytes: () => Promise<Blob>, onGone?: () => void): Promise<boolean> => {
  try {
    saveFile(await fetchBytes(), pdfName(fileName, id));
    return true;
  } catch (error) {
    if (isNotFound(error)) {
      emit('alert', { tone: 'error', title: t('code.DOCUMENT_NOT_FOUND_ERROR') });
      onGone?.();
    } else alertError(error);
    return false;
  }
};
