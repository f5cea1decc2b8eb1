import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readManifest } from '#manifest-lines.ts';
import { aWorkbook, rowOf, type WorkbookParts } from '#testing/a-workbook.ts';
import type { TableRow } from './cells.ts';
import { readXlsxRows } from './xlsx-rows.ts';

let folder: string;

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-workbooks-'));
});

afterAll(() => rm(folder, { recursive: true }));

const rowsOf = async (content: Uint8Array): Promise<TableRow[]> => {
  const path = join(folder, 'a.xlsx');
  await writeFile(path, content);
  return collect(readXlsxRows(path));
};

const cellsOf = async (parts: WorkbookParts) => (await rowsOf(await aWorkbook(parts))).map((row) => ('cells' in row ? row.cells : row));

test('the first sheet that is not hidden is read, its texts wherever they are kept, and blank rows are none', async () => {
  const rows = await rowsOf(
    await aWorkbook({
      texts:
        '<si><t>Wyciąg</t></si><si><r><t xml:space="preserve"> Kowal </t></r><r><t>&amp; Syn</t></r><rPh><t>x</t></rPh></si><si><t>a_x000D_b</t></si>',
      rows: `${rowOf(1, ['file', '', 'type'])}<row r="2"><c r="A2"/></row><row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c></row><row><c t="str"><f>A1</f><v>wynik</v></c><c t="s"><v>2</v></c><c t="b"><v>1</v></c></row>`,
    }),
  );
  expect(rows).toEqual([
    { line: 1, cells: [{ text: 'file' }, { text: '' }, { text: 'type' }] },
    { line: 3, cells: [{ text: '' }, { text: 'Wyciąg' }, { text: 'Kowal & Syn' }] },
    { line: 4, cells: [{ text: 'wynik' }, { text: 'a\rb' }, { text: 'true' }] },
  ]);
});

test('names with the prefix of a namespace are the same names', async () => {
  const sheet =
    '<x:worksheet xmlns:x="a"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>ą</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>';
  expect(await cellsOf({ rows: '', parts: { 'xl/worksheets/sheet2.xml': sheet } })).toEqual([[{ text: 'ą' }]]);
});

describe('a number in a cell', () => {
  test.each([
    ['12.5', 'General', { text: '12.5', keptAs: 'number' }],
    ['0.30000000000000004', 'General', { text: '0.3', keptAs: 'number' }],
    ['6.1109010140000073E+25', 'General', { text: '6.11090101400001e+25', keptAs: 'number' }],
    ['46344', 'yyyy-mm-dd', { text: '2026-11-18', keptAs: 'date' }],
    ['46344.5', 'd/m/yy h:mm', { text: '2026-11-18T12:00:00', keptAs: 'date' }],
    ['1', '[$-415]d mmm yyyy;@', { text: '1900-01-01', keptAs: 'date' }],
    ['7', '0" sztuk dnia"', { text: '7', keptAs: 'number' }],
    ['7', '[Red]0.00', { text: '7', keptAs: 'number' }],
    ['123', '000000000', { text: '000000123' }],
    ['-1', 'yyyy-mm-dd', { text: '', problem: 'a date that there is not' }],
  ])('%s of the format %s', async (value, format, cell) => {
    expect(await cellsOf({ formats: [format], rows: `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>` })).toEqual([[cell]]);
  });

  test('is a day, too, by a format that every program knows, and where days are counted from 1904', async () => {
    const rows = '<row r="1"><c r="A1" s="1"><v>44882</v></c></row>';
    expect(await cellsOf({ isFrom1904: true, rows })).toEqual([[{ text: '2026-11-18', keptAs: 'date' }]]);
  });
});

test.each([
  ['an error', '<c r="A1" t="e"><v>#N/A</v></c>', 'the spreadsheet says #N/A there'],
  ['a formula that was never calculated', '<c r="A1"><f>B1</f><v></v></c>', expect.stringContaining('a formula without its result')],
])('a cell with %s has a problem', async (_, xml, problem) => {
  expect(await cellsOf({ rows: rowOf(1, [{ xml }]) })).toEqual([[{ text: '', problem }]]);
});

