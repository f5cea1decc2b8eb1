import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeIndexedPng } from './indexed-png.ts';
import { reduceColours } from './page-colours.ts';
import type { Bitmap } from './pdf-document.ts';

test('black on white comes back pixel by pixel', async () => {
  const page = bitmapOf((x, y) => ((x + y) % 7 === 0 ? grey(0) : grey(255)));
  expect(await decoded(page)).toEqual(page.pixels);
});

test('an odd width keeps rows apart', async () => {
  const page = bitmapOf((x, y) => grey(x === y ? 40 : 255), 101, 37);
  expect(await decoded(page)).toEqual(page.pixels);
});

test('paper stays the white it is, however many nearly white edges there are', async () => {
  const page = bitmapOf((x) => grey(x % 50 === 0 ? 249 : 255));
  const pixels = await decoded(page);
  expect(pixels[1]).toBe(grey(255));
});

test('soft edges of text in many inks are kept within what an eye can tell', async () => {
  const page = bitmapOf((x, y) => (x % 20 === 0 ? inkOnPaper((x / 20) % 12, (y % 32) / 31) : grey(255)), 600);
  const pixels = await decoded(page);
  const squares = page.pixels.reduce((sum, pixel, at) => sum + ((pixel & 0xff) - ((pixels[at] ?? 0) & 0xff)) ** 2, 0);
  expect(squares).toBeGreaterThan(0);
  expect(squares / pixels.length).toBeLessThan(5);
});

test('a grey shade has no bands: it keeps each of its greys', async () => {
  const page = bitmapOf((_, y) => grey(y % 256));
  expect(await decoded(page)).toEqual(page.pixels);
});

test('a soft shade of colours and a photograph are left to the other encoder', () => {
  for (const page of [
    bitmapOf((x, y) => rgb(x % 256, y % 256, 128)),
    bitmapOf((x, y) => rgb((x * 37 + y * 11) % 256, (x * 5 + y * 71) % 256, (x * y) % 256)),
  ]) {
    expect(reduceColours(page)).toBeUndefined();
  }
});

function bitmapOf(colourAt: (x: number, y: number) => number, width = 300, height = 256): Bitmap {
  return { width, height, pixels: Uint32Array.from({ length: width * height }, (_, at) => colourAt(at % width, Math.floor(at / width))) };
}

function rgb(red: number, green: number, blue: number): number {
  return (red | (green << 8) | (blue << 16) | 0xff000000) >>> 0;
}

/** An ink by its angle on the colour wheel, covering its pixel by a share of 0 to 1. */
function inkOnPaper(angle: number, cover: number): number {
  const channel = (turn: number) => Math.round(255 - cover * (128 + 127 * Math.cos(angle + turn)));
  return rgb(channel(0), channel(2.1), channel(4.2));
}

function grey(value: number): number {
  return rgb(value, value, value);
}

async function decoded(page: Bitmap): Promise<Uint32Array> {
  const image = reduceColours(page);
  if (!image) throw new Error('the page was left to the other encoder');
  const { data } = await sharp(encodeIndexedPng(image)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return new Uint32Array(Uint8Array.from(data).buffer);
}
