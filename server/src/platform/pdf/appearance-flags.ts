import type { AppearanceFlag } from '@pergamin/contract';
import { findBundledFont, isSymbolFont } from './bundled-fonts.ts';
import { isVisible } from './font-letters.ts';
import { unknownLetter } from './letter-map.ts';
import type { Pdfium } from './pdfium.ts';
import { msOf } from './thread-time.ts';

/** Of one document: the letters of the first pages stand for the rest. */
const maxPages = 40;
/** Processor time after which no further page is begun, so that a publication is not refused for it. */
const maxMs = 500;
const maxLetters = 10_000;

/**
 * Whether pages show letters whose codes are unknown, of fonts that are not in the file or are drawings without telling names, or letters for
 * which no font has a glyph.
 */
export function findAppearanceFlags(pdfium: Pdfium, document: number): AppearanceFlag[] {
  const { api } = pdfium;
  const flags = new Set<AppearanceFlag>();
  const isTold = createFontTest(pdfium);
  // The engine falls back on it for a letter that a font has no glyph for.
  const fallback = findBundledFont({ name: 'Arial', weight: 0, italic: false, charset: 0, pitchFamily: 0 });
  const hasGlyph = (letter: number): boolean =>
    fallback?.letters.has(letter) === true || [...pdfium.substitutes].some((font) => font?.letters.has(letter) === true);
  const pages = Math.min(api.FPDF_GetPageCount(document), maxPages);
  const before = process.threadCpuUsage();
  for (let page = 0; page < pages && (page === 0 || msOf(process.threadCpuUsage(before)) < maxMs); page++) {
    const loaded = api.FPDF_LoadPage(document, page);
    const text = loaded === 0 ? 0 : api.FPDFText_LoadPage(loaded);
    const letters = text === 0 ? 0 : Math.min(api.FPDFText_CountChars(text), maxLetters);
    for (let index = 0; index < letters; index++) {
      const flag = flagOf(pdfium, { text, index, hasGlyph });
      if (flag !== undefined && !flags.has(flag) && isTold(flag, api.FPDFText_GetTextObject(text, index))) flags.add(flag);
    }
    if (text !== 0) api.FPDFText_ClosePage(text);
    if (loaded !== 0) api.FPDF_ClosePage(loaded);
  }
  return [...flags];
}

interface Place {
  readonly text: number;
  readonly index: number;
}

function flagOf(pdfium: Pdfium, { text, index, hasGlyph }: Place & { hasGlyph: (letter: number) => boolean }): AppearanceFlag | undefined {
  const letter = letterAt(pdfium, { text, index });
  if (letter === unknownLetter || pdfium.api.FPDFText_HasUnicodeMapError(text, index) === 1) return 'FONT_GUESSED';
  return !isVisible(letter) || hasGlyph(letter) ? undefined : 'LETTERS_MISSING';
}

/** Letters outside the first plane come as two halves. */
function letterAt({ api }: Pdfium, { text, index }: Place): number {
  const high = api.FPDFText_GetUnicode(text, index);
  if (high < 0xd800 || high > 0xdbff) return high;
  return String.fromCharCode(high, api.FPDFText_GetUnicode(text, index + 1)).codePointAt(0) ?? high;
}

type FontKind = 'embedded' | 'drawn' | 'missing';

/** By the text object of a letter. A letter that the engine adds itself, like a space, has none. Drawn letters are seen, whatever they mean. */
function createFontTest(pdfium: Pdfium): (flag: AppearanceFlag, object: number) => boolean {
  const { api } = pdfium;
  const known = new Map<number, FontKind>();
  const nameBytes = 256;
  const buffer = pdfium.allocate(nameBytes);
  const kindOf = (font: number): FontKind => {
    const length = api.FPDFFont_GetBaseFontName(font, buffer, nameBytes);
    const name = Buffer.from(pdfium.bytes().subarray(buffer, buffer + Math.max(0, Math.min(length, nameBytes) - 1))).toString('latin1');
    if (api.FPDFFont_GetIsEmbedded(font) === 0) return isSymbolFont(name) ? 'embedded' : 'missing';
    // Only fonts of drawings (Type 3) have no name.
    return name === '' ? 'drawn' : 'embedded';
  };
  return (flag, object) => {
    const font = object === 0 ? 0 : api.FPDFTextObj_GetFont(object);
    if (font === 0) return false;
    const kind = known.get(font) ?? kindOf(font);
    known.set(font, kind);
    return kind === 'missing' || (kind === 'drawn' && flag === 'FONT_GUESSED');
  };
}
