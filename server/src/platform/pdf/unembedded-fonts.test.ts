import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageText } from '@pergamin/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { stream } from '#testing/simple-pdf.ts';
import { toUnicode, writeInGlyphs } from '#testing/unembedded-pdfs.ts';
import { readLetters, readWidths } from './font-letters.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unembedded-fonts-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

/** Glyph numbers of the original fonts, as files with ToUnicode maps show them. */
const paneuropean = [83, 76, 261, 87, 72, 78, 3, 225, 266, 286, 252, 276, 121, 296, 298, 224, 285, 297];
const pangram = 'piątek łęśćńóźżŁŚŻ';
const calibri = [393, 349, 268, 410, 286, 364, 3, 371, 295, 401, 273, 375, 383, 461, 463, 66, 95, 130];
const cambria = [146, 139, 166, 150, 135, 141, 3, 207, 184, 228, 169, 209, 215, 258];

const rows = [
  ['Arial', paneuropean, pangram, 'LiberationSans-Regular'],
  ['Arial,Bold', paneuropean, pangram, 'LiberationSans-Bold'],
  ['TimesNewRomanPSMT', paneuropean, pangram, 'LiberationSerif-Regular'],
  ['TimesNewRomanPS-BoldItalicMT', paneuropean, pangram, 'LiberationSerif-BoldItalic'],
  ['CourierNew', paneuropean, pangram, 'LiberationMono-Regular'],
  ['Calibri', calibri, pangram, 'Carlito-Regular'],
  ['Cambria', cambria, 'piątek łęśćńóż', 'LiberationSerif-Regular'],
  ['Verdana', [57, 68, 87, 3, 21, 22], 'Vat 23', 'LiberationSans-Regular'],
] as const;

describe('glyph numbers', () => {
  /** Of each row a page, in one document: inspecting and completing eight documents takes eight times as long. */
  let written: Awaited<ReturnType<typeof bothPictures>>;
  const lines: string[][] = [];
  beforeAll(async () => {
    written = await bothPictures(
      rows.map(([, , text, bundled]) => ({ bundled, text })),
      (widths) => writeInGlyphs(...rows.map(([name, codes], index) => ({ name, codes, widths: widths[index] ?? [] }))),
    );
    const keep = ({ lines: found }: PageText): void => void lines.push(found.map(({ runs }) => runs.map((run) => run.text).join('')));
    await pool.readLines({ path: written.found.path, pages: rows.map((_, index) => index + 1), onPage: (_, page) => keep(page) });
  });

  test('nothing is told to the publisher of a document whose fonts are all known by name', () => {
    expect(written.found.flags).toEqual([]);
  });

  test.each(rows.map(([name, , text], page) => ({ name, text, page })))(
    'glyph numbers of $name, which is not embedded, are its letters in picture and text',
    ({ text, page }) => {
      expect([written.found.texts[page], lines[page]]).toEqual([text, [text]]);
      expectSamePictures(written, page);
    },
  );
});

test.each([
  ['', []],
  ['/CIDToGIDMap 9 0 R', [stream('\0\x05'.repeat(100))]],
])('letters of a font that is not embedded come from its ToUnicode, whatever its name and its map of glyphs: %s', async (entry, maps) => {
  const codes = [40, 41, 42];
  const further = [toUnicode(lettersFrom(40, 'łęź')), ...maps];
  const both = await bothPictures([{ bundled: 'LiberationSans-Regular', text: 'łęź' }], ([widths = []]) =>
    writeInGlyphs({ name: 'Unheard', codes, widths, entries: '/ToUnicode 8 0 R', descendantEntries: entry, further }),
  );
  expect(both.found).toMatchObject({ flags: [], texts: ['łęź'] });
  expectSamePictures(both);
});

