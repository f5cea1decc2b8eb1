import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageText } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool } from './pdf-pool.ts';
import { stream, writePages, writePdf } from '#testing/simple-pdf.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-text-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

let last = 0;
const read = async (pdf: Uint8Array, pages = [1]): Promise<PageText[]> => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const found: PageText[] = [];
  await pool.readLines({ path, pages, onPage: (_page, text) => void found.push(text) });
  return found;
};
/** A page of 100 x 100 points. */
const aPage = (content: string, entry = ''): Uint8Array => writePages([entry], '1.7', content);
const textsOf = (page: PageText | undefined): string[][] => (page?.lines ?? []).map(({ runs }) => runs.map(({ text }) => text));

test('a line lies where it is drawn, and each letter ends where it is drawn', async () => {
  const [page] = await read(aPage('BT /F 10 Tf 20 70 Td (Ala ma) Tj ET'));
  const [line] = page?.lines ?? [];
  expect(textsOf(page)).toEqual([['Ala ma']]);
  expect(line?.x).toBeCloseTo(20, 0);
  // The baseline is 30 points from the top: the letters are above it, their descenders below.
  expect(line?.y).toBeLessThan(25);
  expect((line?.y ?? 0) + (line?.height ?? 0)).toBeGreaterThan(30);
  expect(line?.angle).toBe(0);
  const ends = line?.runs[0]?.ends ?? [];
  expect(ends).toHaveLength(6);
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  // A, l, a in Helvetica: 667 + 222 + 556 thousandths.
  expect(ends[2]).toBeCloseTo(14.5, 0);
});

test('columns of a table are runs of one line, lines come in the order of the page', async () => {
  const [page] = await read(
    aPage('BT /F 6 Tf 5 80 Td (Kwota) Tj 60 0 Td (12,50) Tj ET BT /F 6 Tf 5 70 Td (Data) Tj 60 0 Td (dzisiaj) Tj ET'),
  );
  expect(textsOf(page)).toEqual([
    ['Kwota', '12,50'],
    ['Data', 'dzisiaj'],
  ]);
  expect(page?.lines[0]?.runs[1]?.at).toBeCloseTo(60, 0);
});

test('on a page that is turned, lines lie as they are seen', async () => {
  const [page] = await read(aPage('BT /F 10 Tf 20 70 Td (Ala) Tj ET', '/Rotate 90'));
  // What was 20 from the left and 30 from the top is 70 from the left and 20 from the top, and runs downwards.
  expect(page?.lines).toHaveLength(1);
  expect(page?.lines[0]?.angle).toBe(90);
  expect(page?.lines[0]?.y).toBeCloseTo(20, 0);
  expect(page?.lines[0]?.x).toBeGreaterThan(70);
  expect(page?.lines[0]?.x).toBeLessThan(80);
});

test('text that is written upwards says so, on the same page as text that is not', async () => {
  const [page] = await read(aPage('BT /F 8 Tf 0 1 -1 0 20 10 Tm (bokiem) Tj ET BT /F 8 Tf 40 70 Td (prosto) Tj ET'));
  expect(page?.lines.map(({ angle, runs }) => [angle, runs[0]?.text])).toEqual([
    [-90, 'bokiem'],
    [0, 'prosto'],
  ]);
});

test('a word that is broken at the end of a line keeps a soft hyphen', async () => {
  const [page] = await read(aPage('BT /F 8 Tf 10 70 Td (kre-) Tj 0 -10 Td (dyt) Tj ET'));
  expect(textsOf(page)).toEqual([['kre\u{AD}'], ['dyt']]);
});

const tagged = (content: string): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R/Lang(pl-PL)/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 100 100]/Resources<</Font<</F 3 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Page/Parent 2 0 R/Contents 5 0 R/StructParents 0>>',
    stream(content),
    '<</Type/StructTreeRoot/K 7 0 R/ParentTree 10 0 R>>',
    '<</Type/StructElem/S/Document/P 6 0 R/K[8 0 R 9 0 R]>>',
    '<</Type/StructElem/S/H2/P 7 0 R/Pg 4 0 R/K 1>>',
    '<</Type/StructElem/S/P/P 7 0 R/Pg 4 0 R/K 0>>',
    '<</Nums[0[9 0 R 8 0 R]]>>',
  ]);

