import type { Bitmap } from './pdf-document.ts';
import { createPixelRuns } from './pixel-runs.ts';

export interface PaletteImage {
  palette: number[];
  /** As `IndexedImage.rows`; lives until the next page is made. */
  rows: Uint8Array;
}

export interface PaletteMaker {
  /** The page in at most 256 colours, undefined when the eye would see the difference (photographs, soft shades). */
  make(bitmap: Bitmap): PaletteImage | undefined;
  /** The page with every colour it has, undefined when these are more than 256. Keeps grey shades free of bands. */
  makeExact(bitmap: Bitmap): PaletteImage | undefined;
}

/**
 * Colours are gathered in 32 x 32 x 32 bins, of which each keeps its mean, so that paper stays as white as it was drawn.
 * What the palette would cost in fidelity is known before a single pixel is mapped: the spread within the bins and the
 * distance of the bins that found no place.
 */
export function createPaletteMaker(): PaletteMaker {
  const counts = new Uint32Array(binCount);
  const sums = [new Float64Array(binCount), new Float64Array(binCount), new Float64Array(binCount)] as const;
  const squares = new Float64Array(binCount);
  const indexes = new Uint8Array(binCount);
  const runs = createPixelRuns();
  const byteOfColour = new Uint8Array(runs.colours.length);
  const [reds, greens, blues] = sums;

  /** The bins that have any pixels, the fullest first. */
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

  /** Gives each bin its place in the palette; undefined when the eye would see what is lost. */
  function choose(bins: readonly number[], pixels: number): Colour[] | undefined {
    const kept = bins.slice(0, paletteSize);
    const means = kept.map(meanOf);
    const homeless = bins.slice(paletteSize);
    if (homeless.reduce((total, bin) => total + counts[bin]!, 0) > pixels * maxShareMoved) return undefined;

    const samples = pixels * 3;
    if (bins.reduce((total, bin) => total + spreadOf(bin), 0) > samples * maxBanding) return undefined;
    let moved = 0;
    for (const [index, bin] of kept.entries()) indexes[bin] = index;
    for (const bin of homeless) {
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
/** Share of the page whose colour found no place: beyond it the page is a picture. */
const maxShareMoved = 0.02;
/** Mean squared error within the bins, about 46 dB: text stays far below, a page-wide shade of colour goes beyond and would show bands. */
const maxBanding = 1.6;
/** The same of the colours that found no place, about 42 dB; these are mostly the soft edges of letters, where the eye forgives more. */
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
