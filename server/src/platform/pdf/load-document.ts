import { checkCrossReferences } from './cross-reference-check.ts';
import { hideCrossReferences } from './cross-references.ts';
import { PdfError } from './pdf.errors.ts';
import type { Pdfium } from './pdfium.ts';
import { isCountedFromStart } from './table-positions.ts';

interface Loaded {
  readonly handle: number;
  /** Its tables were damaged, and were rebuilt. */
  readonly isRepaired: boolean;
}

/**
 * Loads a file that lies in the engine's memory, where it is changed when the engine is to rebuild its table: an entry leads elsewhere, or it cannot
 * be known whether it does. Throws ENCRYPTED and BROKEN.
 */
export const loadDocument = (pdfium: Pdfium, file: { readonly address: number; readonly length: number }): Loaded => {
  const { api } = pdfium;
  const bytes = (): Buffer => Buffer.from(pdfium.bytes().buffer, file.address, file.length);
  const load = (): number => {
    const handle = api.FPDF_LoadMemDocument(file.address, file.length, '');
    if (handle === 0) throw openingFailed(api.FPDF_GetLastError());
    return handle;
  };
  const isRebuilt = (handle: number): boolean => !api.FPDF_DocumentHasValidCrossReferenceTable(handle);

  const state = checkCrossReferences(bytes());
  if (state === 'wrong') hideCrossReferences(bytes());
  const handle = load();
  if (state !== 'unread' || isRebuilt(handle))
    return { handle, isRepaired: state === 'wrong' || (isRebuilt(handle) && !isCountedFromStart(bytes())) };
  api.FPDF_CloseDocument(handle);
  hideCrossReferences(bytes());
  return { handle: load(), isRepaired: true };
};

function openingFailed(error: number): PdfError {
  const passwordNeeded = 4;
  const unknownSecurity = 5;
  if (error === passwordNeeded || error === unknownSecurity) return new PdfError('ENCRYPTED', 'a password is needed');
  return new PdfError('BROKEN', `the document cannot be opened (${error})`);
}
