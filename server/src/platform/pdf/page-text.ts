import type { PageText, TextFigure, TextLine } from '@pergamin/contract';
import type { Pdfium } from './pdfium.ts';
import { bufferBytes, type Figure, readStructure, type Structure } from './page-structure.ts';

interface Loaded {
  document: number;
  page: number;
  text: number;
  /** The first letter that is read. */
  from?: number;
}

/** A letter in the direction of its line, in points. */
interface Letter {
  text: string;
  angle: number;
  start: number;
  end: number;
  top: number;
  bottom: number;
  /** Of its element among those of the page; undefined where nothing tells. */
  rank: number | undefined;
  heading: number | undefined;
  /** Only where it is not that of the page. */
  language: string | undefined;
}

interface Line extends Pick<Letter, 'angle' | 'rank' | 'heading' | 'language' | 'start' | 'top' | 'bottom'> {
  runs: { start: number; text: string; ends: number[] }[];
  end: number;
}

/** A dense page has 8 000 letters. */
const maxLetters = 40_000;
const noStructure: Structure = {
  language: null,
  figures: [],
  placeOf: () => ({ rank: undefined, heading: undefined, language: undefined }),
};
/** Pieces that figures are drawn of. */
const maxPieces = 20_000;
/** By the height of the line: a wider gap separates columns of a table. */
const columnGap = 1.2;
const softHyphen = '\u{AD}';

/**
 * The letters of a page and their positions: in points after the page's rotation, from its top left corner. Lines come in reading order: that
 * of the document's structure when it has one, of its content otherwise. Lines of `added` (form fields, notes) are put where they are seen.
 */
export function createPageTextReader(pdfium: Pdfium): (loaded: Loaded, added?: Loaded) => PageText {
  const scratch = pdfium.allocate(bufferBytes);
  const readLines = (loaded: Loaded, structure: Structure): Line[] => {
    const lines: Line[] = [];
    for (const letter of readLetters(pdfium, { ...loaded, scratch, structure })) {
      if (letter === 'break') continue;
      const last = lines.at(-1);
      if (last !== undefined && continues(last, letter)) append(last, letter);
      else lines.push(begin(letter));
    }
    return lines;
  };
  return (loaded, added) => {
    const structure = readStructure(pdfium, { ...loaded, buffer: scratch });
    const lines = readLines(loaded, structure);
    if (added !== undefined) for (const line of readLines(added, noStructure)) lines.splice(placeAmong(lines, line), 0, line);
    const size = { width: pdfium.api.FPDF_GetPageWidthF(loaded.page), height: pdfium.api.FPDF_GetPageHeightF(loaded.page) };
    const shown = inReadingOrder(lines).flatMap(({ line, rank }) => {
      const said = toTextLine(line, size);
      return said === undefined ? [] : [{ said, rank }];
    });
    const figures = structure.figures.map((figure): TextFigure => {
      const at = shown.findIndex(({ rank }) => rank >= figure.rank);
      const { text, language } = figure;
      const before = at === -1 ? shown.length : at;
      return { before, text, ...(language === undefined ? {} : { language }), ...placeOf(pdfium, { ...loaded, scratch, figure }) };
    });
    return { language: structure.language, lines: shown.map(({ said }) => said), ...(figures.length === 0 ? {} : { figures }) };
  };
}

/** The box around all pieces of a figure. A point in the corner when the page has none of them. */
function placeOf(
  pdfium: Pdfium,
  { page, scratch, figure }: Loaded & { scratch: number; figure: Figure },
): Pick<TextFigure, 'x' | 'y' | 'width' | 'height'> {
  const { api } = pdfium;
  const toDevice = deviceMatrix(pdfium, page, scratch);
  const corners: [number, number][] = [];
  const pieces = Math.min(api.FPDFPage_CountObjects(page), maxPieces);
  for (let index = 0; index < pieces; index++) {
    const piece = api.FPDFPage_GetObject(page, index);
    if (!figure.contents.has(api.FPDFPageObj_GetMarkedContentID(piece))) continue;
    if (!api.FPDFPageObj_GetBounds(piece, scratch, scratch + 4, scratch + 8, scratch + 12)) continue;
    const [left, bottom, right, top] = floats(pdfium.numbers(), scratch, 4);
    corners.push(toDevice.point(left, bottom), toDevice.point(right, top));
  }
  const sheet = { width: api.FPDF_GetPageWidthF(page), height: api.FPDF_GetPageHeightF(page) };
  const inside = (value: number, max: number): number => Math.min(Math.max(value, 0), max);
  const xs = corners.map(([x]) => inside(x, sheet.width)).filter(Number.isFinite);
  const ys = corners.map(([, y]) => inside(y, sheet.height)).filter(Number.isFinite);
  if (xs.length === 0 || ys.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x: rounded(x), y: rounded(y), width: rounded(Math.max(...xs) - x), height: rounded(Math.max(...ys) - y) };
}

