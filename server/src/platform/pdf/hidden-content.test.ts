import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { stream, writePages, writePdf } from '#testing/simple-pdf.ts';
import type { PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hidden-content-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

let last = 0;
/** Its lines, its words as the search finds them, and what its publisher is told. */
const read = async (pdf: Uint8Array) => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const lines: { text: string; y: number }[] = [];
  const found: string[] = [];
  await pool.readLines({
    path,
    pages: [1],
    onPage: (_, page) => void lines.push(...page.lines.map(({ y, runs }) => ({ y, text: runs.map(({ text }) => text.trim()).join(' ') }))),
  });
  await pool.readText({ path, pages: 1, onPage: (_, text) => void found.push(text) });
  const { flags } = await pool.inspect({ path, findsHidden: true });
  return { lines: lines.map(({ text }) => text), lowest: lines.at(-1)?.y, words: found.join(' ').split(/\s+/).filter(Boolean), flags };
};
const aCase = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, 'text-cases', `${name}.pdf`));

test.each([
  ['of a layer that is off', 'hidden-layer', 'Oprocentowanie 5 procent'],
  ['of layers that are off, or off when viewed', 'ocg', 'Always visible'],
  ['above, below and beside the page', 'outside-top', 'Inside the page'],
])('text %s is neither read nor found, and its publisher is told', async (_, name, seen) => {
  const { lines, words, flags } = await read(await aCase(name));
  expect(lines).toEqual([seen]);
  expect(words).toEqual(seen.split(' '));
  expect(flags).toEqual(['HIDDEN_CONTENT']);
});

/** A page with the layers `/On` and `/Off`; `/Odd` is shown by what `membership` says of them. */
const layered = (
  content: string,
  { membership = '/OCGs 6 0 R', further = [] }: { membership?: string; further?: readonly string[] } = {},
) =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[6 0 R]>>>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>',
    `<</Type/Page/Parent 2 0 R/Contents 7 0 R/Annots[9 0 R]/Resources<</Font<</F 4 0 R>>/XObject<</X 8 0 R>>/Properties<</On 5 0 R/Off 6 0 R
      /Odd<</Type/OCMD${membership}>>>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/OCG/Name(same)>>',
    '<</Type/OCG/Name(same)>>',
    stream(content),
    stream('BT /F 10 Tf 20 100 Td (form) Tj ET', '/Type/XObject/Subtype/Form/BBox[0 0 300 300]/OC 6 0 R/Resources<</Font<</F 4 0 R>>>>'),
    ...further,
  ]);
const say = (word: string, y: number): string => `BT /F 10 Tf 20 ${y} Td (${word}) Tj ET`;

test.each([
  ['any is on', '/OCGs[5 0 R 6 0 R]', true],
  ['all are on', '/OCGs[5 0 R 6 0 R]/P/AllOn', false],
  ['any is off', '/OCGs[5 0 R 6 0 R]/P/AnyOff', true],
  ['all are off', '/OCGs[5 0 R 6 0 R]/P/AllOff', false],
  ['an expression holds', '/VE[/And 5 0 R[/Not 6 0 R]]', true],
  ['an expression does not hold', '/VE[/Or 6 0 R[/Not 5 0 R]]', false],
])('a layer that is shown when %s is read as it is drawn', async (_, membership, isSeen) => {
  const pdf = layered(`/OC/Odd BDC ${say('odd', 200)} EMC ${say('plain', 150)}`, { membership });
  const { lines, flags } = await read(pdf);
  expect(lines).toEqual(isSeen ? ['odd', 'plain'] : ['plain']);
  expect(flags).toEqual(isSeen ? [] : ['HIDDEN_CONTENT']);
  expect(await isDrawn(pdf, 200)).toBe(isSeen);
});

/** Whether there is ink around this height: it is drawn over a page without. */
const isDrawn = async (pdf: Uint8Array, y: number): Promise<boolean> => {
  const without = Buffer.from(Buffer.from(pdf).toString('latin1').replace(`20 ${y} Td`, '20 999 Td'), 'latin1');
  return (await drawnSize(pdf)) !== (await drawnSize(without));
};

const drawnSize = async (pdf: Uint8Array): Promise<number> => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  return (await pool.drawPage({ path, page: 1, width: 300, task: { priority: 'waiting' } })).size;
};

test('of two layers of one name, one within the other, a form of its own layer and a note, what is off is left out', async () => {
  const note = '<</Type/Annot/Subtype/FreeText/Contents(note)/DA(/F 10 Tf 0 g)/Rect[20 50 200 70]/F 4/OC 6 0 R>>';
  const { lines, flags } = await read(
    layered(`/OC/On BDC ${say('shown', 250)} /OC/Off BDC ${say('inner', 200)} EMC EMC /X Do`, { further: [note] }),
  );
  expect(lines).toEqual(['shown']);
  expect(flags).toEqual(['HIDDEN_CONTENT']);
});

test('a note of a layer that is off is not drawn', async () => {
  const noted = (layer: string): Uint8Array =>
    layered(say('plain', 150), {
      further: [`<</Type/Annot/Subtype/Square/Rect[20 50 200 70]/IC[1 0 0]/F 4${layer}/AP<</N 10 0 R>>>>`, red],
    });
  const red = stream('1 0 0 rg 0 0 180 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 180 20]');
  const [none, off, on] = await Promise.all([layered(say('plain', 150)), noted('/OC 6 0 R'), noted('/OC 5 0 R')].map(drawnSize));
  expect(off).toBe(none);
  expect(on).not.toBe(none);
});

test('a layer that is off and holds no words is not worth telling', async () => {
  expect((await read(layered(`/OC/Off BDC 10 10 50 50 re f EMC ${say('plain', 150)}`))).flags).toEqual([]);
});

const annotated = (flags: number, subtype = 'Widget/FT/Tx/T(a)/V(secret)'): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/DR<</Font<</F 4 0 R>>>>/DA(/F 10 Tf 0 g)>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]/Resources<</Font<</F 4 0 R>>>>>>',
    '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[5 0 R]>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Type/Annot/Subtype/${subtype}/DA(/F 10 Tf 0 g)/Rect[20 180 200 200]/F ${flags}/AP<</N 7 0 R>>>>`,
    stream(say('plain', 250)),
    stream(say('secret', 5), '/Type/XObject/Subtype/Form/BBox[0 0 180 20]/Resources<</Font<</F 4 0 R>>>>'),
  ]);

