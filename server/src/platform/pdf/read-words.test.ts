import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import { findBundledFont } from './bundled-fonts.ts';
import { readWidths } from './font-letters.ts';
import type { PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-words-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

let last = 0;
const read = async (pdf: Uint8Array) => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const lines: string[] = [];
  const found: string[] = [];
  await pool.readLines({
    path,
    pages: [1],
    onPage: (_, page) => void lines.push(...page.lines.map(({ runs }) => runs.map(({ text }) => text.trim()).join(' '))),
  });
  await pool.readText({ path, pages: 1, onPage: (_, text) => void found.push(text) });
  return { path, lines, found: found.join('\n').replaceAll(/\s+/g, ' ').trim() };
};
const aCase = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, 'text-cases', `${name}.pdf`));

test.each([
  ['whose meanings have a wrong count in a font that is packed', 'pdfcpu-Chinese-traditional', ['世界人權宣言', '第一條'], []],
  ['whose meanings come in ranges of more than 256 codes', 'issue5751', ['Open Access'], []],
  ['that are drawings with names', 'PDFBOX-3053-reduced', ['Traumatic Brain Injury Signs and Symptoms'], []],
])('letters %s are read', async (_, name, seen, told) => {
  const { path, lines, found } = await read(await aCase(name));
  expect(lines.slice(0, seen.length)).toEqual(seen);
  expect(found.startsWith(seen.join(' '))).toBe(true);
  expect((await pool.inspect({ path })).flags).toEqual(told);
});

test('drawn letters whose names mean nothing are guessed, and the publisher is told', async () => {
  const pdf = writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    stream('BT /F 10 Tf 20 70 Td (AB) Tj ET'),
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 65/LastChar 66/Widths[1 1]' +
      '/Encoding<</Differences[65/g17/g18]>>/CharProcs<</g17 6 0 R/g18 6 0 R>>>>',
    stream('1 0 0 0 1 1 d1 0 0 1 1 re f'),
  ]);
  const { path } = await read(pdf);
  expect((await pool.inspect({ path })).flags).toEqual(['FONT_GUESSED']);
});

test('a tagged page is read by its tags, and an artifact between them last', async () => {
  expect((await read(await aCase('tagged-order'))).lines).toEqual([
    'First heading opens',
    'second paragraph continues',
    'third paragraph closes',
    'Footer artifact page 1',
  ]);
});

