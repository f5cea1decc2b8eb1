import { PDF, PdfDict, PdfRef, PdfStream } from '@libpdf/core';
import type { AppearanceFlag } from '@pergamin/contract';
import { hex, letterMap, unknownLetter } from './letter-map.ts';
import { addNoteAppearance } from './note-appearance.ts';
import { asciiLetters, findOriginalLetters } from './original-glyphs.ts';

export interface Completed {
  /** Undefined when nothing was missing. */
  readonly file: Uint8Array | undefined;
  /** FONT_GUESSED: a font whose letters are not known; those of ASCII are taken to have the usual numbers. */
  readonly flags: ReadonlySet<AppearanceFlag>;
}

/** More would take longer than a page may. */
const maxObjects = 300_000;

type Resolve = (ref: PdfRef) => ReturnType<PDF['getObject']>;

/**
 * Adds to a copy of a PDF what readers have to know and the file does not say: which letters the glyph numbers of fonts are that are not in the
 * file, and how its notes look. The copy is for drawing and reading only. `file` is without encryption or damage, as PdfDocument.decrypted
 * writes it. Throws when it cannot be read.
 */
export async function completeDocument(file: Uint8Array): Promise<Completed> {
  const pdf = await PDF.load(file);
  const { registry } = pdf.context;
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  const end = registry.nextObjectNumber;
  if (end > maxObjects) throw new Error(`${end} objects are too many to look through`);
  let isCompleted = false;
  const flags = new Set<AppearanceFlag>();
  for (let number = 1; number < end; number++) {
    const object = pdf.getObject(PdfRef.of(number, 0));
    if (!(object instanceof PdfDict)) continue;
    const subtype = object.getName('Subtype', resolve)?.value;
    const note = subtype === 'FreeText' ? addNoteAppearance(object, pdf) : undefined;
    if (note !== undefined) isCompleted = true;
    if (note?.lacksLetters === true) flags.add('LETTERS_MISSING');
    const font = subtype === 'Type0' ? numberedFont(object, resolve) : undefined;
    if (font === undefined) continue;
    if (!(object.get('ToUnicode', resolve) instanceof PdfStream)) {
      const letters = findOriginalLetters(font.getName('BaseFont', resolve)?.value ?? '');
      if (letters === undefined) flags.add('FONT_GUESSED');
      object.set('ToUnicode', pdf.register(toUnicode(letters ?? asciiLetters, glyphsOf(font, resolve))));
    }
    // It leads to glyphs of the original font.
    font.delete('CIDToGIDMap');
    isCompleted = true;
  }
  return { file: isCompleted ? await pdf.save({ incremental: true }) : undefined, flags };
}

/** The descendant of a composite font that is not in the file and whose codes are numbers of its glyphs. */
function numberedFont(font: PdfDict, resolve: Resolve): PdfDict | undefined {
  if (!/^Identity-[HV]$/.test(font.getName('Encoding', resolve)?.value ?? '')) return undefined;
  const descendant = font.getArray('DescendantFonts', resolve)?.at(0, resolve);
  if (!(descendant instanceof PdfDict) || descendant.getName('Subtype', resolve)?.value !== 'CIDFontType2') return undefined;
  const descriptor = descendant.getDict('FontDescriptor', resolve);
  if (['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.has(key))) return undefined;
  const ordering = descendant.getDict('CIDSystemInfo', resolve)?.getString('Ordering', resolve)?.asString();
  // Others name a collection of letters that the engine knows.
  return ordering === undefined || ordering === 'Identity' ? descendant : undefined;
}

/** The glyph of each code. Undefined: the code is its number. */
function glyphsOf(font: PdfDict, resolve: Resolve): Buffer | undefined {
  const map = font.get('CIDToGIDMap', resolve);
  return map instanceof PdfStream ? Buffer.from(map.getDecodedData()) : undefined;
}

/** More glyphs than a font has that is not embedded. */
const maxCodes = 0x2000;
const blockSize = 0x100;

function toUnicode(letters: ReadonlyMap<number, string>, glyphs: Buffer | undefined): PdfStream {
  const letterOf = (code: number): string => {
    const glyph = glyphs === undefined ? code : code * 2 + 1 < glyphs.length ? glyphs.readUInt16BE(code * 2) : 0;
    return `<${hex(letters.get(glyph)?.charCodeAt(0) ?? unknownLetter)}>`;
  };
  const blocks = Array.from({ length: maxCodes / blockSize }, (_, block) => {
    const codes = Array.from({ length: blockSize }, (_, index) => block * blockSize + index);
    return `<${hex(codes[0] ?? 0)}> <${hex(codes.at(-1) ?? 0)}> [${codes.map(letterOf).join('')}]`;
  });
  return letterMap('bfrange', blocks);
}
