import { createAnnotationReader } from './page-annotations.ts';
import type { Pdfium } from './pdfium.ts';
import { removeHiddenObjects } from './shown-objects.ts';
import { mendUnicodeMaps } from './unicode-maps.ts';

/** A page with its text, and the reader of its form fields and notes. */
export interface TextPage {
  readonly document: number;
  readonly page: number;
  readonly text: number;
  readonly readAnnotations: ReturnType<typeof createAnnotationReader>;
}

interface Source {
  readonly document: number;
  /** Of the file in the engine's memory. */
  readonly address: number;
  readonly length: number;
  /** Layers that are off are marked in it. */
  readonly hidesLayers: boolean;
  /** Called with the engine's handle of each page, before its text is read. */
  readonly onLoaded: (page: number) => void;
  /** Called when no table of a page tells what its letters mean. */
  readonly onUnknownLetters: () => void;
}

/** Larger files are read as they are: they would be twice in the engine's memory. */
const maxMendedBytes = 32 * 1024 * 1024;

/**
 * Loads one page at a time, without what is hidden, of a second opening with corrected tables where some do not tell their length. All tables are looked through when the
 * meaning of a letter is unknown.
 */
export function createTextPages(pdfium: Pdfium, source: Source) {
  const { api } = pdfium;
  const { hidesLayers } = source;
  const scratch = pdfium.allocate(4);
  let opened = { document: source.document, readAnnotations: createAnnotationReader(pdfium, source) };
  let isSearched = false;
  let isSearchedEverywhere = source.length > maxMendedBytes;

  /** Answers whether it found any. */
  function mend(everywhere: boolean): boolean {
    const { address, length } = source;
    const patches = mendUnicodeMaps(pdfium.bytes().subarray(address, address + length), { everywhere });
    if (patches.length === 0) return false;
    const copy = pdfium.allocate(length);
    const memory = pdfium.bytes();
    memory.copyWithin(copy, address, address + length);
    for (const { at, bytes } of patches) memory.set(bytes, copy + at);
    const document = api.FPDF_LoadMemDocument(copy, length, '');
    if (document === 0) return false;
    opened = { document, readAnnotations: createAnnotationReader(pdfium, { address: copy, length, hidesLayers }) };
    return true;
  }

  function load(index: number): TextPage | undefined {
    const page = api.FPDF_LoadPage(opened.document, index);
    if (page === 0) return undefined;
    source.onLoaded(page);
    if (hidesLayers) removeHiddenObjects(pdfium, { page, scratch });
    const text = api.FPDFText_LoadPage(page);
    if (text !== 0) return { ...opened, page, text };
    api.FPDF_ClosePage(page);
    return undefined;
  }

  function loadMended(index: number): TextPage | undefined {
    if (!isSearched && !isSearchedEverywhere) mend(false);
    isSearched = true;
    const loaded = load(index);
    if (loaded === undefined || !hasUnknownLetters(pdfium, loaded)) return loaded;
    const isMended = !isSearchedEverywhere && mend(true);
    isSearchedEverywhere = true;
    if (isMended) close(pdfium, loaded);
    const mended = isMended ? load(index) : loaded;
    if (mended !== undefined && (!isMended || hasUnknownLetters(pdfium, mended))) source.onUnknownLetters();
    return mended;
  }

  return <T>(page: number, nothing: T, read: (loaded: TextPage) => T): T => {
    const loaded = loadMended(page - 1);
    if (loaded === undefined) return nothing;
    try {
      return read(loaded);
    } finally {
      close(pdfium, loaded);
    }
  };
}

function close({ api }: Pdfium, { page, text }: TextPage): void {
  api.FPDFText_ClosePage(text);
  api.FPDF_ClosePage(page);
}

const maxLetters = 40_000;

function hasUnknownLetters({ api }: Pdfium, { text }: TextPage): boolean {
  const count = Math.min(api.FPDFText_CountChars(text), maxLetters);
  for (let index = 0; index < count; index++) if (api.FPDFText_HasUnicodeMapError(text, index) > 0) return true;
  return false;
}
