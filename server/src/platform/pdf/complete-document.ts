import { PDF, PdfDict, PdfRef, PdfStream } from '@libpdf/core';
import type { AppearanceFlag } from '@pergamin/contract';
import { markHiddenLayers } from './hidden-layers.ts';
import { hex, letterMap, unknownLetter } from './letter-map.ts';
import { addLettersOfNames } from './named-glyphs.ts';
import { addNoteAppearance } from './note-appearance.ts';
import { asciiLetters, findOriginalLetters } from './original-glyphs.ts';
import { correctMap } from './unicode-maps.ts';

export interface Completed {
  /** Undefined when nothing was missing. */
  readonly file: Uint8Array | undefined;
  /** There are layers that are off; they are marked in it. */
  readonly hidesLayers: boolean;
  /** FONT_GUESSED: a font whose letters are not known; those of ASCII are taken to have the usual numbers. */
  readonly flags: ReadonlySet<AppearanceFlag>;
}

/** More would take longer than a page may. */
const maxObjects = 300_000;

type Resolve = (ref: PdfRef) => ReturnType<PDF['getObject']>;

/**
 * Adds to a copy of a PDF what readers have to know and the file does not say, or not so that the engine understands it: which letters the glyph
 * numbers of fonts are that are not in the file, and the named drawings of others; how its notes look; which layers are off. The copy is for drawing and reading only. `file` is without encryption or damage, as PdfDocument.decrypted
 * writes it. Throws when it cannot be read.
 */
export async function completeDocument(file: Uint8Array): Promise<Completed> {
  const pdf = await PDF.load(file);
  const { registry } = pdf.context;
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  const end = registry.nextObjectNumber;
  if (end > maxObjects) throw new Error(`${end} objects are too many to look through`);
  const objects = Array.from({ length: Math.max(0, end - 1) }, (_, index) => pdf.getObject(PdfRef.of(index + 1, 0)));
  const dictionaries = objects.filter((object) => object instanceof PdfDict);
  const flags = new Set<AppearanceFlag>();
  let isCompleted = false;
  for (const object of dictionaries) {
    const subtype = object.getName('Subtype', resolve)?.value;
    const note = subtype === 'FreeText' ? addNoteAppearance(object, pdf) : undefined;
    if (note?.lacksLetters === true) flags.add('LETTERS_MISSING');
    const isNamed = subtype === 'Type3' && addLettersOfNames(object, pdf);
    const isCorrected = correctLetters(object, resolve);
    const isNumbered = subtype === 'Type0' && addLettersOfNumbers(object, { pdf, resolve, flags });
    isCompleted ||= note !== undefined || isNamed || isCorrected || isNumbered;
  }
  const hidesLayers = markHiddenLayers(pdf, dictionaries);
  return { file: isCompleted || hidesLayers ? await pdf.save({ incremental: true }) : undefined, flags, hidesLayers };
}

/** Of a font whose table of meanings the engine would not read whole. */
function correctLetters(font: PdfDict, resolve: Resolve): boolean {
  const map = font.get('ToUnicode', resolve);
  if (!(map instanceof PdfStream)) return false;
  const correct = correctMap(Buffer.from(map.getDecodedData()).toString('latin1'));
  if (correct !== undefined) map.setData(Buffer.from(correct.whole, 'latin1'));
  return correct !== undefined;
}

interface Parts {
  readonly pdf: PDF;
  readonly resolve: Resolve;
  readonly flags: Set<AppearanceFlag>;
}

function addLettersOfNumbers(object: PdfDict, { pdf, resolve, flags }: Parts): boolean {
  const font = numberedFont(object, resolve);
  if (font === undefined) return false;
  if (!(object.get('ToUnicode', resolve) instanceof PdfStream)) {
    const letters = findOriginalLetters(font.getName('BaseFont', resolve)?.value ?? '');
    if (letters === undefined) flags.add('FONT_GUESSED');
    object.set('ToUnicode', pdf.register(toUnicode(letters ?? asciiLetters, glyphsOf(font, resolve))));
  }
  // It leads to glyphs of the original font.
  font.delete('CIDToGIDMap');
  return true;
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
