import type { AppearanceFlag, PageText, PdfFlag } from '@pergamin/contract';
import { findAppearanceFlags } from './appearance-flags.ts';
import { isOvergrown } from './engine-memory.ts';
import { hidesContent } from './hidden-content.ts';
import { loadDocument } from './load-document.ts';
import { hasLayer, lacksAppearance } from './page-annotations.ts';
import { createPageTextReader } from './page-text.ts';
import { PdfError } from './pdf.errors.ts';
import type { Pdfium } from './pdfium.ts';
import { createTextPages } from './text-pages.ts';

/** Pixels as R, G, B and an unused byte: a view of the engine's memory, valid until the next call of the document. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint32Array;
}

export interface PdfDocument {
  readonly pages: number;
  /** Parts of it are encrypted, though it opens without a password. */
  readonly encrypted: boolean;
  readonly version: string | undefined;
  /** In points and after rotation; undefined when the page tree promises a page that is not there. */
  sizeOf(page: number): { width: number; height: number } | undefined;
  /** Throws UNDRAWABLE for a page without size, and for one that cannot be read. */
  draw(page: number, width: number): Bitmap;
  /** The lines of `linesOf`, words that are broken between them joined: at most `maxTextLength` letters. Empty for a picture or an unreadable page. */
  textOf(page: number): string;
  /** What is seen, with the place of every letter. No line for an unreadable page. */
  linesOf(page: number): PageText;
  /** What the engine itself knows of scripts, attached files and XFA, and whether it rebuilt damaged tables. */
  flags(): PdfFlag[];
  /** Whether letters of its pages are guessed or missing. */
  appearance(): AppearanceFlag[];
  /** Whether its first pages hold words that nobody sees. */
  hidesContent(): boolean;
  /** A font, the appearance of a note or the meaning of a letter was missing on the pages that were read or drawn. */
  isIncomplete(): boolean;
  /** No table of the pages that were read tells what some letters mean, or notes of them belong to layers. */
  isUnclear(): boolean;
  /** Its objects in a new file without encryption, for inspection; the document is not to be used afterwards. Throws BROKEN. */
  decrypted(): Uint8Array;
  /** Its engine holds more memory than is to be kept for another page. */
  hasGrown(): boolean;
  /** Leaves the engine to another document. */
  close(): void;
}

interface Options {
  /** Layers that are off are marked in it, by hidden-layers.ts. */
  readonly hidesLayers: boolean;
}

export const maxPixelsPerPage = 16_000_000;
const maxTextLength = 100_000;
/** A dense page has 8 000 letters. */
const maxLettersWithPlaces = 40_000;

function openHandles(pdfium: Pdfium, file: Uint8Array) {
  const { api } = pdfium;
  const source = pdfium.allocate(file.length);
  pdfium.bytes().set(file, source);
  const { handle, isRepaired } = loadDocument(pdfium, { address: source, length: file.length });
  const formInfo = api.PDFiumExt_OpenFormFillInfo();
  const form = api.PDFiumExt_InitFormFillEnvironment(handle, formInfo);
  const scratch = pdfium.allocate(8);
  const close = (): void => {
    api.PDFiumExt_ExitFormFillEnvironment(form);
    api.PDFiumExt_CloseFormFillInfo(formInfo);
    api.FPDF_CloseDocument(handle);
    for (const address of [scratch, source]) pdfium.release(address);
  };
  return { source, handle, isRepaired, form, scratch, close };
}

/** Throws ENCRYPTED when a password is needed and BROKEN when the bytes cannot be parsed. */
export function openDocument(pdfium: Pdfium, file: Uint8Array, { hidesLayers }: Options = { hidesLayers: false }): PdfDocument {
  const { api } = pdfium;
  const { source, handle, isRepaired, form, scratch, close } = openHandles(pdfium, file);
  const pages = createPages(pdfium, handle);
  const withText = createTextPages(pdfium, {
    document: handle,
    address: source,
    length: file.length,
    hidesLayers,
    onLoaded: pages.note,
    onUnknownLetters: pages.noteUnknownLetters,
  });
  const readPage = createPageTextReader(pdfium);
  const read = (page: number, maxLetters: number): PageText =>
    withText(
      page,
      { language: null, lines: [] },
      (own) => own.readAnnotations(page - 1, own, (added) => readPage(own, { added, maxLetters })) ?? readPage(own, { maxLetters }),
    );
  const getPaper = createPaper(pdfium);

  return {
    pages: api.FPDF_GetPageCount(handle),
    encrypted: api.EPDF_IsEncrypted(handle),
    version: api.FPDF_GetFileVersion(handle, scratch) ? (pdfium.numbers().getInt32(scratch, true) / 10).toFixed(1) : undefined,

    sizeOf(page) {
      if (!api.FPDF_GetPageSizeByIndexF(handle, page - 1, scratch)) return undefined;
      const numbers = pdfium.numbers();
      return { width: numbers.getFloat32(scratch, true), height: numbers.getFloat32(scratch + 4, true) };
    },

    draw(page, width) {
      const loaded = pages.load(page);
      if (loaded === 0) throw new PdfError('UNDRAWABLE', `page ${page} cannot be read`);
      const size = pixelSize({ width: api.FPDF_GetPageWidthF(loaded), height: api.FPDF_GetPageHeightF(loaded) }, width);
      const { bitmap, address } = getPaper(size);
      api.FORM_OnAfterLoadPage(loaded, form);
      api.FPDF_RenderPageBitmap(bitmap, loaded, 0, 0, size.width, size.height, 0, drawFlags);
      api.FPDF_FFLDraw(form, bitmap, loaded, 0, 0, size.width, size.height, 0, drawFlags);
      const pixels = new Uint32Array(pdfium.bytes().buffer, address, size.width * size.height);
      api.FORM_OnBeforeClosePage(loaded, form);
      api.FPDF_ClosePage(loaded);
      return { ...size, pixels };
    },

    flags: () => [...flagsOf(pdfium, handle), ...(isRepaired ? (['REPAIRED'] as const) : [])],
    appearance: () => findAppearanceFlags(pdfium, handle),
    hidesContent: () => hidesContent(pdfium, { document: handle, hidesLayers }),
    isIncomplete: pages.isIncomplete,
    isUnclear: pages.isUnclear,

    decrypted: () => decrypt(pdfium, handle),
    hasGrown: () => isOvergrown({ engineBytes: pdfium.bytes().length, fileBytes: file.length }),
    close,

    textOf: (page) => asText(read(page, maxTextLength)),
    linesOf: (page) => read(page, maxLettersWithPlaces),
  };
}

