import type { Letter } from './page-letters.ts';

/**
 * Gives the letters of a row the axes of their line. A line from right to left is mirrored, so that positions grow as it is read; words of the
 * other direction within a line lie in it as one piece. Vertical text is turned, as if it were written downwards.
 */
export const inLineDirection = (row: readonly Letter[]): readonly Letter[] => {
  if (row.some(isRightToLeft)) return linesOf(row).flatMap(mirror);
  return row.some((letter, index) => isBelow(letter, row[index - 1])) ? turnColumns(row) : row;
};

/** By the size of a letter: how far the parts of a line may be apart that are drawn one by one. */
const partGap = 0.6;

/** Rows that the engine divides where the parts of a right-to-left line are drawn one by one, in whatever order, are joined in reading order. */
export function* joinParts(rows: Iterable<readonly Letter[]>): Generator<readonly Letter[]> {
  let joined: readonly Letter[] | undefined;
  for (const row of rows) {
    const side = joined === undefined ? undefined : sideOf(row, joined);
    if (joined === undefined || side === undefined) {
      if (joined !== undefined) yield joined;
      joined = row;
    } else joined = side === 'right' ? [...row, ...joined] : [...joined, ...row];
  }
  if (joined !== undefined) yield joined;
}

/** On which side of a line its next part lies. Undefined when it is none. */
const sideOf = (part: readonly Letter[], line: readonly Letter[]): Direction | undefined => {
  if (!isAllRightToLeft(part) || !isAllRightToLeft(line)) return undefined;
  const [one, other] = [extentOf(part), extentOf(line)];
  const middle = (one.top + one.bottom) / 2;
  if (one.angle !== other.angle || middle < other.top || middle > other.bottom) return undefined;
  const reach = partGap * Math.min(one.em, other.em);
  if (Math.abs(one.start - other.end) <= reach) return 'right';
  return Math.abs(other.start - one.end) <= reach ? 'left' : undefined;
};

const isAllRightToLeft = (row: readonly Letter[]): boolean =>
  row.some(isRightToLeft) && row.every((letter) => directionOf(letter) !== 'right');

const extentOf = (row: readonly Letter[]): Pick<Letter, 'start' | 'end' | 'top' | 'bottom' | 'em' | 'angle'> => {
  const solid = row.filter((letter) => !isBlank(letter));
  return {
    start: Math.min(...solid.map(({ start }) => start)),
    end: Math.max(...solid.map(({ end }) => end)),
    top: Math.min(...solid.map(({ top }) => top)),
    bottom: Math.max(...solid.map(({ bottom }) => bottom)),
    em: Math.min(...solid.map(({ em }) => em)),
    angle: solid[0]?.angle ?? 0,
  };
};

type Direction = 'left' | 'right';

const rightToLeft: readonly (readonly [number, number])[] = [
  [0x590, 0x8ff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfefe],
  [0x10800, 0x10fff],
  [0x1e800, 0x1efff],
];

const isRightToLeft = ({ text }: Letter): boolean => {
  const code = text.codePointAt(0) ?? 0;
  return code >= 0x590 && rightToLeft.some(([first, last]) => code >= first && code <= last);
};

const isBlank = ({ text }: Letter): boolean => text.trim() === '';

/** The engine may put two lines into one row. */
const linesOf = (row: readonly Letter[]): Letter[][] => {
  const lines: Letter[][] = [];
  let before: Letter | undefined;
  for (const letter of row) {
    const middle = (letter.top + letter.bottom) / 2;
    const goesOn = before?.angle === letter.angle && middle > before.top && middle < before.bottom;
    if (lines.length === 0 || (!goesOn && !isBlank(letter))) lines.push([]);
    lines.at(-1)?.push(letter);
    if (!isBlank(letter)) before = letter;
  }
  return lines;
};

const directionOf = (letter: Letter): Direction | undefined => {
  if (isRightToLeft(letter)) return 'left';
  return /[\p{L}\p{N}]/u.test(letter.text) ? 'right' : undefined;
};

/** Signs without a direction of their own have that of both neighbours, or else of the line (UAX 9, rules N1 and N2). */
const directionsOf = (line: readonly Letter[], base: Direction): Direction[] => {
  const own = line.map(directionOf);
  const after: (Direction | undefined)[] = [];
  for (let index = line.length - 1, next: Direction | undefined; index >= 0; index--) after[index] = next = own[index] ?? next;
  let before: Direction | undefined;
  return own.map((direction, index) => {
    if (direction !== undefined) return (before = direction);
    return before !== undefined && before === after[index] ? before : base;
  });
};

