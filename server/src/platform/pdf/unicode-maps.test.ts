import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import type { PdfPool } from './pdf-pool.ts';
import { mendUnicodeMaps } from './unicode-maps.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unicode-maps-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

const head = '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ';
const packed = (map: string): string => stream(deflateSync(map, { level: 1 }).toString('latin1'), '/Filter/FlateDecode');
/** ABCD in a font that is not in the file, and whose codes mean what `map` says. */
const withMap = (map: string, entry = '/ToUnicode 5 0 R'): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</Font<</F 6 0 R>>>>>>',
    stream('BT /F 10 Tf 20 70 Td <0041004200430044> Tj ET'),
    map,
    `<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[7 0 R]${entry}>>`,
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>',
  ]);

let last = 0;
const textsOf = async (pdf: Uint8Array): Promise<string[]> => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const found: string[] = [];
  await pool.readText({ path, pages: 1, onPage: (_, text) => void found.push(text) });
  await pool.readLines({ path, pages: [1], onPage: (_, { lines }) => void found.push(lines[0]?.runs[0]?.text ?? '') });
  return found;
};

const wrong = [
  ['one entry too few', '3 beginbfchar <0041> <017B> <0042> <0061> <0043> <0062> <0044> <0061> endbfchar'],
  ['entries that are missing', '9 beginbfchar <0041> <017B> <0042> <0061> <0043> <0062> <0044> <0061> endbfchar'],
  ['no number at all', 'beginbfchar <0041> <017B> <0042> <0061> <0043> <0062> <0044> <0061> endbfchar'],
  ['one range too few', '1 beginbfrange <0041> <0041> <017B> <0042> <0043> <0061> <0044> <0044> <0061> endbfrange'],
  ['a hundred ranges too many', '103 beginbfrange <0041> <0041> <017B> <0042> <0043> <0061> <0044> <0044> <0061> endbfrange'],
  ['a list that is too long', '1 beginbfrange <0041> <0044> [<017B> <0061> <0062> <0061> <0063>] endbfrange'],
  ['no end', '1 beginbfchar <0041> <017B> <0042> <0061> <0043> <0062> <0044> <0061> '],
] as const;

// By day every other one is packed.
test.each(wrong.map(([what, sections], nth) => [what, sections, nth] as const))(
  'a table of meanings with %s is read for what it says, plain or packed',
  async (_, sections, nth) => {
    const map = `${head}${sections} endcmap end end`;
    for (const form of isNightly ? [stream, packed] : [nth % 2 === 0 ? stream : packed])
      expect(await textsOf(withMap(form(map)))).toEqual(['Żaba', 'Żaba']);
  },
);

test('a list that is too short leaves the rest unknown', async () => {
  const [text] = await textsOf(withMap(packed(`${head}1 beginbfrange <0041> <0044> [<017B> <0061>] endbfrange endcmap`)));
  expect(text?.slice(0, 2)).toBe('Ża');
});

test('a table that is right is left as it is, and one that nothing names is looked at only when letters are unknown', () => {
  const right = stream(`${head}2 beginbfchar <0041> <017B> <0042> <0061> endbfchar 1 beginbfrange <0043> <0044> <0061> endbfrange endcmap`);
  for (const everywhere of [false, true]) expect(mendUnicodeMaps(withMap(right), { everywhere })).toEqual([]);
  const unnamed = withMap(packed(`${head}1 beginbfchar <0041> <017B> <0042> <0061> endbfchar endcmap`), '');
  expect(mendUnicodeMaps(unnamed, { everywhere: false })).toEqual([]);
  expect(mendUnicodeMaps(unnamed, { everywhere: true })).toHaveLength(1);
});

test('what is put in the place of a table is never longer than it was', () => {
  for (const [, sections] of wrong)
    for (const map of [stream(`${sections} endcmap`), packed(`${sections} endcmap`)]) {
      const pdf = withMap(map);
      for (const { at, bytes } of mendUnicodeMaps(pdf, { everywhere: true }))
        expect(Buffer.from(pdf.subarray(at + bytes.length)).toString('latin1')).toMatch(/^\nendstream/);
    }
});

test('pages of a document whose tables are of no Unicode at all are read all the same', async () => {
  const texts = await textsOf(withMap(packed(`${head}1 beginbfchar <0041> <FFFFFFFFFF> <0042> <DEADBEEF> <0043> <> endbfchar endcmap`)));
  expect(texts.every((text) => text.isWellFormed())).toBe(true);
});