test('a tagged document is read in the order of its structure; headings and its language are known', async () => {
  const [page] = await read(
    tagged('/P<</MCID 0>>BDC BT /F 8 Tf 10 40 Td (tekst) Tj ET EMC /H2<</MCID 1>>BDC BT /F 8 Tf 10 80 Td (Tytul) Tj ET EMC'),
  );
  expect(page?.language).toBe('pl-PL');
  expect(page?.lines.map(({ heading, runs }) => [heading, runs[0]?.text])).toEqual([
    [2, 'Tytul'],
    [undefined, 'tekst'],
  ]);
});

test('the alternative text of a picture is read at its place, and text in another language is marked', async () => {
  const pdf = writePdf([
    '<</Type/Catalog/Pages 2 0 R/Lang(pl-PL)/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 100 100]/Resources<</Font<</F 3 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Page/Parent 2 0 R/Contents 5 0 R/StructParents 0>>',
    stream(
      '/P<</MCID 0>>BDC BT /F 8 Tf 10 80 Td (przed) Tj ET EMC /Figure<</MCID 1>>BDC 20 30 40 25 re f EMC ' +
        '/P<</MCID 2>>BDC BT /F 8 Tf 10 10 Td (after) Tj ET EMC',
    ),
    '<</Type/StructTreeRoot/K 7 0 R/ParentTree 11 0 R>>',
    '<</Type/StructElem/S/Document/P 6 0 R/K[8 0 R 9 0 R 10 0 R]>>',
    '<</Type/StructElem/S/P/P 7 0 R/Pg 4 0 R/K 0>>',
    '<</Type/StructElem/S/Figure/P 7 0 R/Pg 4 0 R/K 1/Alt<FEFF0057007900630069010500670069>>>',
    '<</Type/StructElem/S/P/P 7 0 R/Pg 4 0 R/K 2/Lang(en-GB)>>',
    '<</Nums[0[8 0 R 9 0 R 10 0 R]]>>',
  ]);
  const [page] = await read(pdf);
  expect(page?.lines.map(({ language, runs }) => [language, runs[0]?.text])).toEqual([
    [undefined, 'przed'],
    ['en-GB', 'after'],
  ]);
  expect(page?.figures).toHaveLength(1);
  const [figure] = page?.figures ?? [];
  expect(figure).toMatchObject({ before: 1, text: 'Wyciągi' });
  expect([figure?.x, figure?.y, figure?.width, figure?.height].map((value) => Math.round(value ?? 0))).toEqual([20, 45, 40, 25]);
});

test('a page that is a picture has no lines, and names no language', async () => {
  expect(await read(aPage('0 0 10 10 re f'))).toEqual([{ language: null, lines: [] }]);
});

test('pages come in the order asked for', async () => {
  const pages = await read(writePages(['', '/Rotate 90', ''], '1.7', 'BT /F 8 Tf 10 70 Td (x) Tj ET'), [3, 2]);
  expect(pages.map(({ lines }) => lines[0]?.angle)).toEqual([0, 90]);
});

test.each([
  ['whose letters have a negative size', '/F -10 Tf -1 0 0 -1 10 70 Tm (Umowa) Tj', 0],
  ['that is drawn upside down', '/F 10 Tf -1 0 0 -1 80 70 Tm (Umowa) Tj', 180],
])('a line %s is one line', async (_, content, angle) => {
  const [page] = await read(aPage(`BT ${content} ET`));
  expect(textsOf(page)).toEqual([['Umowa']]);
  expect(page?.lines[0]?.angle).toBe(angle);
});

/** What the letters A and B of its only font stand for. */
const withMeanings = (a: string, b: string): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>',
    stream('BT /F 10 Tf 20 70 Td (AB) Tj ET'),
    stream(`begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <41> <${a}> <42> <${b}> endbfchar endcmap`),
  ]);

test('a letter outside the first plane of Unicode is read whole', async () => {
  const [page] = await read(withMeanings('D83DDCC4', '0042'));
  expect(textsOf(page)).toEqual([['\u{1F4C4}B']]);
});

test('a letter that claims to be a number which is none of Unicode breaks no page', async () => {
  const [page] = await read(withMeanings('DEADBEEF', 'FFFFFFFF'));
  expect(textsOf(page).flat().join('').isWellFormed()).toBe(true);
});

