import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManifestLine, readManifest } from './manifest-lines.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-manifest-'));
});

afterAll(() => rm(folder, { recursive: true }));

const types = new Map([
  ['REG_DATE', 'SIMPLE_DATE'],
  ['AMOUNT', 'DECIMAL'],
  ['SIGNED', 'BOOLEAN'],
] as const);

const read = async (name: string, content: string | Uint8Array): Promise<ManifestLine[]> => {
  const path = join(folder, name);
  await writeFile(path, content);
  const lines: ManifestLine[] = [];
  for await (const line of await readManifest(path, { types })) lines.push(line);
  return lines;
};

const header = 'file;type;uniqueName;cif';
const umowa = { file: 'a/Umowa.pdf', type: 'PRIVATE', uniqueName: 'u1', cif: '7', fileName: 'Umowa.pdf', metadata: {} };
const good = 'a/Umowa.pdf;PRIVATE;u1;7';

test.each([
  ['of Windows with a byte order mark', `\uFEFF${header}\r\n${good}\r\n`],
  ['with commas and quotes', `"file",type,uniqueName,cif\n"a/Umowa.pdf",PRIVATE,u1,7`],
  ['with blanks around cells and an empty line', `${header}\n\n a/Umowa.pdf ; PRIVATE;u1 ;7\n`],
])('a CSV manifest %s is read', async (_, content) => {
  expect((await read('a.csv', content)).map((line) => ('record' in line ? line.record : line))).toEqual([umowa]);
});

test('a CSV manifest gives metadata as the types of their definitions, and leaves out blank cells', async () => {
  const [line] = await read(
    'a.csv',
    `${header};fileName;meta.REG_DATE;meta.AMOUNT;meta.SIGNED;meta.NOTE\n${good};Aneks "1".pdf;2026-11-20;12.5;true;\n`.replace(
      'Aneks "1".pdf',
      '"Aneks ""1"".pdf"',
    ),
  );
  expect(line).toEqual({
    line: 2,
    record: { ...umowa, fileName: 'Aneks "1".pdf', metadata: { REG_DATE: '2026-11-20', AMOUNT: 12.5, SIGNED: true } },
  });
});

test('a JSONL manifest says the same as a description of a publication, with the file', async () => {
  const record = {
    ...umowa,
    fileName: 'Inna nazwa.pdf',
    replaces: '6f1c2d0e-8a51-4a0f-9f5e-1f4b6a2d3c4e',
    metadata: { REG_DATE: '2026-11-20', SIGNED: false },
  };
  expect(await read('a.jsonl', `${JSON.stringify(record)}\n`)).toEqual([{ line: 1, record }]);
});

describe('a manifest is not read at all', () => {
  test.each([
    ['when it is empty', '', /is empty$/],
    ['without the column of the files', 'type;uniqueName\n', 'line 1: file missing'],
    ['without unique names, which make a run repeatable', 'file;type\n', 'line 1: uniqueName missing'],
    ['with a column that there is not', `${header};colour\n`, "line 1: 'colour': no such field; there are file, type"],
    ['with a column of every object', `${header};constructor\n`, "line 1: 'constructor': no such field"],
    ['with metadata of a prototype', `${header};meta.__proto__\n`, "line 1: 'meta.__proto__': no such field"],
    ['with metadata without a key', `${header};meta.\n`, "line 1: 'meta.': no such field"],
    ['with a column twice', `${header};cif\n`, 'line 1: a field is named twice'],
    ['with a quote left open in its first line', '"file;type\n', 'line 1: quotes do not fit'],
    ['when it is UTF-16', Buffer.from(`\uFEFF${header}\n${good}\n`, 'utf16le'), 'line 1: not UTF-8; it looks like UTF-16'],
    ['when it is UTF-16 without a mark', Buffer.from(`${header}\n${good}\n`, 'utf16le'), 'line 1: not UTF-8; it looks like UTF-16'],
    ['when its first line never ends', 'x'.repeat(10_000_000), 'line 1: longer than 65536 characters'],
  ])('%s', async (_, content, sentence) => {
    await expect(read('a.csv', content)).rejects.toThrow(sentence);
  });

  test.each(['a.xls', 'a.txt', 'a', 'a.constructor'])('under the name %s', async (name) => {
    await expect(read(name, header)).rejects.toThrow('the name must end with .csv, .xlsx or .jsonl');
  });
});

describe('a line of a CSV manifest is refused by itself, and the next one is read', () => {
  test.each([
    ['another encoding', Buffer.concat([Buffer.from('a.pdf;PUBLIC;'), Buffer.from([0xaf, 0xf3]), Buffer.from(';')]), 'not UTF-8'],
    ['a quote left open', 'a.pdf;"PUBLIC;u;', 'quotes do not fit'],
    ['a quote within a cell', 'a.pdf;PUB"LIC;u;', 'quotes do not fit'],
    ['too few cells', 'a.pdf;PUBLIC', '2 cells where the first line has 4'],
    ['too many cells', 'a.pdf;PUBLIC;u;;x', '5 cells where the first line has 4'],
    ['a line of 10 MB', 'x'.repeat(10_000_000), 'longer than 65536 characters'],
    ['no file', ';PUBLIC;u;', 'file: must be the path of a PDF, of 1 to 1000 characters'],
    ['no unique name', 'a.pdf;PUBLIC;;', 'uniqueName: must be 1 to 200 characters on one line, another one in each line'],
    ['a type in small letters', 'a.pdf;public;u;', 'type: must be PRIVATE, GROUP or PUBLIC'],
    ['a customer number with a blank', 'a.pdf;PRIVATE;u;7 7', 'cif: must be 1 to 32 letters, digits or -'],
    ['a NUL in the unique name', 'a.pdf;PUBLIC;u\0;', 'uniqueName: must be'],
    ['a unique name of 201 characters', `a.pdf;PUBLIC;${'u'.repeat(201)};`, 'uniqueName: must be'],
    ['a path of 1001 characters', `${'a'.repeat(1_001)};PUBLIC;u;`, 'file: must be the path of a PDF'],
  ])('%s', async (_, line, problem) => {
    const content = Buffer.concat([Buffer.from(`${header}\n`), Buffer.from(line), Buffer.from(`\n${good}\n`)]);
    const found = await read('a.csv', content);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ line: 2, problem: expect.stringContaining(problem) });
    expect(found[1]).toMatchObject({ line: 3, record: umowa });
  });
});

