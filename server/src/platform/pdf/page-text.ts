import type { PageText, TextFigure, TextLine } from '@pergamin/contract';
import type { Pdfium } from './pdfium.ts';
import { deviceMatrix, floats, type Letter, type LoadedText, readRows } from './page-letters.ts';
import { afterAll, bufferBytes, type Figure, readStructure, type Structure } from './page-structure.ts';
import { isWordGap, type Spacing, spacingAfter } from './word-gaps.ts';
import { inLineDirection, joinParts } from './writing-direction.ts';

interface Loaded extends LoadedText {
  document: number;
}

interface Line extends Omit<Letter, 'text' | 'object' | 'isAdded' | 'em' | 'space'> {
  runs: { start: number; text: string; ends: number[] }[];
  spacing: Spacing;
  /** The engine has added a space, which counts where the next letter is not too near. */
  isSpaceAdded: boolean;
}

interface Options {
  /** Form fields and notes. */
  readonly added?: Loaded;
  /** Of either. */
  readonly maxLetters: number;
}

const noStructure: Structure = {
  language: null,
  figures: [],
  placeOf: () => ({ rank: undefined, heading: undefined, language: undefined }),
};
/** Pieces that figures are drawn of. */
const maxPieces = 20_000;
/** By the height of the line: a wider gap separates columns of a table. */
const columnGap = 1.2;

/**
 * The letters of a page and their positions: in points after the page's rotation, from its top left corner. Lines come in reading order: that
 * of the document's structure when it has one, of its content otherwise. Lines of `added` (form fields, notes) are put where they are seen.
 */
export function createPageTextReader(pdfium: Pdfium): (loaded: Loaded, options: Options) => PageText {
  const scratch = pdfium.allocate(bufferBytes);
  const readLines = (loaded: Loaded, { structure, maxLetters }: { structure: Structure; maxLetters: number }): Line[] => {
    const lines: Line[] = [];
    for (const row of joinParts(readRows(pdfium, { ...loaded, scratch, structure, maxLetters })))
      for (const letter of inLineDirection(row)) {
        const last = lines.at(-1);
        if (last !== undefined && continues(last, letter)) append(last, letter);
        else if (!letter.isAdded) lines.push(begin(letter));
      }
    return lines;
  };
  return (loaded, { added, maxLetters }) => {
    const structure = readStructure(pdfium, { ...loaded, buffer: scratch });
    const lines = readLines(loaded, { structure, maxLetters });
    for (const line of added === undefined ? [] : readLines(added, { structure: noStructure, maxLetters }))
      lines.splice(placeAmong(lines, line), 0, line);
    const shown = inReadingOrder(lines).flatMap(({ line, rank }) => {
      const said = toTextLine(line);
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

function continues(line: Line, letter: Letter): boolean {
  if (line.angle !== letter.angle || line.isMirrored !== letter.isMirrored) return false;
  const height = line.bottom - line.top;
  const middle = (letter.top + letter.bottom) / 2;
  const isInRow = isBlank(letter) || (middle > line.top && middle < line.bottom);
  const isOfText = (line.rank === afterAll) === (letter.rank === afterAll);
  const isAlike = isBlank(letter) || (isOfText && line.heading === (letter.heading ?? line.heading) && line.language === letter.language);
  const reach = isBlank(letter) ? height : Math.min(height, letter.bottom - letter.top);
  return isInRow && letter.start > line.end - reach && isAlike;
}

function isBlank({ text }: Pick<Letter, 'text'>): boolean {
  return text.trim() === '';
}

function begin(letter: Letter): Line {
  const { text, object: _object, isAdded: _isAdded, em: _em, space: _space, ...place } = letter;
  return {
    ...place,
    runs: [{ start: letter.start, text, ends: units(text, letter.end) }],
    spacing: { letter, gaps: undefined },
    isSpaceAdded: false,
  };
}

function append(line: Line, letter: Letter): void {
  if (letter.isAdded) {
    line.isSpaceAdded = true;
    return;
  }
  const run = line.runs.at(-1);
  if (run === undefined) return;
  const gap = letter.start - line.end;
  const isBehindBlank = isBlank({ text: run.text.slice(-1) });
  let isDivided = isBehindBlank || isBlank(letter);
  if (gap > columnGap * (line.bottom - line.top) && !isBlank(letter)) {
    run.text = run.text.trimEnd();
    run.ends.length = run.text.length;
    line.runs.push({ start: letter.start, text: letter.text, ends: units(letter.text, letter.end) });
  } else {
    // A space fills the gap.
    if (gap > 0 && isBehindBlank) run.ends[run.ends.length - 1] = letter.start;
    else if (!isDivided && isWordGap(line.spacing, letter, line.isSpaceAdded)) {
      isDivided = true;
      run.text += ' ';
      run.ends.push(Math.max(letter.start, run.ends.at(-1) ?? letter.start));
    }
    run.text += letter.text;
    run.ends.push(...units(letter.text, Math.max(letter.end, run.ends.at(-1) ?? letter.end)));
  }
  if (isBlank(letter)) return;
  line.spacing = spacingAfter(line.spacing, letter, isDivided);
  line.isSpaceAdded = false;
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

/** Lines without an element (later additions) stay behind the line before them, artifacts come last. */
function inReadingOrder(lines: readonly Line[]): { line: Line; rank: number }[] {
  let before = -1;
  const ranked = lines.map((line) => {
    const rank = line.rank ?? before;
    if (rank !== afterAll) before = rank;
    return { line, rank };
  });
  return ranked.toSorted((left, right) => left.rank - right.rank);
}

function toTextLine(line: Line): TextLine | undefined {
  const runs = line.runs.filter((run) => !isBlank(run));
  if (runs.length === 0) return undefined;
  const radians = (line.angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const left = line.isMirrored ? -line.end : line.start;
  const x = left * cos - line.top * sin;
  const y = left * sin + line.top * cos;
  return {
    x: rounded(x),
    y: rounded(y),
    height: rounded(line.bottom - line.top),
    angle: line.angle,
    ...(line.heading === undefined ? {} : { heading: line.heading }),
    ...(line.language === undefined ? {} : { language: line.language }),
    ...(line.isMirrored ? { rightToLeft: true } : {}),
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
