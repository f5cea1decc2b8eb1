import type { Pdfium } from './pdfium.ts';
import type { Structure } from './page-structure.ts';

/** A page of which the engine has read the text. */
export interface LoadedText {
  page: number;
  text: number;
  /** The first letter that is read. */
  from?: number;
}

/** A letter in the direction of its line, in points. */
export interface Letter {
  text: string;
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

/** A dense page has 8 000 letters. */
const maxLetters = 40_000;
const softHyphen = '\u{AD}';

/** Rows of letters, as the engine divides them. Right-to-left text comes in the order in which it is read. */
export function* readRows(
  pdfium: Pdfium,
  { page, text, from = 0, scratch, structure }: LoadedText & { scratch: number; structure: Structure },
): Generator<Letter[]> {
  const { api } = pdfium;
  const toDevice = deviceMatrix(pdfium, page, scratch);
  const end = Math.min(api.FPDFText_CountChars(text), from + maxLetters);
  let row: Letter[] = [];
  for (let index = from; index < end; index++) {
    const code = api.FPDFText_GetUnicode(text, index);
    if (code === 10 || code === 13) {
      if (row.length > 0) yield row;
      row = [];
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
    const place = structure.placeOf(api.FPDFText_GetTextObject(text, index));
    row.push({ text: letterOf(code), angle: along.angle, ...shape, isMirrored: false, ...place });
  }
  if (row.length > 0) yield row;
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
function unit([x, y]: [number, number]): { x: number; y: number; angle: number } {
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
