import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { type Rows, type TableRow, withUpdate, writePackedPdf } from '#testing/packed-pdf.ts';
import { aProtectedPdf } from '#testing/pdfs.ts';
import { showOrRefuse, showPage, type ShownPage } from '#testing/shown-page.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool } from './pdf-pool.ts';

let from: { folder: string; pool: PdfPool };

beforeAll(async () => {
  from = { folder: await mkdtemp(join(tmpdir(), 'misleading-entries-')), pool: testPdfPool() };
});
afterAll(() => rm(from.folder, { recursive: true }));

/** A page with a form, a picture, a font and a note, each an object of its own. */
const objects = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources 4 0 R/Contents[5 0 R]/Annots[9 0 R]>>',
  '<</Font<</F 8 0 R>>/XObject<</I 6 0 R/X 7 0 R>>>>',
  stream('BT /F 12 Tf 10 180 Td (Umowa) Tj ET q 40 0 0 40 10 100 cm /I Do Q /X Do'),
  stream('\0\u0050\u00a0\u00ff', '/Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8'),
  stream('BT /F 12 Tf 10 60 Td (Kwota 1 234,56 PLN) Tj ET', '/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources 4 0 R'),
  '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
  '<</Type/Annot/Subtype/Square/F 4/Rect[100 100 150 150]/C[1 0 0]/AP<</N 10 0 R>>>>',
  stream('1 0 0 rg 0 0 50 50 re f', '/Type/XObject/Subtype/Form/BBox[0 0 50 50]'),
];
/** By day every third, and the stream that holds the others. */
const numbers = [...objects.keys(), objects.length].map((index) => index + 1).filter((number) => isNightly || number % 3 === 2);
const later = new Map(objects.map((object, index) => [index + 1, object] as const).slice(6));

/** Undefined: such an entry cannot lead there. */
type Change = (row: TableRow, rows: Rows) => TableRow | undefined;
type Damage = (rows: Rows) => void;

const entryInTable = /^(\d{10}) 00000 n/gm;

/** As writePdf, with another table. */
const withTable = (pdf: Uint8Array, damage: Damage): Uint8Array => {
  const text = Buffer.from(pdf).toString('latin1');
  const rows: Rows = new Map([...text.matchAll(entryInTable)].map(([, at], index) => [index + 1, { at: Number(at) }]));
  damage(rows);
  let number = 0;
  const damaged = text.replaceAll(entryInTable, () => {
    const row = rows.get((number += 1));
    return isPlain(row) ? `${String(row.at).padStart(10, '0')} 00000 n` : '0000000000 00001 f';
  });
  return Buffer.from(damaged, 'latin1');
};

/** Of each file, the table that counts is the one that is damaged. */
const writers: Readonly<Record<string, (damage: Damage) => Uint8Array>> = {
  'a table': (damage) => withTable(writePdf(objects), damage),
  'a stream for a table': (damage) => writePackedPdf(objects, { damage }),
  'a table that a stream completes': (damage) => writePackedPdf(objects, { damage, isHybrid: true }),
  'a table that was continued': (damage) => withUpdate(writePdf(objects.slice(0, 6)), later, { damage }),
  'a stream that was continued': (damage) => withUpdate(writePackedPdf(objects), later, { damage }),
};

const isPlain = (row: TableRow | undefined): row is { at: number } => row !== undefined && row !== 'free' && 'at' in row;
const moved =
  (by: number): Change =>
  (row) =>
    isPlain(row) ? { at: Math.max(0, row.at + by) } : undefined;
const packed =
  (change: { stream?: number; by?: number }): Change =>
  (row) =>
    row !== 'free' && 'index' in row ? { stream: change.stream ?? row.stream, index: row.index + (change.by ?? 0) } : undefined;

const ofPlain: Readonly<Record<string, Change>> = {
  'six bytes before it': moved(-6),
  'three bytes behind its beginning': moved(3),
  'the beginning of the file': moved(-Infinity),
  'the end of the file': moved(1_000_000),
  'another object': (row, rows) => (isPlain(row) ? [...rows.values()].find((other) => isPlain(other) && other !== row) : undefined),
};
const ofPacked: Readonly<Record<string, Change>> = {
  'the next place of its stream': packed({ by: 1 }),
  'a place behind the last one': packed({ by: 100 }),
  'a stream that holds no objects': packed({ stream: 5 }),
  'a stream that is not there': packed({ stream: 500 }),
};
const withPacked = ['a stream for a table', 'a table that a stream completes'];

/** Of objects that others name, which is known of those that are not packed. */
const ofNamed: Readonly<Record<string, Change>> = { 'no object, as if it were free': () => 'free' };
const withoutPacked = ['a table', 'a table that was continued'];

const cases = Object.keys(writers).flatMap((writer) => [
  ...Object.entries(ofPlain).map(([place, change]) => ({ writer, place, change })),
  ...(withoutPacked.includes(writer) ? Object.entries(ofNamed).map(([place, change]) => ({ writer, place, change })) : []),
  ...(withPacked.includes(writer) ? Object.entries(ofPacked).map(([place, change]) => ({ writer, place, change })) : []),
]);

