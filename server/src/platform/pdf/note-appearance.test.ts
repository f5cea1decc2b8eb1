import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import type { PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'note-appearance-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

/** A page of 200 x 100 points with one note. */
const writeNote = (entries: string): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Annots[5 0 R]>>',
    stream(' '),
    `<</Type/Annot/F 4${entries}>>`,
  ]);

const hexOf = (text: string): string => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const freeText = (text: string, entries = ''): Uint8Array =>
  writeNote(`/Subtype/FreeText/Rect[10 10 190 90]/Contents${hexOf(text)}/DA(0 0 1 rg /Helv 14 Tf)${entries}`);

interface Found {
  flags: readonly string[];
  lines: readonly string[];
  /** Whether a pixel of this place, in points from the top left corner, is of this colour. */
  shows(colour: 'red' | 'blue' | 'yellow', place: { left: number; top: number; width: number; height: number }): Promise<boolean>;
}

const isColour = {
  red: (r = 0, g = 0, b = 0) => r > 200 && g < 120 && b < 120,
  blue: (r = 0, g = 0, b = 0) => b > 200 && r < 120 && g < 120,
  yellow: (r = 0, g = 0, b = 0) => r > 200 && g > 200 && b < 120,
};

let last = 0;
async function read(pdf: Uint8Array): Promise<Found> {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const { flags } = await pool.inspect({ path });
  const lines: string[] = [];
  await pool.readLines({
    path,
    pages: [1],
    onPage: (_, page) => void lines.push(...page.lines.map(({ runs }) => runs.map((run) => run.text).join(''))),
  });
  const { imagePath } = await pool.drawPage({ path, page: 1, width: 200, task: { priority: 'waiting' } });
  return {
    flags,
    lines: lines.map((line) => line.trim()),
    async shows(colour, place) {
      const pixels = await sharp(imagePath).extract(place).removeAlpha().raw().toBuffer();
      return Array.from({ length: pixels.length / 3 }, (_, at) => at * 3).some((at) => isColour[colour](...pixels.subarray(at, at + 3)));
    },
  };
}

const page = { left: 0, top: 0, width: 200, height: 100 };

test('free text without an appearance has all its letters, in lines within its rectangle and in its colour', async () => {
  const found = await read(freeText('Załącznik żółć ĄĘŃŚŹ do umowy kredytu\rźdźbło'));
  expect(found).toMatchObject({ flags: [], lines: ['Załącznik żółć ĄĘŃŚŹ do', 'umowy kredytu', 'źdźbło'] });
  expect(await found.shows('blue', { left: 12, top: 12, width: 176, height: 16 })).toBe(true);
  expect(await found.shows('blue', { left: 12, top: 46, width: 60, height: 18 })).toBe(true);
  expect(await found.shows('blue', { left: 0, top: 70, width: 200, height: 30 })).toBe(false);
});

test('free text has a border and a background only when it names them', async () => {
  const edge = { left: 9, top: 40, width: 4, height: 40 };
  const plain = await read(freeText('Tekst'));
  expect([await plain.shows('blue', edge), await plain.shows('yellow', page)]).toEqual([false, false]);
  const framed = await read(freeText('Tekst', '/BS<</W 2>>/C[1 1 0]'));
  expect([await framed.shows('blue', edge), await framed.shows('yellow', page)]).toEqual([true, true]);
});

test('letters of a note that no font has are told to the publisher', async () => {
  expect((await read(freeText('Umowa 合同'))).flags).toEqual(['LETTERS_MISSING']);
});

test('free text with an appearance is shown as that', async () => {
  const drawn = stream('1 0 0 rg 0 0 180 80 re f', '/Type/XObject/Subtype/Form/BBox[0 0 180 80]');
  const pdf = Buffer.from(freeText('Tekst', '/AP<</N 6 0 R>>'));
  const found = await read(Buffer.from(pdf.toString('latin1').replace('trailer', `6 0 obj ${drawn} endobj\ntrailer`), 'latin1'));
  expect([await found.shows('red', page), await found.shows('blue', page)]).toEqual([true, false]);
});

test.each([
  ['ink', '/Subtype/Ink/InkList[[20 20 100 80 180 20]]'],
  ['a polygon', '/Subtype/Polygon/Vertices[20 20 100 80 180 20]'],
  ['a diamond', '/Subtype/Polygon/Vertices[20 50 100 80 180 50 100 20]'],
  ['a line of several points', '/Subtype/PolyLine/Vertices[20 20 100 80 180 20]'],
  ['a line', '/Subtype/Line/L[20 20 180 80]'],
  ['a rectangle', '/Subtype/Square'],
  ['a circle', '/Subtype/Circle'],
  ['a highlight', '/Subtype/Highlight/QuadPoints[20 80 180 80 20 20 180 20]'],
  ['a caret', '/Subtype/Caret'],
  ['a note', '/Subtype/Text/Contents(Dopisek)'],
])('%s without an appearance is drawn', async (_name, entries) => {
  const found = await read(writeNote(`${entries}/Rect[10 10 190 90]/C[1 0 0]/BS<</W 3>>`));
  expect(await found.shows('red', page)).toBe(true);
});

test('every shape of a page of notes without appearances is seen in its place, but for the stamp', async () => {
  const path = join(folder, 'shapes.pdf');
  await copyFile(new URL('../../testing/awkward-pdfs/shapes-no-appearance.pdf', import.meta.url), path);
  const { imagePath } = await pool.drawPage({ path, page: 1, width: 4 * 595, task: { priority: 'waiting' } });
  const rectangles = [...(await readFile(path, 'latin1')).matchAll(/\/Rect \[ (\d+) (\d+) (\d+) (\d+) \]/g)].map((found) =>
    found.slice(1).map(Number),
  );
  const seen = await Promise.all(
    rectangles.map(async ([left = 0, bottom = 0, right = 0, top = 0]) => {
      const place = { left: 4 * left, top: 4 * (842 - top), width: 4 * (right - left), height: 4 * (top - bottom) };
      const pixels = await sharp(imagePath).extract(place).removeAlpha().raw().toBuffer();
      return Array.from({ length: pixels.length / 3 }, (_, at) => at * 3).some((at) => isColour.red(...pixels.subarray(at, at + 3)));
    }),
  );
  expect(seen).toEqual(rectangles.map((_, index) => index < 12));
  expect(seen).toHaveLength(13);
});
