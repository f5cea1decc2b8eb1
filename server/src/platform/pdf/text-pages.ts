import { createAnnotationReader } from './page-annotations.ts';
import type { Pdfium } from './pdfium.ts';
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
  /** Called with the engine's handle of each page, before its text is read. */
  readonly onLoaded: (page: number) => void;
}

/** Larger files are read as they are: they would be twice in the engine's memory. */
const maxMendedBytes = 32 * 1024 * 1024;

/**
 * Loads one page at a time, of a second opening with corrected tables where some do not tell their length. All tables are looked through when the
 * meaning of a letter is unknown.
 */
export function createTextPages(pdfium: Pdfium, source: Source) {
  const { api } = pdfium;
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
    opened = { document, readAnnotations: createAnnotationReader(pdfium, { address: copy, length }) };
    return true;
  }

  function load(index: number): TextPage | undefined {
    const page = api.FPDF_LoadPage(opened.document, index);
    if (page === 0) return undefined;
    source.onLoaded(page);
    const text = api.FPDFText_LoadPage(page);
    if (text !== 0) return { ...opened, page, text };
    api.FPDF_ClosePage(page);
    return undefined;
  }

  function close({ page, text }: TextPage): void {
    api.FPDFText_ClosePage(text);
    api.FPDF_ClosePage(page);
  }

  function loadMended(index: number): TextPage | undefined {
    if (!isSearched && !isSearchedEverywhere) mend(false);
    isSearched = true;
    const loaded = load(index);
    if (loaded === undefined || isSearchedEverywhere || !hasUnknownLetters(pdfium, loaded)) return loaded;
    isSearchedEverywhere = true;
    if (!mend(true)) return loaded;
    close(loaded);
    return load(index);
  }

  return <T>(page: number, nothing: T, read: (loaded: TextPage) => T): T => {
    const loaded = loadMended(page - 1);
    if (loaded === undefined) return nothing;
    try {
      return read(loaded);
    } finally {
      close(loaded);
    }
  };
}

const maxLetters = 40_000;

function hasUnknownLetters({ api }: Pdfium, { text }: TextPage): boolean {
  const count = Math.min(api.FPDFText_CountChars(text), maxLetters);
  for (let index = 0; index < count; index++) if (api.FPDFText_HasUnicodeMapError(text, index) > 0) return true;
  return false;
}
