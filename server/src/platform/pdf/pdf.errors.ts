/**
 * Why a PDF was not accepted or not drawn.
 * - `NOT_A_PDF` the file does not begin with `%PDF-` (an empty one included), or holds data that are no part of a PDF
 * - `ENCRYPTED` a password is needed to open it
 * - `BROKEN` it cannot be parsed in time, or has no page
 * - `TOO_MANY_PAGES` it has more pages than the pool's limit
 * - `TOO_MUCH` its objects would take too long to inspect
 * - `UNDRAWABLE` a page has no size or cannot be read: another attempt would fail, too
 * - `RENDER_FAILED` a page could not be drawn within the limits of time and memory: another attempt may succeed
 */
export type PdfErrorCode = 'NOT_A_PDF' | 'ENCRYPTED' | 'BROKEN' | 'TOO_MANY_PAGES' | 'TOO_MUCH' | 'UNDRAWABLE' | 'RENDER_FAILED';

/** Thrown by the pool when a file is at fault, or a limit of time or memory was reached. */
export class PdfError extends Error {
  override readonly name = 'PdfError';
  readonly code: PdfErrorCode;
  /** In words, without the code. */
  readonly detail: string;

  constructor(code: PdfErrorCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

/** Thrown by waiting and running tasks when the pool is closed: the file is not at fault. */
export class PdfPoolClosed extends Error {
  override readonly name = 'PdfPoolClosed';

  constructor() {
    super('the PDF pool is closed');
  }
}
