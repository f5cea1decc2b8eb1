import type { Bitmap } from './pdf-document.ts';

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
  // Kept from page to page: new memory of this size would cost as much as filling it.
  let scratch = new Uint8Array(0);
  const [reds, greens, blues] = sums;

  function gather(pixels: Uint32Array): void {
    counts.fill(0);
    for (const sum of sums) sum.fill(0);
    squares.fill(0);
    const end = pixels.length;
    let at = 0;
    while (at < end) {
      const pixel = pixels[at] ?? 0;
      const start = at++;
      while (at < end && pixels[at] === pixel) at++;
      const run = at - start;
      const red = pixel & 0xff;
      const green = (pixel >>> 8) & 0xff;
      const blue = (pixel >>> 16) & 0xff;
      const bin = binOf(pixel);
      counts[bin]! += run;
      reds[bin]! += run * red;
      greens[bin]! += run * green;
      blues[bin]! += run * blue;
      squares[bin]! += run * (red * red + green * green + blue * blue);
    }
  }

  function meanOf(bin: number): Colour {
    const count = counts[bin]!;
    return [reds[bin]! / count, greens[bin]! / count, blues[bin]! / count];
  }

  function spreadOf(bin: number): number {
    const [red, green, blue] = meanOf(bin);
    return squares[bin]! - counts[bin]! * (red * red + green * green + blue * blue);
  }

  function mapRows({ pixels, width, height }: Bitmap, indexOf: (pixel: number) => number): Uint8Array {
    const size = (width + 1) * height;
    if (scratch.length < size) scratch = new Uint8Array(size);
    const rows = scratch.subarray(0, size);
    let previous = pixels[0] ?? 0;
    let index = indexOf(previous);
    let from = 0;
    let to = 0;
    for (let row = 0; row < height; row++) {
      rows[to++] = noFilter;
      for (const end = from + width; from < end; from++) {
        const pixel = pixels[from]!;
        if (pixel !== previous) {
          previous = pixel;
          index = indexOf(pixel);
        }
        rows[to++] = index;
      }
    }
    return rows;
  }

  return {
    make({ pixels, width, height }) {
      gather(pixels);
      const bins: number[] = [];
      for (let bin = 0; bin < binCount; bin++) if (counts[bin] !== 0) bins.push(bin);
      bins.sort((left, right) => counts[right]! - counts[left]!);

      const kept = bins.slice(0, paletteSize);
      const means = kept.map(meanOf);
      const homeless = bins.slice(paletteSize);
      if (homeless.reduce((total, bin) => total + counts[bin]!, 0) > pixels.length * maxShareMoved) return undefined;

      const samples = pixels.length * 3;
      if (bins.reduce((total, bin) => total + spreadOf(bin), 0) > samples * maxBanding) return undefined;
      let moved = 0;
      for (const [index, bin] of kept.entries()) indexes[bin] = index;
      for (const bin of homeless) {
        const nearest = findNearest(means, meanOf(bin));
        indexes[bin] = nearest.index;
        moved += counts[bin]! * nearest.squaredDistance;
      }
      if (moved > samples * maxMoved) return undefined;
      return { palette: means.map(packed), rows: mapRows({ pixels, width, height }, (pixel) => indexes[binOf(pixel)]!) };
    },

    makeExact(bitmap) {
      const exact = new Map<number, number>();
      let previous = -1;
      for (const pixel of bitmap.pixels) {
        if (pixel === previous) continue;
        previous = pixel;
        const colour = pixel & 0xffffff;
        if (exact.has(colour)) continue;
        if (exact.size === paletteSize) return undefined;
        exact.set(colour, exact.size);
      }
      return { palette: [...exact.keys()], rows: mapRows(bitmap, (pixel) => exact.get(pixel & 0xffffff)!) };
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
