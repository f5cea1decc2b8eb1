import type { Pdfium } from './pdfium.ts';
import type { Structure } from './page-structure.ts';

/** A page of which the engine has read the text. */
export interface LoadedText {
  page: number;
  text: number;
}

/** A letter in the direction of its line, in points. */
export interface Letter {
  text: string;
  /** What it is drawn with. */
  object: number;
  /** A space that the engine has added between words: it has no width. */
  isAdded: boolean;
  /** How far it reaches back before its place: like j, over the letter before. */
  overhang: () => number;
  /** The size of its font, and the width of a space in it: 0 where the font has none. */
  em: number;
  space: number;
  angle: number;
  start: number;
  end: number;
  top: number;
  bottom: number;
  /** Its line runs from right to left: positions count to the left. */
  isMirrored: boolean;
  /** Of its element among those of the page; undefined where nothing tells. */
  rank: number | undefined;
  heading: number | undefined;
  /** Only where it is not that of the page. */
  language: string | undefined;
}

const softHyphen = '\u{AD}';

interface Source extends LoadedText {
  readonly scratch: number;
  readonly structure: Structure;
  /** Of one page. */
  readonly maxLetters: number;
}

/**
 * Rows of letters, as the engine divides them. Right-to-left text comes in the order in which it is read. Left out is what lies outside of the
 * page, and what is printed a second time over itself.
 */
export function* readRows(pdfium: Pdfium, source: Source): Generator<Letter[]> {
  const { api } = pdfium;
  const { text, maxLetters } = source;
  const readLetter = createLetterReader(pdfium, source);
  const isPrintedTwice = createRepetitionTest();
  const end = Math.min(api.FPDFText_CountChars(text), maxLetters);
  let row: Letter[] = [];
  for (let index = 0; index < end; index++) {
    const code = api.FPDFText_GetUnicode(text, index);
    if (code === 10 || code === 13) {
      if (row.length > 0) yield row;
      row = [];
      continue;
    }
    const before = row.at(-1);
    if (api.FPDFText_IsGenerated(text, index) === 1) {
      if (before !== undefined) row.push({ ...before, text: ' ', object: 0, isAdded: true, start: before.end });
      continue;
    }
    const letter = code === 0 ? undefined : readLetter(index, letterOf(code));
    if (letter !== undefined && !isPrintedTwice(letter)) row.push(letter);
  }
  if (row.length > 0) yield row;
}

/** Undefined: a letter without a place on the page. */
function createLetterReader(
  pdfium: Pdfium,
  { page, text, scratch, structure }: Source,
): (index: number, letter: string) => Letter | undefined {
  const { api } = pdfium;
  const toDevice = deviceMatrix(pdfium, page, scratch);
  const sheet = { width: api.FPDF_GetPageWidthF(page), height: api.FPDF_GetPageHeightF(page) };
  const styleOf = createStyles(pdfium, { text, scratch, toDevice, structure });
  return (index, letter) => {
    if (!api.FPDFText_GetLooseCharBox(text, index, scratch)) return undefined;
    const box = floats(pdfium.numbers(), scratch, 4);
    const { along, ...style } = styleOf(index);
    const corners = [
      toDevice.point(box[0], box[1]),
      toDevice.point(box[2], box[1]),
      toDevice.point(box[0], box[3]),
      toDevice.point(box[2], box[3]),
    ];
    if (isOutside(corners, sheet)) return undefined;
    const starts = corners.map(([x, y]) => x * along.x + y * along.y);
    const tops = corners.map(([x, y]) => y * along.x - x * along.y);
    const shape = { start: Math.min(...starts), end: Math.max(...starts), top: Math.min(...tops), bottom: Math.max(...tops) };
    if (!Object.values(shape).every(Number.isFinite)) return undefined;
    const overhang = (): number => Math.max(0, originOf(pdfium, { text, index, scratch, along, toDevice }) - shape.start);
    return { text: letter, isAdded: false, overhang, ...style, ...shape, isMirrored: false };
  };
}

type Style = Pick<Letter, 'object' | 'em' | 'space' | 'angle' | 'rank' | 'heading' | 'language'> & { readonly along: Direction };

/** What the letters have in common that are drawn together. */
function createStyles(
  pdfium: Pdfium,
  { text, scratch, toDevice, structure }: Pick<Source, 'text' | 'scratch' | 'structure'> & { toDevice: DeviceMatrix },
): (index: number) => Style {
  const { api } = pdfium;
  const spaceOf = createSpaceWidths(pdfium, scratch);
  let last: Style | undefined;
  return (index) => {
    const object = api.FPDFText_GetTextObject(text, index);
    if (last?.object === object && object !== 0) return last;
    const [a, b] = api.FPDFText_GetMatrix(text, index, scratch) ? floats(pdfium.numbers(), scratch, 2) : [1, 0];
    const size = api.FPDFText_GetFontSize(text, index);
    // A negative size turns the letter, and the direction of the line with it.
    const turn = size < 0 ? -1 : 1;
    const along = unit(toDevice.vector(a * turn, b * turn));
    const em = Math.abs(size) * Math.hypot(a, b);
    last = { object, em, space: spaceOf(object) * em, angle: along.angle, ...structure.placeOf(object), along };
    return last;
  };
}