test('the map of glyphs of a font that is not embedded leads to numbers of the original font', async () => {
  const glyphs = [0, ...paneuropean].map((glyph) => String.fromCharCode(glyph >> 8, glyph & 0xff)).join('');
  const codes = paneuropean.map((_, index) => index + 1);
  const found = await read(writeInGlyphs({ name: 'Arial', codes, descendantEntries: '/CIDToGIDMap 8 0 R', further: [stream(glyphs)] }));
  expect(found).toMatchObject({ flags: [], texts: [pangram] });
});

test('of a font whose numbers are unknown, ASCII is taken to be usual, the rest are boxes, and the publisher is told', async () => {
  const both = await bothPictures([{ bundled: 'LiberationSans-Regular', text: 'pi□' }], ([widths = []]) =>
    writeInGlyphs({ name: 'Unheard', codes: [83, 76, 261], widths }),
  );
  expect(both.found).toMatchObject({ flags: ['FONT_GUESSED'], texts: ['pi\u{FFFD}'] });
  expectSamePictures(both);
});

test('a number that is unknown in a known font is a box, and the publisher is told', async () => {
  const found = await read(writeInGlyphs({ name: 'Verdana', codes: [83, 76, 261] }));
  expect(found).toMatchObject({ flags: ['FONT_GUESSED'], texts: ['pi\u{FFFD}'] });
});

test('a file with too many objects to look through is shown as it is, and the publisher is told', async () => {
  const whole = Buffer.from(writeInGlyphs({ name: 'Arial', codes: [83, 76], entries: '/Spare 400000 0 R' })).toString('latin1');
  const former = /startxref\s+(\d+)/.exec(whole)?.[1] ?? '';
  const added = `${whole}\n400000 0 obj\n<<>>\nendobj\n`;
  const entry = `${String(whole.length + 1).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size 400001/Root 1 0 R/Prev ${former}>>\nstartxref\n${added.length}\n%%EOF\n`;
  const found = await read(Buffer.from(`${added}xref\n400000 1\n${entry}${trailer}`, 'latin1'));
  expect(found.flags).toEqual(['FONT_GUESSED']);
});

test('letters that no font has are boxes in the picture, themselves in the text, and told to the publisher', async () => {
  const letters = lettersFrom(1, 'ł中文한');
  const both = await bothPictures([{ bundled: 'LiberationSans-Regular', text: 'ł□□□' }], ([widths = []]) =>
    writeInGlyphs({ name: 'SimSun', codes: [1, 2, 3, 4], widths, entries: '/ToUnicode 8 0 R', further: [toUnicode(letters)] }),
  );
  expect(both.found).toMatchObject({ flags: ['LETTERS_MISSING'], texts: ['ł中文한'] });
  expectSamePictures(both);
});

test('letters of another script are drawn in a font of the operator’s folder, and nothing is told', async () => {
  const fontDir = await mkdtemp(join(folder, 'fonts-'));
  await writeFile(join(fontDir, 'NotoSansSC-Regular.ttf'), withLetter('们', 'A'));
  const other = createPdfPool({ log: silentLog(), workers: 1, minThreads: 0, fontDir });
  onTestFinished(() => other.close());
  const parts = { name: 'SimSun', codes: [1, 2], entries: '/ToUnicode 8 0 R', further: [toUnicode(lettersFrom(1, '们ł'))] };
  const write = ([widths = []]: Widths): Uint8Array => writeInGlyphs({ ...parts, widths });
  const both = await bothPictures([{ bundled: 'LiberationSans-Regular', text: 'Ał' }], write, other);
  expect(both.found).toMatchObject({ flags: [], texts: ['们ł'] });
  expectSamePictures(both);
});

test('nothing is told of an embedded font, even where its letters are unknown or in no other font', async () => {
  const file = stream(readFileSync(new URL('./fonts/LiberationSans-Regular.ttf', import.meta.url)).toString('latin1'));
  const font = { name: 'ABCDEF+SimSun', codes: [36, 37], descriptorEntries: '/FontFile2 8 0 R' };
  expect((await read(writeInGlyphs({ ...font, further: [file] }))).flags).toEqual([]);
  const letters = toUnicode(lettersFrom(36, '中文'));
  const named = await read(writeInGlyphs({ ...font, entries: '/ToUnicode 9 0 R', further: [file, letters] }));
  expect(named).toMatchObject({ flags: [], texts: ['中文'] });
});

