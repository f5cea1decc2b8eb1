import type { Pdfium } from './pdfium.ts';

/** A page whose form fields and notes have become content, behind what was its content. */
export interface Flattened {
  readonly document: number;
  readonly page: number;
  readonly text: number;
  /** The first letter that is not of the page's own content. */
  readonly from: number;
}

/** Annotations that show no words of their own (ISO 32000-2, 12.5.6). */
const wordless: ReadonlySet<number> = new Set([2 /* link */, 16 /* pop-up */]);
const freeText = 3;
const normalAppearance = 0;
const forTheScreen = 0;
/** Of one page: more are read as if there were none of the rest. */
const maxAnnotations = 10_000;

/**
 * Reads the words of form fields and notes, which are drawn but are no content of a page: the engine turns them into content in a second
 * opening of the same bytes, since the first one is drawn from. `read` is not called for a page without them.
 */
export function createAnnotationReader(pdfium: Pdfium, source: { readonly address: number; readonly length: number }) {
  const { api } = pdfium;
  let copy: { document: number; form: number } | undefined;

  function openCopy(): { document: number; form: number } {
    const document = api.FPDF_LoadMemDocument(source.address, source.length, '');
    return { document, form: document === 0 ? 0 : api.PDFiumExt_InitFormFillEnvironment(document, api.PDFiumExt_OpenFormFillInfo()) };
  }

  function flatten(page: number): void {
    const { document, form } = (copy ??= openCopy());
    const loaded = api.FPDF_LoadPage(document, page);
    if (loaded === 0) return;
    // Fields that were filled in without being drawn get their appearance here.
    api.FORM_OnAfterLoadPage(loaded, form);
    api.FPDFPage_Flatten(loaded, forTheScreen);
    api.FORM_OnBeforeClosePage(loaded, form);
    api.FPDF_ClosePage(loaded);
  }

  return <T>(index: number, own: { page: number; text: number }, read: (flattened: Flattened) => T): T | undefined => {
    if (!saysMore(pdfium, own.page)) return undefined;
    flatten(index);
    const document = copy?.document ?? 0;
    const page = document === 0 ? 0 : api.FPDF_LoadPage(document, index);
    if (page === 0) return undefined;
    const text = api.FPDFText_LoadPage(page);
    try {
      return text === 0 ? undefined : read({ document, page, text, from: Math.max(0, api.FPDFText_CountChars(own.text)) });
    } finally {
      if (text !== 0) api.FPDFText_ClosePage(text);
      api.FPDF_ClosePage(page);
    }
  };
}

/** Whether there is a free text note without an appearance. */
export function lacksAppearance(pdfium: Pdfium, page: number): boolean {
  const { api } = pdfium;
  return hasAnnotation(pdfium, page, (annotation) => {
    return api.FPDFAnnot_GetSubtype(annotation) === freeText && !api.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance);
  });
}

function saysMore(pdfium: Pdfium, page: number): boolean {
  return hasAnnotation(pdfium, page, (annotation) => !wordless.has(pdfium.api.FPDFAnnot_GetSubtype(annotation)));
}

function hasAnnotation({ api }: Pdfium, page: number, isSought: (annotation: number) => boolean): boolean {
  const count = Math.min(api.FPDFPage_GetAnnotCount(page), maxAnnotations);
  for (let index = 0; index < count; index++) {
    const annotation = api.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const isFound = isSought(annotation);
    api.FPDFPage_CloseAnnot(annotation);
    if (isFound) return true;
  }
  return false;
}
