import { stream, writePdf } from './simple-pdf.ts';

interface CompositeFont {
  readonly name: string;
  /** In the order of the text: numbers of glyphs of the original font. */
  readonly codes: readonly number[];
  /** Entries of the font, like `/ToUnicode 8 0 R`, and the objects behind those of all pages that they name: of one font, from the eighth on. */
  readonly entries?: string;
  readonly descendantEntries?: string;
  readonly descriptorEntries?: string;
  readonly further?: readonly string[];
  /** Of each letter, in thousandths of the font's size. */
  readonly widths?: readonly number[];
}

const hex = (code: number): string => code.toString(16).padStart(4, '0');

/** A page for each font, with one line whose codes are numbers of its glyphs. */
export function writeInGlyphs(...fonts: readonly CompositeFont[]): Uint8Array {
  const firstOf = (index: number): number => 3 + index * 5;
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${fonts.map((_, index) => `${firstOf(index)} 0 R`).join(' ')}]/Count ${fonts.length}>>`,
    ...fonts.flatMap((font, index) => pageOf(font, firstOf(index))),
    ...fonts.flatMap(({ further = [] }) => further),
  ]);
}

/** The page and what belongs to it, numbered from `first` on. */
function pageOf(font: CompositeFont, first: number): string[] {
  const { name, codes, entries = '', descendantEntries = '', descriptorEntries = '' } = font;
  const widths = font.widths === undefined ? '' : `/W[${codes.map((code, index) => `${code}[${font.widths?.[index]}]`).join(' ')}]`;
  const width = 20 + codes.length * 30;
  return [
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} 60]/Resources<</Font<</F ${first + 1} 0 R>>>>/Contents ${first + 4} 0 R>>`,
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${first + 2} 0 R]${entries}>>`,
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor ${first + 3} 0 R/DW 550${widths}${descendantEntries}>>`,
    `<</Type/FontDescriptor/FontName/${name}/Flags 32/ItalicAngle 0/Ascent 905/Descent -212/CapHeight 716/StemV 80/FontBBox[-600 -300 2000 1000]${descriptorEntries}>>`,
    stream(`BT /F 30 Tf 10 20 Td <${codes.map(hex).join('')}> Tj ET`),
  ];
}

/** A ToUnicode stream that says of each code which letter it is. */
export function toUnicode(letters: ReadonlyMap<number, string>): string {
  const lines = Array.from(letters, ([code, letter]) => `<${hex(code)}> <${hex(letter.charCodeAt(0))}>`);
  return stream(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${lines.length} beginbfchar ${lines.join(' ')} endbfchar endcmap end end`,
  );
}