test('the path of a file stays as it is written, and the name that is made of it is composed', async () => {
  const file = 'x\\Wyciąg ółź.pdf'.normalize('NFD');
  const record = { ...umowa, file, fileName: 'Wyciąg ółź.pdf' };
  expect(await read('a.csv', `${header}\n${file};PRIVATE;u1;7\n`)).toEqual([{ line: 2, record }]);
  const { fileName: _, ...written } = record;
  expect(await read('a.jsonl', JSON.stringify(written))).toEqual([{ line: 1, record }]);
});

describe('a value that a spreadsheet has rounded is refused', () => {
  const columns = 'file;type;uniqueName;cif;meta.ACCOUNT_NUMBER;meta.AMOUNT';
  const sentence = 'rounded by a spreadsheet: format the column as text there, and fill it in anew';
  test.each([
    ['uniqueName', 'a.pdf;PRIVATE;STM-6,1109E+25;7;1;1'],
    ['cif', 'a.pdf;PRIVATE;u;8.001E+08;1;1'],
    ['meta.ACCOUNT_NUMBER', 'a.pdf;PRIVATE;u;7;6,1109E+25;1'],
    ['meta.ACCOUNT_NUMBER', 'a.pdf;PRIVATE;u;7;PL 6,1109E+25;1'],
    ['meta.ACCOUNT_NUMBER', 'a.pdf;PRIVATE;u;7;61109010140000100000000000;1'],
  ])('in %s of %s', async (column, line) => {
    expect(await read('a.csv', `${columns}\n${line}\n`)).toEqual([{ line: 2, problem: `${column}: ${sentence}` }]);
  });

  test.each([
    '7;61109010140000071219812874;1.5E+03',
    '7E5;PL61 1090 1014 0000 0712 1981 2874;1',
    '7;KH/E+10/2026;1',
    '7;93109010140000100000000000;1',
  ])('but not %s', async (cells) => {
    expect(await read('a.csv', `${columns}\na.pdf;PRIVATE;u;${cells}\n`)).toEqual([{ line: 2, record: expect.anything() }]);
  });

  test('in JSONL as in CSV', async () => {
    const line = JSON.stringify({ file: 'a.pdf', type: 'PUBLIC', uniqueName: 'u', metadata: { ACCOUNT_NUMBER: '6,1109E+25' } });
    expect(await read('a.jsonl', line)).toEqual([{ line: 1, problem: `meta.ACCOUNT_NUMBER: ${sentence}` }]);
  });
});

test('JSONL keeps U+2028 within its texts, and is parted by CR, too', async () => {
  const record = { ...umowa, metadata: { NOTE: 'a\u2028b\u2029c' } };
  expect(await read('a.jsonl', `${JSON.stringify(record)}\r${JSON.stringify(record)}`)).toEqual([
    { line: 1, record },
    { line: 2, record },
  ]);
  await expect(read('a.jsonl', '\n')).rejects.toThrow('has no line');
});

describe('a line of a JSONL manifest is refused by itself, and the next one is read', () => {
  const written = (more: object): string => JSON.stringify({ file: 'a.pdf', type: 'PUBLIC', uniqueName: 'u', ...more });
  test.each([
    ['no JSON', '{"file":', 'not JSON'],
    ['a list', '[]', 'not a publication'],
    ['a number', '7', 'not a publication'],
    ['null', 'null', 'not a publication'],
    ['a field that there is not', written({ colour: 'red' }), 'colour: not a field of a publication'],
    ['the prototype as a field', '{"file":"a.pdf","type":"PUBLIC","uniqueName":"u","__proto__":{"cif":"7"}}', '__proto__: not a field'],
    [
      'the prototype as metadata',
      '{"file":"a.pdf","type":"PUBLIC","uniqueName":"u","metadata":{"__proto__":{}}}',
      '__proto__: not a field',
    ],
    ['a list as metadata', written({ metadata: { REG_DATE: ['2026-11-20'] } }), 'metadata REG_DATE: must be'],
    ['a text in place of metadata', written({ metadata: 'REG_DATE' }), 'metadata: must be'],
    ['a moment of publication, which only the portal knows', written({ publishedAt: 1 }), 'publishedAt: not a field'],
    ['a checksum that is none', written({ sha256: 'abc' }), 'sha256: must be 64 hexadecimal digits'],
    ['a replaced document that is no id', written({ replaces: '1' }), 'replaces: must be the id of a document'],
    ['a number as the file', written({ file: 7 }), 'file: must be the path of a PDF'],
  ])('%s', async (_, line, problem) => {
    const found = await read('a.jsonl', `${line}\n${JSON.stringify(umowa)}\n`);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ line: 1, problem: expect.stringContaining(problem) });
    expect(found[1]).toEqual({ line: 2, record: umowa });
  });
});
