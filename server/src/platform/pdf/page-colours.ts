import type { Bitmap } from './pdf-document.ts';

/** A page in at most 256 colours. */
export interface IndexedImage {
  width: number;
  height: number;
  /** R | G << 8 | B << 16. */
  palette: readonly number[];
  /** One row after another, each of them led by one byte 0 (no filter), then one index per pixel. Valid until the next page. */
  rows: Uint8Array;
}

/** Undefined when the difference would be visible: photographs, soft shades. */
export function reduceColours(bitmap: Bitmap): IndexedImage | undefined {
  const found = findRuns(bitmap);
  if (found === undefined) return undefined;
  const { width, height, pixels } = bitmap;
  const limits = { maxError: pixels.length * 3 * maxMeanError };
  // Similar colours become one, for a smaller image; where that would show bands, a shade of grey keeps each of its own.
  const chosen = choosePalette(found, { ...limits, tolerance: similar }) ?? choosePalette(found, { ...limits, tolerance: 0 });
  return chosen && { width, height, palette: chosen.palette, rows: rowsOf(bitmap, chosen.indexes) };
}

/** Of a page, numbered from 0. */
interface Colours {
  readonly colours: readonly number[];
  /** How many pixels have them. */
  readonly weights: readonly number[];
}

/** Text has few runs, a scan many. */
const maxRunsPerPixel = 0.4;
const maxColours = 1 << 16;
/** Twice as many places as colours keep the searches of the hash table short. */
const placeCount = maxColours * 2;
const placeShift = 15;
const maxPalette = 256;
/** Squared distances up to which a colour takes the place of a less frequent one: about four levels of each channel. */
const similar = 48;
/** Squared, of each channel: about 42 dB. */
const maxMeanError = 4;
const noFilter = 0;
/** From this length on `fill` is faster than a loop. */
const longRun = 24;

// Reused for every page of this thread: allocating them takes longer than filling them.
const places = new Int32Array(placeCount);
/** A page as runs of one colour within a row: the position after each of them, and the number of its colour. */
let ends = new Uint32Array(0);
let numbers = new Uint16Array(0);
let rows = new Uint8Array(0);

/** Fills `ends` and `numbers`. Undefined when there are too many runs or colours. */
function findRuns({ pixels, width, height }: Bitmap): Colours | undefined {
  const maxRuns = Math.floor(pixels.length * maxRunsPerPixel) + height;
  if (ends.length < maxRuns) [ends, numbers] = [new Uint32Array(maxRuns), new Uint16Array(maxRuns)];
  places.fill(0);
  const colours: number[] = [];
  const weights: number[] = [];

  const numberOf = (colour: number): number => {
    let place = Math.imul(colour, 0x9e3779b1) >>> placeShift;
    for (let number = places[place]! - 1; number >= 0; number = places[place]! - 1) {
      if (colours[number] === colour) return number;
      place = (place + 1) & (placeCount - 1);
    }
    weights.push(0);
    places[place] = colours.push(colour);
    return colours.length - 1;
  };

  let run = 0;
  for (let at = 0, rowEnd = width; rowEnd <= pixels.length; rowEnd += width) {
    while (at < rowEnd) {
      const start = at;
      const pixel = pixels[at++]!;
      while (at < rowEnd && pixels[at] === pixel) at++;
      const number = numberOf(pixel & 0xffffff);
      if (run === maxRuns || number === maxColours) return undefined;
      weights[number]! += at - start;
      ends[run] = at;
      numbers[run++] = number;
    }
  }
  return { colours, weights };
}

/** The most frequent colours, and for each colour the index of the nearest of them. Undefined when the difference would be visible. */
function choosePalette(
  { colours, weights }: Colours,
  { tolerance, maxError }: { tolerance: number; maxError: number },
): { palette: number[]; indexes: Uint8Array } | undefined {
  const order = Uint16Array.from(colours.keys()).sort((left, right) => weights[right]! - weights[left]!);
  const palette: number[] = [];
  const indexes = new Uint8Array(colours.length);
  let error = 0;
  for (const number of order) {
    const colour = colours[number]!;
    const { index, squaredDistance } = findNearest(palette, colour);
    const isNew = squaredDistance > tolerance && palette.length < maxPalette;
    indexes[number] = isNew ? palette.push(colour) - 1 : index;
    if (!isNew) error += weights[number]! * squaredDistance;
    if (error > maxError) return undefined;
  }
  return { palette, indexes };
}

function findNearest(palette: readonly number[], colour: number): { index: number; squaredDistance: number } {
  let index = 0;
  let squaredDistance = Infinity;
  for (let candidate = 0; candidate < palette.length; candidate++) {
    const other = palette[candidate]!;
    const red = (other & 0xff) - (colour & 0xff);
    const green = ((other >>> 8) & 0xff) - ((colour >>> 8) & 0xff);
    const blue = (other >>> 16) - (colour >>> 16);
    const distance = red * red + green * green + blue * blue;
    if (distance >= squaredDistance) continue;
    squaredDistance = distance;
    index = candidate;
  }
  return { index, squaredDistance };
}

function rowsOf({ width, height }: Bitmap, indexes: Uint8Array): Uint8Array {
  const size = (width + 1) * height;
  if (rows.length < size) rows = new Uint8Array(size);
  let run = 0;
  for (let row = 0; row < height; row++) {
    rows[row * (width + 1)] = noFilter;
    const shift = row + 1;
    for (let at = row * width; at < (row + 1) * width; run++) {
      const index = indexes[numbers[run]!]!;
      const end = ends[run]!;
      if (end - at > longRun) rows.fill(index, at + shift, end + shift);
      else for (let place = at + shift; place < end + shift; place++) rows[place] = index;
      at = end;
    }
  }
  return rows.subarray(0, size);
}