describe('an entry that leads elsewhere', () => {
  test.each(cases)('in $writer, to $place: the page is shown whole, and the publisher is told', async ({ writer, change }) => {
    const write = (damage: Damage): Uint8Array => writers[writer]?.(damage) ?? new Uint8Array();
    const right = await showPage(
      from,
      write(() => {}),
    );
    expect(right).toMatchObject({ flags: [], text: expect.stringContaining('Kwota 1 234,56 PLN') });
    const outcomes: (ShownPage | string)[] = [];
    for (const number of numbers) {
      let isChanged = false;
      const pdf = write((rows) => {
        const row = rows.get(number);
        const other = row === undefined ? undefined : change(row, rows);
        if (other !== undefined) rows.set(number, other);
        isChanged = other !== undefined;
      });
      if (isChanged) outcomes.push(await showOrRefuse(from, pdf));
    }
    const repaired = { ...right, flags: ['REPAIRED'] };
    expect(outcomes).toContainEqual(repaired);
    // Six bytes before the first object of an update is the comment that ends the version before: the entry still leads to it.
    for (const outcome of outcomes) expect([repaired, right]).toContainEqual(outcome);
  });

  test('of a file that is encrypted is repaired, too', async () => {
    const pdf = Buffer.from(await aProtectedPdf('change', writePdf(objects))).toString('latin1');
    const right = await showPage(from, Buffer.from(pdf, 'latin1'));
    expect(right).toMatchObject({ flags: [], text: expect.stringContaining('Kwota 1 234,56 PLN') });
    const entries = [...pdf.matchAll(entryInTable)];
    expect(entries.length).toBeGreaterThan(objects.length);
    for (const { 1: at, index } of entries) {
      const other = String(Number(at) + 3).padStart(10, '0');
      const damaged = Buffer.from(pdf.slice(0, index) + other + pdf.slice(index + other.length), 'latin1');
      expect(await showOrRefuse(from, damaged)).toEqual({ ...right, flags: ['REPAIRED'] });
    }
  });
});

/** Encrypted by name only: streams and strings are as they were, and a reader that needs no password takes them for decrypted. */
const packedAndEncrypted = async (damage: Damage): Promise<Uint8Array> => {
  const encrypted = Buffer.from(await aProtectedPdf('change')).toString('latin1');
  const number = /\/Encrypt (\d+) 0 R/.exec(encrypted)?.[1] ?? '';
  const start = encrypted.indexOf('<<', encrypted.indexOf(`\n${number} 0 obj`));
  const dictionary = encrypted.slice(start, encrypted.indexOf('endobj', start)).replaceAll(/\/(St[mr]F) ?\/StdCF/g, '/$1/Identity');
  return writePackedPdf(objects, { damage, encryption: dictionary });
};

test('an encrypted file whose entries do not lead to its packed objects is refused', async () => {
  expect(await showPage(from, await packedAndEncrypted(() => {}))).toMatchObject({ flags: [], text: 'Umowa\nKwota 1 234,56 PLN' });
  const damaged = await packedAndEncrypted((rows) => rows.set(8, { stream: objects.length + 1, index: 0 }));
  expect(await showOrRefuse(from, damaged)).toMatch(/its table does not lead to all objects/);
});

const cased = (name: string): Promise<Buffer> => readFile(new URL(`../../testing/awkward-pdfs/${name}.pdf`, import.meta.url));

test.each([
  ['xref-content-off-6', 'Kwota 1 234,56 PLN'],
  ['xo-form-off', 'Umowa\nKwota 1 234,56 PLN'],
  ['xo-image-off', 'Umowa\nKwota 1 234,56 PLN'],
  ['xo-page-off', 'Umowa\nKwota 1 234,56 PLN'],
])('%s is read whole, and flagged', async (name, text) => {
  const shown = await showPage(from, await cased(name));
  expect(shown).toMatchObject({ flags: ['REPAIRED'], text: expect.stringContaining(text) });
  if (name.startsWith('xo-')) expect(shown).toEqual({ ...(await showPage(from, await cased('xo-right'))), flags: ['REPAIRED'] });
});

test('an object that no table has, though the page names it, is found', async () => {
  const write = (damage?: Damage): Uint8Array => withUpdate(writePdf(objects.slice(0, 6)), later, damage && { damage });
  const found = await showPage(
    from,
    write((rows) => rows.delete(7)),
  );
  expect(found).toEqual({ ...(await showPage(from, write())), flags: ['REPAIRED'] });
});

test.each<[string, Uint8Array]>([
  [
    'whose entries lead to the line breaks before their objects',
    withTable(writePdf(objects), (rows) => rows.forEach((row, number) => rows.set(number, moved(-1)(row, rows) ?? row))),
  ],
  [
    'with an object that was deleted',
    withUpdate(writePdf([...objects, '<</No/Longer>>']), new Map(), { damage: (rows) => rows.set(11, 'free') }),
  ],
  [
    'with comments in its trailer',
    Buffer.from(Buffer.from(writePdf(objects)).toString('latin1').replace('trailer<<', 'trailer%a\n<<%b\n'), 'latin1'),
  ],
  [
    'with a note that a later version deleted',
    withUpdate(
      writePdf([...objects.slice(0, 2), objects[2]?.replace('9 0 R', '9 0 R 11 0 R') ?? '', ...objects.slice(3), objects[8] ?? '']),
      new Map([[3, objects[2] ?? '']]),
      { damage: (rows) => rows.set(11, 'free') },
    ),
  ],
])('a file %s is not damaged', async (_, pdf) => {
  const right = await showPage(from, writePdf(objects));
  expect(await showPage(from, pdf)).toEqual({ ...right, flags: [] });
});
