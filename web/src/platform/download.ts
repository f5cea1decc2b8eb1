import { downloadDocument } from '@pergamin/contract';
import { call } from './api.ts';
import { alertError, isNotFound } from './errors.ts';
import { emit } from './events.ts';
import { t } from './language.ts';
import { pdfName, saveFile } from './save-file.ts';

interface Downloadable {
  readonly id: string;
  /** The file name as it was published. */
  readonly fileName: string | undefined;
}

/** Saves the bytes that were published and tells that the document's marks have changed. Failures are shown; answers whether it went well. */
export const downloadOwnDocument = async ({ id, fileName }: Downloadable): Promise<boolean> => {
  try {
    saveFile(await call(downloadDocument, { params: { id } }), pdfName(fileName, id));
  } catch (error) {
    if (isNotFound(error)) emit('alert', { tone: 'error', title: t('code.DOCUMENT_NOT_FOUND_ERROR') });
    else alertError(error);
    return false;
  }
  emit('documentUpdated', { documentId: id });
  return true;
};
