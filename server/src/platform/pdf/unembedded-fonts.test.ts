import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { stream } from '#testing/simple-pdf.ts';
import { toUnicode, writeInGlyphs } from '#testing/unembedded-pdfs.ts';
import { readLetters } from './font-letters.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unembedded-fonts-'));
  pool = createPdfPool({ log: silentLog(), workers: 1 });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

/** Glyph numbers of the original fonts, as files with ToUnicode maps show them. */
const paneuropean = [83, 76, 261, 87, 72, 78, 3, 225, 266, 286, 252, 276, 121, 296, 298, 224, 285, 297];
const pangram = 'piątek łęśćńóźżŁŚŻ';
const calibri = [393, 349, 268, 410, 286, 364, 3, 371, 295, 401, 273, 375, 383, 461, 463, 66, 95, 130];
const cambria = [146, 139, 166, 150, 135, 141, 3, 207, 184, 228, 169, 209, 215, 258];

test.each([
  ['Arial', paneuropean, pangram, 'LiberationSans-Regular'],
  ['Arial,Bold', paneuropean, pangram, 'LiberationSans-Bold'],
  ['TimesNewRomanPSMT', paneuropean, pangram, 'LiberationSerif-Regular'],
  ['TimesNewRomanPS-BoldItalicMT', paneuropean, pangram, 'LiberationSerif-BoldItalic'],
  ['CourierNew', paneuropean, pangram, 'LiberationMono-Regular'],
  ['Calibri', calibri, pangram, 'Carlito-Regular'],
  ['Cambria', cambria, 'piątek łęśćńóż', 'LiberationSerif-Regular'],
  ['Verdana', [57, 68, 87, 3, 21, 22], 'Vat 23', 'LiberationSans-Regular'],
])('glyph numbers of %s, which is not embedded, are its letters in picture and text', async (name, codes, text, bundled) => {
  const found = await read(writeInGlyphs({ name, codes }));
  expect(found).toMatchObject({ flags: [], text, lines: [text] });
  await expectSamePicture(found.picture, await embedded(bundled, text));
});

test('letters of a font that is not embedded come from its ToUnicode, whatever its name and its map of glyphs', async () => {
  const codes = [40, 41, 42];
  const letters = new Map([...'łęź'].map((letter, index) => [40 + index, letter]));
  const parts = { name: 'Unheard', codes, entries: '/ToUnicode 8 0 R' };
  const plain = await read(writeInGlyphs({ ...parts, further: [toUnicode(letters)] }));
  expect(plain).toMatchObject({ flags: [], text: 'łęź' });
  await expectSamePicture(plain.picture, await embedded('LiberationSans-Regular', 'łęź'));
  const glyphs = stream('\0\x01'.repeat(100));
  const mapped = await read(writeInGlyphs({ ...parts, descendantEntries: '/CIDToGIDMap 9 0 R', further: [toUnicode(letters), glyphs] }));
  await expectSamePicture(mapped.picture, plain.picture);
});

test('the map of glyphs of a font that is not embedded leads to numbers of the original font', async () => {
  const glyphs = [0, ...paneuropean].map((glyph) => String.fromCharCode(glyph >> 8, glyph & 0xff)).join('');
  const codes = paneuropean.map((_, index) => index + 1);
  const found = await read(writeInGlyphs({ name: 'Arial', codes, descendantEntries: '/CIDToGIDMap 8 0 R', further: [stream(glyphs)] }));
  expect(found).toMatchObject({ flags: [], text: pangram });
});

test('of a font whose numbers are unknown, ASCII is taken to be usual, the rest are boxes, and the publisher is told', async () => {
  const found = await read(writeInGlyphs({ name: 'Unheard', codes: [83, 76, 261] }));
  expect(found).toMatchObject({ flags: ['FONT_GUESSED'], text: 'pi\u{FFFD}' });
  await expectSamePicture(found.picture, await embedded('LiberationSans-Regular', 'pi□'));
});

test('a number that is unknown in a known font is a box, and the publisher is told', async () => {
  const found = await read(writeInGlyphs({ name: 'Verdana', codes: [83, 76, 261] }));
  expect(found).toMatchObject({ flags: ['FONT_GUESSED'], text: 'pi\u{FFFD}' });
});

test('letters that no font has are boxes in the picture, themselves in the text, and told to the publisher', async () => {
  const letters = new Map([...'ł中文한'].map((letter, index) => [index + 1, letter]));
  const pdf = writeInGlyphs({ name: 'SimSun', codes: [1, 2, 3, 4], entries: '/ToUnicode 8 0 R', further: [toUnicode(letters)] });
  const found = await read(pdf);
  expect(found).toMatchObject({ flags: ['LETTERS_MISSING'], text: 'ł中文한' });
  await expectSamePicture(found.picture, await embedded('LiberationSans-Regular', 'ł□□□'));
});

test('an embedded font is told of nothing, even where its letters are unknown or in no other font', async () => {
  const codes = [36, 37];
  const file = readFileSync(new URL('./fonts/LiberationSans-Regular.ttf', import.meta.url)).toString('latin1');
  const font = { name: 'ABCDEF+SimSun', codes, descriptorEntries: '/FontFile2 8 0 R' };
  expect((await read(writeInGlyphs({ ...font, further: [stream(file)] }))).flags).toEqual([]);
  const letters = toUnicode(new Map([...'中文'].map((letter, index) => [36 + index, letter])));
  const named = await read(writeInGlyphs({ ...font, entries: '/ToUnicode 9 0 R', further: [stream(file), letters] }));
  expect(named).toMatchObject({ flags: [], text: '中文' });
});

/** The picture of the text in a bundled font that is embedded. */
async function embedded(bundled: string, text: string): Promise<Buffer> {
  const file = readFileSync(new URL(`./fonts/${bundled}.ttf`, import.meta.url));
  const letters = readLetters(file);
  const codes = [...text].map((letter) => letters.get(letter.charCodeAt(0)) ?? 0);
  const further = [stream(file.toString('latin1'), `/Length1 ${file.length}`)];
  const pdf = writeInGlyphs({ name: `ABCDEF+${bundled}`, codes, descriptorEntries: '/FontFile2 8 0 R', descendantEntries: '/CIDToGIDMap/Identity', further });
  return (await read(pdf)).picture;
}

interface Found {
  flags: readonly string[];
  text: string;
  lines: readonly string[];
  /** In grey. */
  picture: Buffer;
}

let last = 0;
async function read(pdf: Uint8Array): Promise<Found> {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const { flags } = await pool.inspect({ path });
  const lines: string[] = [];
  let text = '';
  await pool.readText({ path, pages: 1, onPage: (_, found) => (text = found) });
  await pool.readLines({ path, pages: [1], onPage: (_, page) => void lines.push(...page.lines.map(({ runs }) => runs.map((run) => run.text).join(''))) });
  const { imagePath } = await pool.drawPage({ path, page: 1, width: 800, task: { priority: 'waiting' } });
  return { flags, text, lines, picture: await sharp(imagePath).greyscale().raw().toBuffer() };
}

/** But for the soft edges, which depend on how the engine hints a font. */
async function expectSamePicture(one: Buffer, other: Buffer): Promise<void> {
  expect(one.length).toBe(other.length);
  const dark = (picture: Buffer): number => picture.reduce((count, value) => count + (value < 128 ? 1 : 0), 0);
  const differing = one.reduce((count, value, at) => count + (Math.abs(value - (other[at] ?? 0)) > 128 ? 1 : 0), 0);
  expect(dark(other)).toBeGreaterThan(300);
  expect(differing).toBeLessThan(dark(other) / 50);
}