const aPage = (content: string, font = 'Helvetica'): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 900 200]>>',
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    stream(content),
    `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
  ]);

const justified = 'Ala mam kwit will jam fill ow wo Mm iii lit tom 12 i 5 w AVA To m w a'.split(' ');
const widthsOf = (name: string): ((text: string) => number) => {
  const font = findBundledFont({ name, weight: 0, italic: false, charset: 0, pitchFamily: 0 });
  if (font === undefined) throw new Error(`there is no ${name}`);
  const width = readWidths(font.data);
  return (text) => Array.from(text, (sign) => width(font.letters.get(sign.charCodeAt(0)) ?? 0)).reduce((sum, one) => sum + one, 0) / 1000;
};

/** The same words in print of this size, with gaps of so much of it, in the ways in which programs write them. */
const ways = ({ size, gap, widthOf }: { size: number; gap: number; widthOf: (text: string) => number }): Record<string, string> => {
  const starts = justified.map((_, nth) => justified.slice(0, nth).reduce((x, word) => x + (widthOf(word) + gap) * size, 10));
  const at = (x: number, y: number, text: string): string => `1 0 0 1 ${x.toFixed(3)} ${y} Tm (${text}) Tj`;
  const words = justified.map((word, nth) => at(starts[nth] ?? 0, 100, word));
  const letters = justified.flatMap((word, nth) =>
    Array.from(word, (letter, index) => at((starts[nth] ?? 0) + widthOf(word.slice(0, index)) * size, 100, letter)),
  );
  const together = `[${justified.map((word) => `(${word})`).join(` ${-gap * 1000} `)}] TJ`;
  const begin = `BT /F ${size} Tf`;
  return {
    'all together': `${begin} 10 100 Td ${together} ET`,
    'all together, condensed': `${begin} ${-0.03 * size} Tc 10 100 Td ${together} ET`,
    'word by word': `${begin} ${words.join(' ')} ET`,
    'from the last word to the first': `${begin} ${words.toReversed().join(' ')} ET`,
    'word by word, up and down': `${begin} ${justified.map((word, nth) => at(starts[nth] ?? 0, 100 + (nth % 2) * 0.3 * size, word)).join(' ')} ET`,
    'letter by letter': `${begin} ${letters.join(' ')} ET`,
  };
};

const fonts = [
  ['Helvetica', 'Arial'],
  ['Times-Roman', 'TimesNewRoman'],
  ['Courier', 'CourierNew'],
] as const;

// By day one font and one size, at night all.
test.each(isNightly ? fonts : fonts.slice(0, 1))('narrow gaps of justified small print divide words: %s', async (font, name) => {
  const widthOf = widthsOf(name);
  for (const size of isNightly ? [5, 6, 8, 10] : [10])
    for (const gap of isNightly ? [0.15, 0.21, 0.25] : [0.21])
      for (const [way, content] of Object.entries(ways({ size, gap, widthOf })))
        expect([way, size, gap, (await read(aPage(content, font))).lines]).toEqual([way, size, gap, [justified.join(' ')]]);
});

test('letters that are spread evenly are no words of one letter', async () => {
  const { lines } = await read(aPage('BT /F 10 Tf 3 Tc 10 100 Td [(UMOWA)-900(KREDYTU)] TJ ET'));
  expect(lines).toEqual(['UMOWA KREDYTU']);
});

test('a ligature within a word divides it nowhere, however it is drawn', async () => {
  const pdf = (content: string): Uint8Array =>
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
      stream(content),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[1/fi/eacute]>>/ToUnicode 6 0 R>>',
      stream(
        'begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <01> <00660069> <02> <00E9> endbfchar ' +
          '1 beginbfrange <61> <7A> <0061> endbfrange endcmap',
      ),
    ]);
  for (const content of [
    String.raw`BT /F 10 Tf 20 70 Td (d\002\001nir) Tj ET`,
    String.raw`BT /F 10 Tf 20 70 Td [(d\002)-30(\001)-30(nir)] TJ ET`,
    String.raw`BT /F 10 Tf 20 70 Td (d\002) Tj 11.5 0 Td (\001) Tj 5.4 0 Td (nir) Tj ET`,
  ])
    expect((await read(pdf(content))).lines).toEqual(['définir']);
});

test('a block that is printed over itself is read once, and letters that stand side by side twice', async () => {
  const block = (x: number): string =>
    `BT /F 10 Tf ${Array.from({ length: 8 }, (_, line) => `1 0 0 1 ${x} ${180 - line * 12} Tm (Kwota ${line}: 11 200,00 PLN all) Tj`).join(' ')} ET`;
  const once = await read(aPage(block(20)));
  expect(once.lines).toHaveLength(8);
  expect((await read(aPage(`${block(20)} ${block(20.3)} ${block(20)}`))).lines).toEqual(once.lines);
});

const hebrew = 'שלוםע';
const hex = (text: string): string => Array.from(text, (letter) => (hebrew.indexOf(letter) + 1).toString(16).padStart(4, '0')).join('');
const inHebrew = (content: string): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>',
    '<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 6 0 R>>',
    stream(`BT /F 10 Tf ${content} ET`),
    stream(
      `1 begincodespacerange <0000> <FFFF> endcodespacerange ${hebrew.length} beginbfchar ` +
        `${Array.from(hebrew, (letter, code) => `<${(code + 1).toString(16).padStart(4, '0')}> <${letter.charCodeAt(0).toString(16).padStart(4, '0')}>`).join(' ')} endbfchar endcmap`,
    ),
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000>>',
  ]);

test.each([
  ['from left to right', [0, 1, 2, 3]],
  ['from right to left', [3, 2, 1, 0]],
  ['in no order', [2, 0, 3, 1]],
])('a word from right to left whose parts are drawn one by one, %s, is read in order', async (_, order) => {
  // שלום begins on the right.
  const parts = order.map((place) => `1 0 0 1 ${50 + place * 10} 50 Tm <${hex(hebrew[3 - place] ?? '')}> Tj`);
  expect((await read(inHebrew(parts.join(' ')))).lines).toEqual(['שלום']);
});