function createPages(pdfium: Pdfium, handle: number) {
  let lacksNotes = false;
  let isUnclear = false;
  // Asked before the engine makes an appearance itself.
  const note = (loaded: number): void => {
    lacksNotes ||= lacksAppearance(pdfium, loaded);
    isUnclear ||= hasLayer(pdfium, loaded);
  };
  return {
    note,
    noteUnknownLetters: (): void => void (isUnclear = true),
    isUnclear: () => isUnclear,
    load: (page: number): number => {
      const loaded = pdfium.api.FPDF_LoadPage(handle, page - 1);
      if (loaded !== 0) note(loaded);
      return loaded;
    },
    isIncomplete: () => lacksNotes || isUnclear || pdfium.substitutes.size > 0,
  };
}

function decrypt(pdfium: Pdfium, handle: number): Uint8Array {
  const { api } = pdfium;
  const writer = api.PDFiumExt_OpenFileWriter();
  if (!api.EPDF_RemoveEncryption(handle) || api.PDFiumExt_SaveAsCopy(handle, writer) === 0)
    throw new PdfError('BROKEN', 'its encrypted parts cannot be read');
  const size = api.PDFiumExt_GetFileWriterSize(writer);
  const address = pdfium.allocate(size);
  api.PDFiumExt_GetFileWriterData(writer, address, size);
  api.PDFiumExt_CloseFileWriter(writer);
  return pdfium.bytes().slice(address, address + size);
}

function flagsOf({ api }: Pdfium, handle: number): PdfFlag[] {
  const form = api.FPDF_GetFormType(handle);
  return [
    ...(api.FPDFDoc_GetJavaScriptActionCount(handle) > 0 ? (['JAVASCRIPT'] as const) : []),
    ...(api.FPDFDoc_GetAttachmentCount(handle) > 0 ? (['EMBEDDED_FILE'] as const) : []),
    ...(form === xfaFull || form === xfaForeground ? (['XFA'] as const) : []),
  ];
}

/** A white bitmap for one page at a time. All pages reuse its memory: the engine would clear new memory, ten times as slow as filling it here. */
function createPaper(pdfium: Pdfium): (size: { width: number; height: number }) => { bitmap: number; address: number } {
  const { api } = pdfium;
  let memory = { address: 0, size: 0 };
  let bitmap = 0;

  function makeRoom(size: number): void {
    if (size <= memory.size) return;
    pdfium.release(memory.address);
    memory = { address: 0, size: 0 };
    memory = { address: pdfium.allocate(size), size };
  }

  return ({ width, height }) => {
    if (bitmap !== 0) api.FPDFBitmap_Destroy(bitmap);
    bitmap = 0;
    const rowBytes = width * bytesPerPixel;
    makeRoom(rowBytes * height);
    const { address } = memory;
    bitmap = api.FPDFBitmap_CreateEx(width, height, rgbx, address, rowBytes);
    if (bitmap === 0) throw new Error(`the PDF engine makes no bitmap of ${width} x ${height} pixels`);
    pdfium.bytes().fill(white, address, address + rowBytes * height);
    return { bitmap, address };
  };
}

/** Joins words that are broken at the end of a line. */
function asText({ lines }: PageText): string {
  const said = lines.map(({ runs }) => runs.map(({ text }) => text).join(' '));
  return said
    .join('\n')
    .replaceAll(/\u{AD}\s*/gu, '')
    .replaceAll('\0', '')
    .toWellFormed();
}

/** Whether a page of this size has a shape to be drawn in. */
export const isDrawable = ({ width, height }: { width: number; height: number }): boolean =>
  Number.isFinite(height / width) && height / width > 0;

/** Height by the page's shape; both sides shrink together when the page would have too many pixels. */
function pixelSize(page: { width: number; height: number }, width: number): { width: number; height: number } {
  if (!isDrawable(page)) throw new PdfError('UNDRAWABLE', `a page of ${page.width} x ${page.height} points`);
  const shape = page.height / page.width;
  const shrink = Math.min(1, Math.sqrt(maxPixelsPerPage / (width * width * shape)));
  const clamped = Math.max(1, Math.floor(width * shrink));
  // A strip one pixel wide cannot shrink further: reduce its height.
  return { width: clamped, height: Math.max(1, Math.min(Math.round(clamped * shape), Math.floor(maxPixelsPerPage / clamped))) };
}

const xfaFull = 2;
const xfaForeground = 3;
const rgbx = 3;
const bytesPerPixel = 4;
const white = 0xff;
const drawAnnotations = 0x01;
const redFirst = 0x10;
const drawFlags = drawAnnotations | redFirst;