test.each([
  ['hidden', 2, false],
  ['not for viewing', 32 + 4, false],
  ['to be printed', 4, true],
])('a field and a note that are %s are read as they are seen', async (_, number, isSeen) => {
  for (const subtype of [undefined, 'FreeText/Contents(secret)']) {
    const { lines, words, flags } = await read(annotated(number, subtype));
    expect(lines).toEqual(isSeen ? ['plain', 'secret'] : ['plain']);
    expect(words).toEqual(lines);
    expect(flags).toEqual(isSeen ? [] : ['HIDDEN_CONTENT']);
  }
});

test.each([
  ['inherited media box', 'small-inh-ap', ['Kwota kredytu:', '12 345,67 PLN'], 35.8],
  ['media box of its own', 'small-own-ap', ['Kwota kredytu:', '12 345,67 PLN'], 35.8],
  ['inherited media box of another size', 'a5-inh-ap', ['Kwota kredytu:', '12 345,67 PLN'], 216.2],
  ['inherited media box and a signature', 'inherited-mediabox-signature', ['Podpisal Jan Kowalski', 'Umowa rachunku'], 116.3],
])('the field of a page with an %s is read at its place', async (_, name, seen, y) => {
  const { lines, lowest, flags } = await read(await aCase(name));
  expect(lines).toEqual(seen);
  expect(lowest).toBeCloseTo(y, 0);
  expect(flags).toEqual([]);
});

test('an inherited crop box and rotation count for what is read and where', async () => {
  const pages = (entries: string, own: string): Uint8Array =>
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R]/Count 1${entries}/Resources<</Font<</F 4 0 R>>>>>>`,
      `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]${own}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      stream(`${say('inside', 150)} ${say('outside', 20)}`),
      '<</Type/Annot/Subtype/FreeText/Contents(note)/DA(/F 10 Tf 0 g)/Rect[100 110 150 130]/F 4/AP<</N 7 0 R>>>>',
      stream('BT /F 10 Tf 2 5 Td (note) Tj ET', '/Type/XObject/Subtype/Form/BBox[0 0 50 20]/Resources<</Font<</F 4 0 R>>>>'),
    ]);
  const boxes = '/MediaBox[0 0 300 300]/CropBox[10 100 200 200]/Rotate 90';
  const inherited = await read(pages(boxes, ''));
  expect(inherited).toEqual(await read(pages('', boxes)));
  expect(inherited).toMatchObject({ lines: ['inside', 'note'], flags: ['HIDDEN_CONTENT'] });
});

test('text that is drawn invisibly over a scanned page is read, and hides nothing', async () => {
  const { lines, flags } = await read(writePages([''], '1.7', 'BT 3 Tr /F 10 Tf 20 70 Td (Skan) Tj ET'));
  expect(lines).toEqual(['Skan']);
  expect(flags).toEqual([]);
});