/** The engine takes what is drawn from right to left for the other order, and turns it. */
const inReadingOrder = (line: readonly Letter[]): readonly Letter[] => {
  const solid = line.filter((letter) => !isBlank(letter));
  if (!isAllRightToLeft(line)) return line;
  const steps = solid.slice(1).map(({ start }, index) => Math.sign(start - (solid[index]?.start ?? start)));
  return steps.reduce((sum, step) => sum + step, 0) > 0 ? line.toReversed() : line;
};

const mirror = (given: readonly Letter[]): Letter[] => {
  const line = inReadingOrder(given);
  const solid = line.filter((letter) => !isBlank(letter));
  const base = (solid[0]?.start ?? 0) > (solid.at(-1)?.start ?? 0) || solid.every(isRightToLeft) ? 'left' : 'right';
  const directions = directionsOf(line, base);
  const mirrored: Letter[] = [];
  for (let from = 0, to = 0; from < line.length; from = to) {
    while (to < line.length && directions[to] === directions[from]) to++;
    const piece = line.slice(from, to);
    mirrored.push(...(directions[from] === base ? piece : placeOther(piece)));
  }
  if (base === 'left') for (const [index, letter] of mirrored.entries()) mirrored[index] = { ...reflect(letter, 0), isMirrored: true };
  // A space that the engine adds between words has no width, and lies at either of them.
  for (const [index, letter] of mirrored.entries()) {
    const { end } = mirrored[index - 1] ?? letter;
    if (isBlank(letter) && letter.end - letter.start < hairPoints) mirrored[index] = { ...letter, start: end, end };
  }
  return mirrored;
};

/** Words of the other direction fill their place in the direction of the line. The engine lists them from right to left, whatever their language. */
const placeOther = (piece: readonly Letter[]): Letter[] => {
  const words: Letter[][] = [];
  for (const [index, letter] of piece.entries()) {
    const before = piece[index - 1];
    if (before === undefined || isBlank(before) !== isBlank(letter)) words.push([]);
    words.at(-1)?.push(letter);
  }
  const [first] = piece;
  const isBackwards = first !== undefined && !isRightToLeft(first) && first.start > (words.at(-1)?.[0]?.start ?? first.start);
  const solid = piece.filter((letter) => !isBlank(letter));
  const ends = Math.min(...solid.map(({ start }) => start)) + Math.max(...solid.map(({ end }) => end));
  return (isBackwards ? words.toReversed() : words).flat().map((letter) => reflect(letter, ends));
};

const hairPoints = 0.01;
const none = (): number => 0;

const reflect = (letter: Letter, ends: number): Letter => ({
  ...letter,
  start: ends - letter.end,
  end: ends - letter.start,
  overhang: none,
});

/** By the height of a letter: how far the next one may be in a vertical line. */
const columnGap = 0.6;
const maxOverlap = 0.2;

const isBelow = (letter: Letter, before: Letter | undefined): boolean => {
  if (before === undefined || before.angle !== letter.angle) return false;
  const height = before.bottom - before.top;
  const gap = letter.top - before.bottom;
  if (gap < -maxOverlap * height || gap > columnGap * height) return false;
  const isAside = Math.abs(letter.end - before.end) > height / 2;
  return !isAside && !isBlank(letter) && !isBlank(before);
};

const turnColumns = (row: readonly Letter[]): Letter[] => {
  let isVertical = false;
  return row.map((letter, index) => {
    const next = row[index + 1];
    const isInColumn = isBelow(letter, row[index - 1]) || (next !== undefined && isBelow(next, letter));
    isVertical = isInColumn || (isVertical && isBlank(letter));
    if (!isVertical) return letter;
    // The engine's box of a vertical letter is right at its right side only.
    const left = letter.end - (letter.bottom - letter.top);
    const angle = letter.angle >= 90 ? letter.angle - 270 : letter.angle + 90;
    return {
      ...letter,
      overhang: none,
      angle: angle === -180 ? 180 : angle,
      start: letter.top,
      end: letter.bottom,
      top: -letter.end,
      bottom: -left,
    };
  });
};
