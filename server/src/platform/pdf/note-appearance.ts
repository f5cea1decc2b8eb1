import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { findBundledFont, type FontFile } from './bundled-fonts.ts';
import { boxLetter, isVisible, readWidths } from './font-letters.ts';
import { hex, letterMap, unknownLetter } from './letter-map.ts';

type Resolve = PDF['getObject'];

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Names of the font in the appearance's resources, and of its opacity. */
const [fontName, opacityName] = ['Letters', 'Opacity'];
/** Of one note: more is left out. */
const maxLength = 5_000;
const defaultSize = 12;
const lineHeight = 1.2;
/** Between the border and the text, in points. */
const padding = 2;

/**
 * Gives a free text note without an appearance its own: its text in lines within its rectangle, on its background, in a border only when it names
 * one. The engine's would lack Polish letters. Undefined when the note has one.
 */
export function addNoteAppearance(note: PdfDict, pdf: PDF): { lacksLetters: boolean } | undefined {
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  if (note.getDict('AP', resolve)?.get('N', resolve) !== undefined) return undefined;
  const numbers = (key: string): number[] => numbersOf(note.getArray(key, resolve), resolve);
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers('Rect');
  const sheet = { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
  if (!Object.values(sheet).every(Number.isFinite)) return undefined;
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers('RD');
  const box = { left: sheet.left + left, bottom: sheet.bottom + bottom, right: sheet.right - right, top: sheet.top - top };
  const border = note.getDict('BS', resolve)?.getNumber('W', resolve)?.value ?? numbers('Border')[2] ?? 0;
  const style = styleOf(note.getString('DA', resolve)?.asString() ?? '');
  const text = (note.getString('Contents', resolve)?.asString() ?? '').slice(0, maxLength);
  const inner = shrunk(box, border + padding);
  const letters = measure(style.font);
  const lines = wrap(text, (part) => (letters.widthOf(part) * style.size) / 1000, inner.right - inner.left);
  const written = lines.map((line, index) => {
    const free = inner.right - inner.left - (letters.widthOf(line) * style.size) / 1000;
    const x = inner.left + (free * (note.getNumber('Q', resolve)?.value ?? 0)) / 2;
    const y = inner.top - style.size - index * style.size * lineHeight;
    return `1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm <${Buffer.from(line, 'utf16le').swap16().toString('hex')}> Tj`;
  });
  const content = [
    `/${opacityName} gs`,
    filled(box, numbers('C')),
    border > 0 ? `q ${style.colour.toUpperCase()} ${border} w ${rectangle(shrunk(box, border / 2))} S Q` : '',
    `q ${rectangle(box)} W n BT ${style.colour} /${fontName} ${style.size} Tf ${written.join('\n')} ET Q`,
  ];
  const opacity = PdfNumber.of(note.getNumber('CA', resolve)?.value ?? 1);
  const appearance = PdfStream.fromDict(
    {
      Type: PdfName.of('XObject'),
      Subtype: PdfName.of('Form'),
      BBox: new PdfArray(Object.values(sheet).map((value) => PdfNumber.of(value))),
      Resources: PdfDict.of({
        Font: PdfDict.of({ [fontName]: fontDictionary(pdf, { name: style.font, text, letters }) }),
        ExtGState: PdfDict.of({ [opacityName]: PdfDict.of({ ca: opacity, CA: opacity }) }),
      }),
    },
    Buffer.from(content.join('\n'), 'latin1'),
  );
  note.set('AP', PdfDict.of({ N: pdf.register(appearance) }));
  return { lacksLetters: letters.lacks(text) };
}

function numbersOf(array: PdfArray | undefined, resolve: Resolve): number[] {
  return Array.from({ length: array?.length ?? 0 }, (_, index) => {
    const value = array?.at(index, resolve);
    return value?.type === 'number' ? value.value : Number.NaN;
  });
}

/** How many numbers are before an operator that sets a colour. */
const colourOperators: ReadonlyMap<string, number> = new Map([
  ['g', 1],
  ['rg', 3],
  ['k', 4],
]);

/** Font, size and colour out of operators like `0 0 1 rg /Helv 12 Tf`. */
function styleOf(operators: string): { font: string; size: number; colour: string } {
  const words = operators.split(/\s/).filter((word) => word !== '');
  const set = words.findIndex((word) => colourOperators.has(word));
  const components = words.slice(Math.max(0, set - (colourOperators.get(words[set] ?? '') ?? 0)), Math.max(0, set)).map(Number);
  const isColour = components.length > 0 && components.every(Number.isFinite);
  const sized = words.indexOf('Tf');
  const name = words[sized - 2]?.replace('/', '') ?? '';
  const size = Math.abs(Number(words[sized - 1])) || defaultSize;
  const family = /^ti/i.test(name) ? 'TimesNewRoman' : /^co/i.test(name) ? 'CourierNew' : 'Arial';
  return {
    font: /bo/i.test(name) ? `${family},Bold` : family,
    size: Number.isFinite(size) ? size : defaultSize,
    colour: isColour ? `${components.join(' ')} ${words[set]}` : '0 g',
  };
}

/** Without a colour the note is transparent. */
function filled(box: Box, colour: readonly number[]): string {
  const operator = { 1: 'g', 3: 'rg', 4: 'k' }[colour.length];
  return operator === undefined || !colour.every(Number.isFinite) ? '' : `q ${colour.join(' ')} ${operator} ${rectangle(box)} f Q`;
}

function shrunk({ left, bottom, right, top }: Box, by: number): Box {
  return { left: left + by, bottom: bottom + by, right: right - by, top: top - by };
}

function rectangle({ left, bottom, right, top }: Box): string {
  return `${left} ${bottom} ${right - left} ${top - bottom} re`;
}

interface Letters {
  /** Of text, in thousandths of the font's size. */
  widthOf(text: string): number;
  lacks(text: string): boolean;
}

function measure(name: string): Letters {
  const font = findBundledFont({ name, weight: 0, italic: false, charset: 0, pitchFamily: 0 });
  const widths = font === undefined ? undefined : widthsOf(font);
  const box = widths?.(boxLetter) ?? 1000;
  return {
    widthOf: (text) => units(text).reduce((sum, letter) => sum + (widths?.(letter) ?? box), 0),
    lacks: (text) =>
      Array.from(text, (sign) => sign.codePointAt(0) ?? 0).some((sign) => isVisible(sign) && font?.letters.has(sign) !== true),
  };
}

function units(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

function widthsOf({ data, letters }: FontFile): (letter: number) => number | undefined {
  const widths = readWidths(data);
  return (letter) => {
    const glyph = letters.get(letter);
    return glyph === undefined ? undefined : widths(glyph);
  };
}

/** Breaks at spaces, and within a word that is longer than a line. */
function wrap(text: string, measured: (text: string) => number, width: number): string[] {
  return text.split(/\r\n?|\n/).flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(/(?<= )/)) {
      if (lines.at(-1) !== '' && measured(`${lines.at(-1)}${word.trimEnd()}`) > width) lines.push('');
      for (const letter of measured(word.trimEnd()) > width ? word : [word]) {
        const line = lines.at(-1) ?? '';
        if (line !== '' && measured(`${line}${letter.trimEnd()}`) > width) lines.push(letter);
        else lines[lines.length - 1] = line + letter;
      }
    }
    return lines;
  });
}

/** A font whose codes are letters of Unicode and which is not embedded: the engine takes the bundled one by its name. */
function fontDictionary(pdf: PDF, { name, text, letters }: { name: string; text: string; letters: Letters }): PdfDict {
  const used = [...new Set(units(text))].filter((letter) => letter >= 0x20);
  const widths = used.flatMap((code) => [PdfNumber.of(code), new PdfArray([PdfNumber.of(letters.widthOf(String.fromCharCode(code)))])]);
  const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
  const lines = used.map((code) => `<${hex(code)}> <${hex(isHalf(code) ? unknownLetter : code)}>`);
  return PdfDict.of({
    Type: PdfName.of('Font'),
    Subtype: PdfName.of('Type0'),
    BaseFont: PdfName.of(name),
    Encoding: PdfName.of('Identity-H'),
    ToUnicode: pdf.register(letterMap('bfchar', lines)),
    DescendantFonts: new PdfArray([
      PdfDict.of({
        Type: PdfName.of('Font'),
        Subtype: PdfName.of('CIDFontType2'),
        BaseFont: PdfName.of(name),
        W: new PdfArray(widths),
      }),
    ]),
  });
}