/** Letters of a font by their codes, each as wide as it is high; `content` has 10 points. */
const inFont = ({ encoding, meanings, content }: { encoding: string; meanings: string; content: string }): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>',
    `<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/${encoding}/DescendantFonts[7 0 R]/ToUnicode 6 0 R>>`,
    stream(`BT /F 10 Tf ${content} ET`),
    stream(
      `1 begincodespacerange <0000> <FFFF> endcodespacerange ${meanings.length} beginbfchar ` +
        `${Array.from(meanings, (meaning, code) => `<${hex(code + 1)}> <${hex(meaning.charCodeAt(0))}>`).join(' ')} endbfchar endcmap`,
    ),
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000>>',
  ]);
const hex = (code: number): string => code.toString(16).padStart(4, '0');
const codes = (text: string, meanings: string): string => `<${Array.from(text, (letter) => hex(meanings.indexOf(letter) + 1)).join('')}>`;

const hebrew = 'שלוםע 15Bank';

test.each([
  ['words from right to left', 'םולש םולע', 'עלום שלום'],
  ['a number within them', 'םולש 15 םולע', 'עלום 15 שלום'],
  ['a name in Latin letters within them', 'םולש Bank Bak םולע', 'עלום Bank Bak שלום'],
])('a line of Hebrew is one line in the order in which it is read: %s', async (_, drawn, expected) => {
  const [page] = await read(inFont({ encoding: 'Identity-H', meanings: hebrew, content: `20 50 Td ${codes(drawn, hebrew)} Tj` }));
  expect(textsOf(page)).toEqual([[expected]]);
  const [line] = page?.lines ?? [];
  expect(line).toMatchObject({ rightToLeft: true });
  // Its place is that of its box; positions in it count from its right edge.
  expect(line?.x).toBeCloseTo(20, 0);
  const ends = line?.runs[0]?.ends ?? [];
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  expect(ends.at(-1)).toBeCloseTo(10 * expected.length, 0);
});

test('a word of Hebrew within a Latin line stands in its place', async () => {
  const [page] = await read(inFont({ encoding: 'Identity-H', meanings: hebrew, content: `20 50 Td ${codes('Bank םולש Bak', hebrew)} Tj` }));
  expect(textsOf(page)).toEqual([['Bank שלום Bak']]);
  expect(page?.lines[0]).not.toHaveProperty('rightToLeft');
});

test('vertical text comes in lines that run downwards', async () => {
  const letters = '契約書は';
  const [page] = await read(
    inFont({
      encoding: 'Identity-V',
      meanings: letters,
      content: `60 90 Td ${codes('契約書', letters)} Tj -20 0 Td ${codes('約書は', letters)} Tj`,
    }),
  );
  expect(page?.lines.map(({ angle }) => angle)).toEqual([90, 90]);
  expect(
    textsOf(page)
      .flat()
      .map((text) => text.trim())
      .toSorted(),
  ).toEqual(['契約書', '約書は'].toSorted());
  const first = page?.lines.find(({ runs }) => runs[0]?.text === '契約書');
  // Turned around its top left corner, it begins at the top of the column, and lies left of the corner.
  expect([first?.x, first?.y, first?.height]).toEqual([65, 10, 10]);
  expect(first?.runs[0]?.ends).toEqual([10, 20, 30]);
});

test('letters that stand below one another in rows of their own are no vertical text', async () => {
  const [page] = await read(aPage('BT /F 10 Tf 10 TL 20 80 Td (A) Tj T* (B) Tj T* (C) Tj ET'));
  expect(textsOf(page)).toEqual([['A'], ['B'], ['C']]);
  expect(page?.lines.map(({ angle }) => angle)).toEqual([0, 0, 0]);
});

test.each([
  ['that is one sign of Unicode', 'FB01', 'FB02'],
  ['that stands for several letters', '00660069', '0066006C'],
])('a ligature %s is read as the letters it is made of', async (_, fi, fl) => {
  const [page] = await read(withMeanings(fi, fl));
  expect(textsOf(page)).toEqual([['fifl']]);
  expect(page?.lines[0]?.runs[0]?.ends).toHaveLength(4);
});

test('letters that are drawn one by one make words where gaps divide them', async () => {
  const [page] = await read(
    aPage('BT /F 8 Tf 1 0 0 1 10 70 Tm (0) Tj 1 0 0 1 14.5 71 Tm (.) Tj 1 0 0 1 16.7 70 Tm (1) Tj 1 0 0 1 25 74 Tm (2) Tj ET'),
  );
  expect(textsOf(page).flat().join('|')).toBe('0.1 2');
});
