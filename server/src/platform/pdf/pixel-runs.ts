import type { Bitmap } from './pdf-document.ts';

/** A page as runs of one colour within a row, and its colours. Each pixel is read once. */
export interface PixelRuns {
  /** False when the page has more colours than a page of text has. The other members are invalid then. */
  find(bitmap: Bitmap): boolean;
  /** Number of colours, which are numbered from 0. */
  readonly found: number;
  /** R | G << 8 | B << 16, by number. */
  readonly colours: Uint32Array;
  /** Pixels of each colour. */
  readonly weights: Uint32Array;
  /** Rows of `first` and a byte for each pixel: that of its colour. Valid until the next page. */
  mapRows(bitmap: Bitmap, byteOfColour: Uint8Array, first: number): Uint8Array;
}

export function createPixelRuns(): PixelRuns {
  // Reused for every page: allocating them costs as much as filling them.
  const places = new Int32Array(placeCount);
  const colours = new Uint32Array(maxColours);
  const weights = new Uint32Array(maxColours);
  let ends = new Uint32Array(0);
  let numbers = new Uint16Array(0);
  let bounds = new Uint32Array(0);
  let rows = new Uint8Array(0);
  let found = 0;

  /** Undefined when there are too many. */
  function numberOf(pixel: number): number | undefined {
    const colour = pixel & 0xffffff;
    for (let place = Math.imul(colour, 0x9e3779b1) >>> placeShift; ; place = (place + 1) & (placeCount - 1)) {
      const number = places[place]! - 1;
      if (number >= 0 && colours[number] === colour) return number;
      if (number >= 0) continue;
      if (found === maxColours) return undefined;
      places[place] = found + 1;
      colours[found] = colour;
      weights[found] = 0;
      return found++;
    }
  }

  /** A row has as many runs as pixels at most. */
  function makeRoom(runs: number): void {
    if (runs <= ends.length) return;
    const size = Math.max(ends.length * 2, runs, leastRuns);
    const [oldEnds, oldNumbers] = [ends, numbers];
    ends = new Uint32Array(size);
    ends.set(oldEnds);
    numbers = new Uint16Array(size);
    numbers.set(oldNumbers);
  }

  return {
    find({ pixels, width, height }) {
      const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
      const rowBytes = width * 4;
      // Two for each row: its first run, and one after its last. A row equal to the one above shares its runs.
      if (bounds.length < height * 2) bounds = new Uint32Array(height * 2);
      places.fill(0);
      found = 0;
      let runs = 0;
      for (let row = 0; row < height; row++) {
        const from = row * rowBytes;
        // Most rows of a page of text are empty, and comparing whole rows is cheap.
        if (row > 0 && bytes.compare(bytes, from - rowBytes, from, from, from + rowBytes) === 0) {
          bounds[row * 2] = bounds[row * 2 - 2]!;
          bounds[row * 2 + 1] = bounds[row * 2 - 1]!;
        } else {
          makeRoom(runs + width);
          bounds[row * 2] = runs;
          const start = row * width;
          let previous = -1;
          let number: number | undefined;
          for (let at = 0; at < width;) {
            const pixel = pixels[start + at++]!;
            while (at < width && pixels[start + at] === pixel) at++;
            if (pixel !== previous) number = numberOf(pixel);
            if (number === undefined) return false;
            previous = pixel;
            ends[runs] = at;
            numbers[runs++] = number;
          }
          bounds[row * 2 + 1] = runs;
        }
        let start = 0;
        for (let run = bounds[row * 2]!, last = bounds[row * 2 + 1]!; run < last; run++) {
          weights[numbers[run]!]! += ends[run]! - start;
          start = ends[run]!;
        }
      }
      return true;
    },

    get found() {
      return found;
    },
    colours,
    weights,

    mapRows({ width, height }, byteOfColour, first) {
      const size = (width + 1) * height;
      if (rows.length < size) rows = new Uint8Array(size);
      for (let row = 0; row < height; row++) {
        const line = row * (width + 1);
        if (row > 0 && bounds[row * 2] === bounds[row * 2 - 2]) {
          rows.copyWithin(line, line - width - 1, line);
          continue;
        }
        rows[line] = first;
        let at = line + 1;
        for (let run = bounds[row * 2]!, last = bounds[row * 2 + 1]!; run < last; run++) {
          const byte = byteOfColour[numbers[run]!]!;
          const end = line + 1 + ends[run]!;
          if (end - at > longRun) rows.fill(byte, at, end);
          else for (; at < end; at++) rows[at] = byte;
          at = end;
        }
      }
      return rows.subarray(0, size);
    },
  };
}

const maxColours = 1 << 16;
/** Twice as many places as colours keep the searches of the hash table short. */
const placeCount = maxColours * 2;
const placeShift = 15;
const leastRuns = 1 << 18;
/** From here on filling at once is faster than a loop. */
const longRun = 24;
