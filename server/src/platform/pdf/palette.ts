import type { Bitmap } from './pdf-document.ts';
import { createPixelRuns } from './pixel-runs.ts';

export interface PaletteImage {
  palette: number[];
  /** As `IndexedImage.rows`. Valid until the next page. */
  rows: Uint8Array;
}

export interface PaletteMaker {
  /** The page in at most 256 colours. Undefined when the difference would be visible (photographs, soft shades). */
  make(bitmap: Bitmap): PaletteImage | undefined;
  /** The page in its own colours. Undefined when these are more than 256. Keeps grey shades free of bands. */
  makeExact(bitmap: Bitmap): PaletteImage | undefined;
}

/**
 * Collects colours in 32 x 32 x 32 bins and uses the mean of each. The error is known before a pixel is mapped: the spread within the bins,
 * and the distance of the bins outside of the palette.
 */
export function createPaletteMaker(): PaletteMaker {
  const counts = new Uint32Array(binCount);
  const sums = [new Float64Array(binCount), new Float64Array(binCount), new Float64Array(binCount)] as const;
  const squares = new Float64Array(binCount);
  const indexes = new Uint8Array(binCount);
  const runs = createPixelRuns();
  const byteOfColour = new Uint8Array(runs.colours.length);
  const [reds, greens, blues] = sums;

  /** The bins with pixels, the fullest first. */
  function gather(): number[] {
    const bins: number[] = [];
    for (let number = 0; number < runs.found; number++) {
      const colour = runs.colours[number]!;
      const pixels = runs.weights[number]!;
      const bin = binOf(colour);
      if (counts[bin] === 0) bins.push(bin);
      const red = colour & 0xff;
      const green = (colour >>> 8) & 0xff;
      const blue = colour >>> 16;
      counts[bin]! += pixels;
      reds[bin]! += pixels * red;
      greens[bin]! += pixels * green;
      blues[bin]! += pixels * blue;
      squares[bin]! += pixels * (red * red + green * green + blue * blue);
    }
    return bins.sort((left, right) => counts[right]! - counts[left]!);
  }

  function forget(bins: readonly number[]): void {
    for (const bin of bins) for (const values of [counts, squares, ...sums]) values[bin] = 0;
  }

  function meanOf(bin: number): Colour {
    const count = counts[bin]!;
    return [reds[bin]! / count, greens[bin]! / count, blues[bin]! / count];
  }

  function spreadOf(bin: number): number {
    const [red, green, blue] = meanOf(bin);
    return squares[bin]! - counts[bin]! * (red * red + green * green + blue * blue);
  }

  /** Gives each bin a colour of the palette. Undefined when the error would be visible. */
  function choose(bins: readonly number[], pixels: number): Colour[] | undefined {
    const kept = bins.slice(0, paletteSize);
    const means = kept.map(meanOf);
    const outside = bins.slice(paletteSize);
    if (outside.reduce((total, bin) => total + counts[bin]!, 0) > pixels * maxShareMoved) return undefined;

    const samples = pixels * 3;
    if (bins.reduce((total, bin) => total + spreadOf(bin), 0) > samples * maxBanding) return undefined;
    let moved = 0;
    for (const [index, bin] of kept.entries()) indexes[bin] = index;
    for (const bin of outside) {
      const nearest = findNearest(means, meanOf(bin));
      indexes[bin] = nearest.index;
      moved += counts[bin]! * nearest.squaredDistance;
    }
    return moved > samples * maxMoved ? undefined : means;
  }

  return {
    make(bitmap) {
      if (!runs.find(bitmap)) return undefined;
      const bins = gather();
      const means = choose(bins, bitmap.pixels.length);
      forget(bins);
      if (means === undefined) return undefined;
      for (let number = 0; number < runs.found; number++) byteOfColour[number] = indexes[binOf(runs.colours[number]!)]!;
      return { palette: means.map(packed), rows: runs.mapRows(bitmap, byteOfColour, noFilter) };
    },

    makeExact(bitmap) {
      if (!runs.find(bitmap) || runs.found > paletteSize) return undefined;
      for (let number = 0; number < runs.found; number++) byteOfColour[number] = number;
      return { palette: [...runs.colours.subarray(0, runs.found)], rows: runs.mapRows(bitmap, byteOfColour, noFilter) };
    },
  };
}

type Colour = [red: number, green: number, blue: number];

const binCount = 1 << 15;
const paletteSize = 256;
const noFilter = 0;
/** Share of pixels outside of the palette: beyond it the page is a picture. */
const maxShareMoved = 0.02;
/** Mean squared error within the bins, about 46 dB: text stays far below, a page-wide shade would show bands. */
const maxBanding = 1.6;
/** The same of the colours outside, about 42 dB: mostly the soft edges of letters, where an error is less visible. */
const maxMoved = 4;

function binOf(pixel: number): number {
  return ((pixel >>> 3) & 0x1f) | ((pixel >>> 6) & 0x3e0) | ((pixel >>> 9) & 0x7c00);
}

function packed([red, green, blue]: Colour): number {
  return Math.round(red) | (Math.round(green) << 8) | (Math.round(blue) << 16);
}

function findNearest(colours: readonly Colour[], [red, green, blue]: Colour): { index: number; squaredDistance: number } {
  let index = 0;
  let squaredDistance = Infinity;
  for (const [candidate, colour] of colours.entries()) {
    const distance = (colour[0] - red) ** 2 + (colour[1] - green) ** 2 + (colour[2] - blue) ** 2;
    if (distance >= squaredDistance) continue;
    squaredDistance = distance;
    index = candidate;
  }
  return { index, squaredDistance };
}