const lettersFrom = (code: number, text: string): Map<number, string> =>
  new Map(Array.from(text, (letter, index) => [code + index, letter]));

/** Of each page: the widths of its letters. */
type Widths = readonly (readonly number[])[];

/** The pictures of what is written, and those of each page's text in a bundled font that is embedded. */
async function bothPictures(pages: readonly { bundled: string; text: string }[], write: (widths: Widths) => Uint8Array, by = pool) {
  const fonts = pages.map(({ bundled, text }, index) => {
    const file = readFileSync(new URL(`./fonts/${bundled}.ttf`, import.meta.url));
    const letters = readLetters(file);
    const codes = Array.from(text, (letter) => letters.get(letter.charCodeAt(0)) ?? 0);
    return {
      name: `ABCDEF+${bundled}`,
      codes,
      widths: codes.map(readWidths(file)),
      descriptorEntries: `/FontFile2 ${3 + 5 * pages.length + index} 0 R`,
      descendantEntries: '/CIDToGIDMap/Identity',
      further: [stream(file.toString('latin1'), `/Length1 ${file.length}`)],
    };
  });
  const found = await read(write(fonts.map(({ widths }) => widths)), by);
  const embedded = await store(writeInGlyphs(...fonts));
  return { found, pictures: await pixelsOf(found.path, pages.length, by), embedded: await pixelsOf(embedded, pages.length) };
}

let last = 0;
async function store(pdf: Uint8Array): Promise<string> {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  return path;
}

async function read(pdf: Uint8Array, by = pool): Promise<{ path: string; flags: readonly string[]; texts: string[] }> {
  const path = await store(pdf);
  const { flags, pages } = await by.inspect({ path });
  const texts: string[] = [];
  await by.readText({ path, pages, onPage: (page, found) => (texts[page - 1] = found) });
  return { path, flags, texts };
}

async function pixelsOf(path: string, pages: number, by = pool): Promise<Buffer[]> {
  const pictures = [];
  for (let page = 1; page <= pages; page++) {
    const { imagePath } = await by.drawPage({ path, page, width: 800, task: { priority: 'waiting' } });
    pictures.push(await sharp(imagePath).greyscale().raw().toBuffer());
  }
  return pictures;
}

/** A font that has one more letter, drawn like another. */
function withLetter(letter: string, like: string): Buffer {
  const font = readFileSync(new URL('./fonts/LiberationSans-Regular.ttf', import.meta.url));
  const letters = new Map(readLetters(font));
  letters.set(letter.charCodeAt(0), letters.get(like.charCodeAt(0)) ?? 0);
  const groups = Array.from(letters).toSorted(([one], [another]) => one - another);
  const map = Buffer.alloc(28 + groups.length * 12);
  // One table for Windows and the whole of Unicode, in format 12.
  for (const [at, value] of [
    [0, 1],
    [4, 0x3_000a],
    [8, 12],
    [12, 0xc_0000],
    [16, map.length - 12],
    [24, groups.length],
  ] as const)
    map.writeUInt32BE(value, at);
  for (const [index, [code, glyph]] of groups.entries())
    for (const [place, value] of [code, code, glyph].entries()) map.writeUInt32BE(value, 28 + index * 12 + place * 4);
  const entry = font.indexOf('cmap');
  const changed = Buffer.concat([font, map]);
  changed.writeUInt32BE(font.length, entry + 8);
  changed.writeUInt32BE(map.length, entry + 12);
  return changed;
}

function expectSamePictures({ pictures, embedded }: { pictures: readonly Buffer[]; embedded: readonly Buffer[] }, page = 0): void {
  expect(embedded[page]?.filter((value) => value < 128).length).toBeGreaterThan(300);
  expect(pictures[page]?.equals(embedded[page] ?? Buffer.alloc(0))).toBe(true);
}