describe('a workbook is not read', () => {
  const unreadable = 'is not a readable XLSX workbook';
  const row = rowOf(1, ['a']);
  test.each([
    ['that is something else', Buffer.from('file;type\n'), unreadable],
    ['with a password', Buffer.from('d0cf11e0a1b11ae1', 'hex'), unreadable],
    ['that ends too early', aWorkbook({ rows: row }).then((bytes) => bytes.subarray(0, -30)), unreadable],
    [
      'with a document type',
      aWorkbook({ rows: '', parts: { 'xl/worksheets/sheet2.xml': '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>' } }),
      unreadable,
    ],
    ['with a sheet that is not closed', aWorkbook({ rows: '', parts: { 'xl/worksheets/sheet2.xml': '<worksheet><row>' } }), unreadable],
    ['with a text that is missing', aWorkbook({ rows: '<row r="1"><c r="A1" t="s"><v>9</v></c></row>' }), 'a text of a cell is missing'],
    ['with a cell that there is not', aWorkbook({ rows: '<row r="1"><c r="AAAA1"><v>9</v></c></row>' }), 'no cell AAAA1'],
    ['with a row that has no number', aWorkbook({ rows: '<row r="x"/>' }), 'a row without a number'],
    ['with parts in parts in parts', aWorkbook({ rows: '<row>'.repeat(200) }), 'too deep'],
    [
      'with a thousand attributes',
      aWorkbook({ rows: `<row ${Array.from({ length: 1_001 }, (_, index) => `a${index}=""`).join(' ')}/>` }),
      'too deep',
    ],
    ['without a sheet', aWorkbook({ rows: '', parts: { 'xl/workbook.xml': '<workbook/>' } }), 'no sheet'],
    [
      'that says more of itself than it may',
      aWorkbook({ rows: row, parts: { 'xl/styles.xml': ' '.repeat(17 * 1024 ** 2) } }),
      'has more than 16 MB',
    ],
  ])('%s', async (_, content, sentence) => {
    await expect(Promise.resolve(content).then(rowsOf)).rejects.toThrow(sentence);
  });
});

test('cells are formatted up to the last column, and a value far behind is refused', async () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="1"/></row><row r="2"><c r="XFD2"><v>1</v></c></row>';
  expect(await rowsOf(await aWorkbook({ rows }))).toEqual([
    { line: 1, cells: [{ text: '1', keptAs: 'number' }] },
    { line: 2, problem: 'a value beyond column 1000' },
  ]);
});

test('a row of cells that are too long is refused by itself', async () => {
  expect(await rowsOf(await aWorkbook({ rows: rowOf(1, ['x'.repeat(70_000)]) + rowOf(2, ['a']) }))).toEqual([
    { line: 1, problem: 'longer than 65536 characters' },
    { line: 2, cells: [{ text: 'a' }] },
  ]);
});

describe('a manifest in a workbook', () => {
  const types = new Map([
    ['REG_DATE', 'SIMPLE_DATE'],
    ['AMOUNT', 'DECIMAL'],
  ] as const);
  const header = rowOf(1, ['file', 'type', 'cif', 'uniqueName', 'meta.REG_DATE', 'meta.AMOUNT', 'meta.ACCOUNT_NUMBER']);
  const read = async (row: string) => {
    const path = join(folder, 'manifest.xlsx');
    await writeFile(path, await aWorkbook({ rows: header + row, formats: ['yyyy\\-mm\\-dd', '000000000'] }));
    return collect(await readManifest(path, { types }));
  };

  test('has texts, days and amounts; blank cells at the end of a row may be missing', async () => {
    const day = { xml: '<c r="E3" s="1"><v>46344</v></c>' };
    const amount = { xml: '<c r="F3"><v>12.5</v></c>' };
    const padded = { xml: '<c r="C3" s="2"><v>123</v></c>' };
    const record = { file: 'a.pdf', type: 'PRIVATE', uniqueName: 'u', fileName: 'a.pdf' };
    expect(await read(rowOf(3, ['a.pdf', 'PRIVATE', padded, 'u', day, amount]))).toEqual([
      { line: 3, record: { ...record, cif: '000000123', metadata: { REG_DATE: '2026-11-18', AMOUNT: 12.5 } } },
    ]);
  });

  test.each([
    ['cif', 2, '<c r="C2"><v>123</v></c>', 'a number, which may have lost its leading zeros or its last digits'],
    ['uniqueName', 3, '<c r="D2" s="1"><v>46344</v></c>', 'a day, and no text'],
    ['meta.ACCOUNT_NUMBER', 6, '<c r="G2"><v>6.1109010140000073E+25</v></c>', 'a number, which may have lost'],
    ['meta.ACCOUNT_NUMBER', 6, '<c r="G2" t="str"><f>C2</f><v>6,1109E+25</v></c>', 'rounded by a spreadsheet'],
  ])('is refused by its line and the column %s (%i) for %s', async (column, at, xml, sentence) => {
    const cells: (string | { xml: string })[] = ['a.pdf', 'PRIVATE', '7', 'u', '', '', ''];
    cells[at] = { xml };
    expect(await read(rowOf(2, cells))).toEqual([{ line: 2, problem: expect.stringContaining(`${column}: ${sentence}`) }]);
  });
});

test('of a large sheet one part after the other is held', { timeout: 60_000 }, async () => {
  const count = 20_000;
  const rows = Array.from({ length: count }, (_, index) => rowOf(index + 1, [`${index}.pdf`, 'PRIVATE', '7'])).join('');
  await writeFile(join(folder, 'large.xlsx'), await aWorkbook({ rows }));
  const reading = readXlsxRows(join(folder, 'large.xlsx'));
  expect((await reading.next()).value).toMatchObject({ line: 1 });
  expect((await collect(reading)).at(-1)).toMatchObject({ line: count });
});