interface Direction {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

interface Place {
  readonly text: number;
  readonly index: number;
  readonly scratch: number;
  readonly along: Direction;
  readonly toDevice: DeviceMatrix;
}

/** Along its line. */
function originOf(pdfium: Pdfium, { text, index, scratch, along, toDevice }: Place): number {
  if (!pdfium.api.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8)) return Number.NEGATIVE_INFINITY;
  const [x, y] = toDevice.point(pdfium.numbers().getFloat64(scratch, true), pdfium.numbers().getFloat64(scratch + 8, true));
  return x * along.x + y * along.y;
}

function isOutside(corners: readonly [number, number][], { width, height }: { width: number; height: number }): boolean {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return Math.max(...xs) <= 0 || Math.min(...xs) >= width || Math.max(...ys) <= 0 || Math.min(...ys) >= height;
}

/** Of the font of a text object, by its size. */
function createSpaceWidths(pdfium: Pdfium, scratch: number): (object: number) => number {
  const { api } = pdfium;
  const known = new Map<number, number>();
  return (object) => {
    const font = object === 0 ? 0 : api.FPDFTextObj_GetFont(object);
    if (font === 0) return 0;
    const found = known.get(font);
    if (found !== undefined) return found;
    const width = api.FPDFFont_GetGlyphWidth(font, 0x20, 1, scratch) ? pdfium.numbers().getFloat32(scratch, true) : 0;
    known.set(font, width);
    return width;
  };
}

/** By the size of a letter: the same one nearer than this is its bold print or its shadow. */
const repetition = 0.1;

type Printed = Pick<Letter, 'text' | 'angle' | 'start' | 'end' | 'bottom'>;

/** Whether the same letter was at this place before. The letters of a ligature share its place, and are repeated together. */
function createRepetitionTest(): (letter: Letter) => boolean {
  /** By cells of the size of a letter. */
  const seen = new Map<number, Printed[]>();
  let before: { readonly printed: Printed; readonly isRepeated: boolean } | undefined;
  const isRepeated = (printed: Printed, em: number): boolean => {
    if (before !== undefined && distanceOf(before.printed, printed) === 0) return before.isRepeated;
    const isHere = (other: Printed): boolean =>
      other.text === printed.text && other.angle === printed.angle && distanceOf(other, printed) <= repetition * em;
    const rows = cellsNear(printed.bottom / em);
    return cellsNear(printed.start / em).some((column) => rows.some((row) => seen.get(keyOf(column, row))?.some(isHere) === true));
  };
  return ({ text, angle, start, end, bottom, em }) => {
    if (em === 0) return false;
    const printed = { text, angle, start, end, bottom };
    before = { printed, isRepeated: isRepeated(printed, em) };
    if (before.isRepeated) return true;
    const key = keyOf(Math.floor(start / em), Math.floor(bottom / em));
    const here = seen.get(key);
    if (here === undefined) seen.set(key, [printed]);
    else here.push(printed);
    return false;
  };
}

/** The cell of a place, and the next one where that is near. */
function cellsNear(place: number): number[] {
  const [first, last] = [Math.floor(place - repetition), Math.floor(place + repetition)];
  return first === last ? [first] : [first, last];
}

function keyOf(column: number, row: number): number {
  return (Math.imul(column, 0x10001) + row) | 0;
}

function distanceOf(one: Printed, other: Printed): number {
  return Math.max(Math.abs(one.start - other.start), Math.abs(one.end - other.end), Math.abs(one.bottom - other.bottom));
}

/** A file may claim that a letter is a number which is none of Unicode. A letter outside the first plane comes as its two halves. */
function letterOf(code: number): string {
  if (code === 2 || code === 0xfffe) return softHyphen;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\u{FFFD}';
}

interface DeviceMatrix {
  point(x: number, y: number): [number, number];
  vector(x: number, y: number): [number, number];
}

/** From the page's space to the reader's, whose y grows downwards. */
export function deviceMatrix(pdfium: Pdfium, page: number, scratch: number): DeviceMatrix {
  const { api } = pdfium;
  const width = api.FPDF_GetPageWidthF(page);
  const height = api.FPDF_GetPageHeightF(page);
  // The engine answers in whole units: a large sheet keeps fractions of a point.
  const fine = 64;
  const reach = 1_000;
  const at = (x: number, y: number): [number, number] => {
    api.FPDF_PageToDevice(page, 0, 0, Math.round(width * fine), Math.round(height * fine), 0, x, y, scratch, scratch + 4);
    return [pdfium.numbers().getInt32(scratch, true) / fine, pdfium.numbers().getInt32(scratch + 4, true) / fine];
  };
  const [originX, originY] = at(0, 0);
  const [rightX, rightY] = at(reach, 0);
  const [upX, upY] = at(0, reach);
  const vector = (x: number, y: number): [number, number] => [
    (x * (rightX - originX) + y * (upX - originX)) / reach,
    (x * (rightY - originY) + y * (upY - originY)) / reach,
  ];
  return {
    vector,
    point(x, y) {
      const [dx, dy] = vector(x, y);
      return [originX + dx, originY + dy];
    },
  };
}

/** In whole degrees, so that letters of one line agree. */
function unit([x, y]: [number, number]): Direction {
  const degrees = Math.round((Math.atan2(y, x) * 180) / Math.PI) || 0;
  const angle = degrees === -180 ? 180 : degrees;
  const radians = (angle * Math.PI) / 180;
  return { x: Math.cos(radians), y: Math.sin(radians), angle };
}

export function floats(numbers: DataView, address: number, count: 4): [number, number, number, number];
export function floats(numbers: DataView, address: number, count: 2): [number, number];
export function floats(numbers: DataView, address: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => numbers.getFloat32(address + index * 4, true));
}