function* readLetters(
  pdfium: Pdfium,
  { page, text, from = 0, scratch, structure }: Loaded & { scratch: number; structure: Structure },
): Generator<Letter | 'break'> {
  const { api } = pdfium;
  const toDevice = deviceMatrix(pdfium, page, scratch);
  const end = Math.min(api.FPDFText_CountChars(text), from + maxLetters);
  for (let index = from; index < end; index++) {
    const code = api.FPDFText_GetUnicode(text, index);
    if (code === 10 || code === 13) {
      yield 'break';
      continue;
    }
    if (code === 0 || !api.FPDFText_GetLooseCharBox(text, index, scratch)) continue;
    const box = floats(pdfium.numbers(), scratch, 4);
    const [a, b] = api.FPDFText_GetMatrix(text, index, scratch) ? floats(pdfium.numbers(), scratch, 2) : [1, 0];
    // A negative size turns the letter, and the direction of the line with it.
    const turn = api.FPDFText_GetFontSize(text, index) < 0 ? -1 : 1;
    const along = unit(toDevice.vector(a * turn, b * turn));
    const corners = [
      toDevice.point(box[0], box[1]),
      toDevice.point(box[2], box[1]),
      toDevice.point(box[0], box[3]),
      toDevice.point(box[2], box[3]),
    ];
    const starts = corners.map(([x, y]) => x * along.x + y * along.y);
    const tops = corners.map(([x, y]) => y * along.x - x * along.y);
    const shape = { start: Math.min(...starts), end: Math.max(...starts), top: Math.min(...tops), bottom: Math.max(...tops) };
    if (!Object.values(shape).every(Number.isFinite)) continue;
    yield {
      text: letterOf(code),
      angle: along.angle,
      ...shape,
      ...structure.placeOf(api.FPDFText_GetTextObject(text, index)),
    };
  }
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
function deviceMatrix(pdfium: Pdfium, page: number, scratch: number): DeviceMatrix {
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
function unit([x, y]: [number, number]): { x: number; y: number; angle: number } {
  const degrees = Math.round((Math.atan2(y, x) * 180) / Math.PI) || 0;
  const angle = degrees === -180 ? 180 : degrees;
  const radians = (angle * Math.PI) / 180;
  return { x: Math.cos(radians), y: Math.sin(radians), angle };
}

function floats(numbers: DataView, address: number, count: 4): [number, number, number, number];
function floats(numbers: DataView, address: number, count: 2): [number, number];
function floats(numbers: DataView, address: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => numbers.getFloat32(address + index * 4, true));
}

function continues(line: Line, letter: Letter): boolean {
  if (line.angle !== letter.angle) return false;
  const height = line.bottom - line.top;
  const middle = (letter.top + letter.bottom) / 2;
  const isInRow = isBlank(letter) || (middle > line.top && middle < line.bottom);
  const isAlike = isBlank(letter) || (line.heading === (letter.heading ?? line.heading) && line.language === letter.language);
  return isInRow && letter.start > line.end - height && isAlike;
}

function isBlank({ text }: Pick<Letter, 'text'>): boolean {
  return text.trim() === '';
}

function begin({ text, end, ...letter }: Letter): Line {
  return { ...letter, end, runs: [{ start: letter.start, text, ends: units(text, end) }] };
}

function append(line: Line, letter: Letter): void {
  const run = line.runs.at(-1);
  if (run === undefined) return;
  const gap = letter.start - line.end;
  if (gap > columnGap * (line.bottom - line.top) && !isBlank(letter)) {
    run.text = run.text.trimEnd();
    run.ends.length = run.text.length;
    line.runs.push({ start: letter.start, text: letter.text, ends: units(letter.text, letter.end) });
  } else {
    // A space that the engine adds between words has no width: it fills the gap.
    if (gap > 0 && isBlank({ text: run.text.slice(-1) })) run.ends[run.ends.length - 1] = letter.start;
    run.text += letter.text;
    run.ends.push(...units(letter.text, Math.max(letter.end, run.ends.at(-1) ?? letter.end)));
  }
  if (isBlank(letter)) return;
  line.end = Math.max(line.end, letter.end);
  line.top = Math.min(line.top, letter.top);
  line.bottom = Math.max(line.bottom, letter.bottom);
}

function units(text: string, end: number): number[] {
  return Array.from({ length: text.length }, () => end);
}

/** A form field belongs behind what stands left of it in its row, else before the first line below it. */
function placeAmong(lines: readonly Line[], added: Line): number {
  const middle = (added.top + added.bottom) / 2;
  const alike = lines.map((line, index) => ({ line, index })).filter(({ line }) => line.angle === added.angle);
  const label = alike.findLast(({ line }) => middle > line.top && middle < line.bottom && line.start <= added.start);
  if (label !== undefined) return label.index + 1;
  return alike.find(({ line }) => line.top >= middle)?.index ?? lines.length;
}

/** Lines without an element (page headers, later additions) stay behind the line before them. */
function inReadingOrder(lines: readonly Line[]): { line: Line; rank: number }[] {
  let rank = -1;
  return lines.map((line) => ({ line, rank: (rank = line.rank ?? rank) })).toSorted((left, right) => left.rank - right.rank);
}

function toTextLine(line: Line, page: { width: number; height: number }): TextLine | undefined {
  const runs = line.runs.filter((run) => !isBlank(run));
  if (runs.length === 0) return undefined;
  const radians = (line.angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const x = line.start * cos - line.top * sin;
  const y = line.start * sin + line.top * cos;
  // Text beside the sheet is invisible.
  if (x < -line.end + line.start || y < -page.height || x > page.width || y > page.height) return undefined;
  return {
    x: rounded(x),
    y: rounded(y),
    height: rounded(line.bottom - line.top),
    angle: line.angle,
    ...(line.heading === undefined ? {} : { heading: line.heading }),
    ...(line.language === undefined ? {} : { language: line.language }),
    runs: runs.map(({ start, text, ends }) => ({
      at: rounded(start - line.start),
      text: text.toWellFormed(),
      ends: ends.map((end) => rounded(end - line.start)),
    })),
  };
}

function rounded(points: number): number {
  return Math.round(points * 10) / 10;
}
