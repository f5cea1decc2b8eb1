import type { Pdfium } from './pdfium.ts';
import { removeHiddenObjects } from './shown-objects.ts';

/** A page that shows nothing but its form fields and notes. */
export interface Flattened {
  readonly document: number;
  readonly page: number;
  readonly text: number;
}

interface Source {
  readonly address: number;
  readonly length: number;
  /** Layers that are off are marked in it. */
  readonly hidesLayers: boolean;
}

/** Annotations that show no words of their own (ISO 32000-2, 12.5.6). */
const wordless: ReadonlySet<number> = new Set([2 /* link */, 16 /* pop-up */]);
const [freeText, widget] = [3, 20];
const [invisibleFlag, hiddenFlag, noViewFlag] = [1, 2, 32];
const normalAppearance = 0;
const forTheScreen = 0;
const flattened = 1;
/** Of one page: more are read as if there were none of the rest. */
const maxAnnotations = 10_000;

/**
 * Reads the words of form fields and notes, which are drawn but are no content of a page: the engine turns them into content in a second
 * opening of the same bytes, since the first one is drawn from. `read` is not called for a page without them.
 */
export function createAnnotationReader(pdfium: Pdfium, source: Source) {
  const { api } = pdfium;
  let copy: { document: number; form: number; scratch: number } | undefined;
  /** Of each page that was asked for, whether anything of it became content. */
  const known = new Map<number, boolean>();

  function openCopy(): { document: number; form: number; scratch: number } {
    const document = api.FPDF_LoadMemDocument(source.address, source.length, '');
    const form = document === 0 ? 0 : api.PDFiumExt_InitFormFillEnvironment(document, api.PDFiumExt_OpenFormFillInfo());
    return { document, form, scratch: pdfium.allocate(4 * 4) };
  }

  /** Answers whether any was. */
  function flatten(index: number): boolean {
    const { document, form, scratch } = (copy ??= openCopy());
    const page = document === 0 ? 0 : api.FPDF_LoadPage(document, index);
    if (page === 0) return false;
    let isAnySeen = false;
    for (const annotation of annotationsOf(pdfium, page)) {
      const isSeen = isDrawn(pdfium, annotation);
      const flags = api.FPDFAnnot_GetFlags(annotation) & ~(invisibleFlag | hiddenFlag);
      api.FPDFAnnot_SetFlags(annotation, isSeen ? flags : flags | hiddenFlag);
      isAnySeen ||= isSeen;
    }
    keepBox(pdfium, { page, scratch });
    // Fields that were filled in without being drawn get their appearance here.
    api.FORM_OnAfterLoadPage(page, form);
    const isDone = isAnySeen && api.FPDFPage_Flatten(page, forTheScreen) === flattened;
    api.FORM_OnBeforeClosePage(page, form);
    api.FPDF_ClosePage(page);
    return isDone;
  }

  return <T>(index: number, own: { page: number }, read: (flattened: Flattened) => T): T | undefined => {
    if (!saysMore(pdfium, own.page)) return undefined;
    const isFlattened = known.get(index) ?? flatten(index);
    known.set(index, isFlattened);
    if (!isFlattened) return undefined;
    const { document, scratch } = copy ?? openCopy();
    const page = api.FPDF_LoadPage(document, index);
    if (page === 0) return undefined;
    takeContentOff(pdfium, page);
    if (source.hidesLayers) removeHiddenObjects(pdfium, { page, scratch });
    const text = api.FPDFText_LoadPage(page);
    try {
      return text === 0 ? undefined : read({ document, page, text });
    } finally {
      if (text !== 0) api.FPDFText_ClosePage(text);
      api.FPDF_ClosePage(page);
    }
  };
}

/** The engine takes only a box that the page has itself, and not the one that it inherits. */
function keepBox(pdfium: Pdfium, { page, scratch }: { page: number; scratch: number }): void {
  const { api } = pdfium;
  if (!api.FPDF_GetPageBoundingBox(page, scratch)) return;
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => pdfium.numbers().getFloat32(scratch + offset, true));
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return;
  api.FPDFPage_SetMediaBox(page, left, bottom, right, top);
  api.FPDFPage_SetCropBox(page, left, bottom, right, top);
}

/** Takes everything off a page but its last object, into which the engine has put all of them. */
function takeContentOff({ api }: Pdfium, page: number): void {
  for (let left = api.FPDFPage_CountObjects(page); left > 1; left--) {
    const object = api.FPDFPage_GetObject(page, 0);
    if (api.FPDFPage_RemoveObject(page, object)) api.FPDFPageObj_Destroy(object);
  }
}

/** Whether there is a free text note without an appearance. */
export function lacksAppearance(pdfium: Pdfium, page: number): boolean {
  const { api } = pdfium;
  return hasAnnotation(pdfium, page, (annotation) => {
    return api.FPDFAnnot_GetSubtype(annotation) === freeText && !api.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance);
  });
}

/** Whether an annotation belongs to a layer: the engine draws it whether that is on or off. */
export function hasLayer(pdfium: Pdfium, page: number): boolean {
  return hasAnnotation(pdfium, page, (annotation) => pdfium.api.FPDFAnnot_HasKey(annotation, 'OC'));
}

/** Whether a form field or note that is not drawn holds words. `scratch` takes four bytes. */
export function hidesWords(pdfium: Pdfium, { page, scratch }: { page: number; scratch: number }): boolean {
  const { api } = pdfium;
  const textType = 1;
  const says = (annotation: number, key: string): boolean => api.FPDFAnnot_GetStringValue(annotation, key, scratch, 0) > emptyBytes;
  return hasAnnotation(pdfium, page, (annotation) => {
    if (wordless.has(api.FPDFAnnot_GetSubtype(annotation)) || isDrawn(pdfium, annotation)) return false;
    if (!api.EPDFAnnot_HasAppearanceStream(annotation, normalAppearance)) return says(annotation, 'Contents') || says(annotation, 'V');
    const objects = Array.from({ length: api.FPDFAnnot_GetObjectCount(annotation) }, (_, at) => api.FPDFAnnot_GetObject(annotation, at));
    return objects.some((object) => api.FPDFPageObj_GetType(object) === textType);
  });
}

/** Of an empty text, with its end. */
const emptyBytes = 2;

/** As the engine decides: it draws a note that only other readers would not know. */
function isDrawn({ api }: Pdfium, annotation: number): boolean {
  const flags = api.FPDFAnnot_GetFlags(annotation);
  const hiding = hiddenFlag | noViewFlag | (api.FPDFAnnot_GetSubtype(annotation) === widget ? invisibleFlag : 0);
  return (flags & hiding) === 0;
}

function saysMore(pdfium: Pdfium, page: number): boolean {
  return hasAnnotation(
    pdfium,
    page,
    (annotation) => !wordless.has(pdfium.api.FPDFAnnot_GetSubtype(annotation)) && isDrawn(pdfium, annotation),
  );
}

function hasAnnotation(pdfium: Pdfium, page: number, isSought: (annotation: number) => boolean): boolean {
  for (const annotation of annotationsOf(pdfium, page)) if (isSought(annotation)) return true;
  return false;
}

function* annotationsOf({ api }: Pdfium, page: number): Generator<number> {
  const count = Math.min(api.FPDFPage_GetAnnotCount(page), maxAnnotations);
  for (let index = 0; index < count; index++) {
    const annotation = api.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      yield annotation;
    } finally {
      api.FPDFPage_CloseAnnot(annotation);
    }
  }
}
