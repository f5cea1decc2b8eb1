import { appendFile, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aPdf } from '@pergamin/server/testing/pdfs';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aWorkbook, rowOf } from './testing/a-workbook.ts';
import { publishInBatch } from './batch-run.ts';
import { connect } from './connection.ts';
import { openManifestFiles } from './manifest-files.ts';
import type { ManifestLine } from './manifest-lines.ts';
import { readTableRows } from '#tables/table-rows.ts';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

/** Files as spreadsheets, Macs and Windows write them, which come from reports of faults; each stands for a kind. */
const cases = fileURLToPath(new URL('./testing/tables/', import.meta.url));

let started: CliPortal;
let portal: TestPortal;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal } = started);
  await portal.addClient('30000001', { cif: '800100001' });
  for (const name of await readdir(cases)) await copyFile(join(cases, name), join(started.folder, name));
  await mkdir(join(started.folder, 'sub'));
  for (const name of ['base.pdf', 'sub/s.pdf', 'Wyciąg łódź ó.pdf'.normalize('NFD')])
    await writeFile(join(started.folder, name), aPdf({ text: name }));
});

afterAll(() => started[Symbol.asyncDispose]());

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(args, started);
const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(started.folder, name), content);
const documentsOf = (beginning: string) =>
  portal.db
    .selectFrom('document')
    .select(['id', 'unique_name', 'file_name'])
    .where('unique_name', 'like', `${beginning}%`)
    .orderBy('unique_name')
    .execute();

const published = { code: 0, out: 'published 1, published before 0, refused 0\n', error: '' };
const rounded = 'rounded by a spreadsheet: format the column as text there, and fill it in anew';

describe('a manifest is published', () => {
  test.each([
    ['with CR line ends', ['a6-cr.csv']],
    ['with rows of separators alone', ['a4-blankrows.csv']],
    ['with empty columns at its end', ['a4b-trailingcols.csv']],
    ['that says its separator', ['a3-sep.csv']],
    ['with a backslash in the path of a file', ['a8-backslash.csv']],
    ['whose file has decomposed letters', ['a9-nfd.csv']],
    ['whose archive has decomposed letters', ['a12-nfd.csv', '--files', 'a12-nfd.zip']],
    ['whose archive has names of code page 852', ['a12-cp852.csv', '--files', 'a12-cp852.zip']],
  ])('%s', async (_, [manifest = '', ...words]) => {
    expect(await pergamin('publish', manifest, ...words)).toEqual(published);
  });

  test('with rows of separators alone, in a batch', async () => {
    const ended = await pergamin('publish', 'a4-blankrows.csv', '--batch');
    expect(ended).toMatchObject({ code: 0, out: 'in the batch 0, published before 1, refused 0\n' });
  });

  test('of which a line holds U+2028 in a value', async () => {
    const record = { file: 'base.pdf', type: 'PUBLIC', uniqueName: 'separator', metadata: { BRANCH: 'a\u2028b' } };
    await put('separator.jsonl', `${JSON.stringify({ ...record, metadata: {}, addedBy: 'a\u2028b' })}\n`);
    expect(await pergamin('publish', 'separator.jsonl')).toEqual(published);
  });

  test('from a workbook, and in the encoding that is said', async () => {
    const header = ['file', 'type', 'cif', 'uniqueName', 'fileName', 'meta.REG_DATE'];
    const cells = [
      'base.pdf',
      'PRIVATE',
      '800100001',
      'book-1',
      'Wyciąg żółty.pdf'.normalize('NFD'),
      { xml: '<c r="F2" s="1"><v>46344</v></c>' },
    ];
    await put('book.xlsx', await aWorkbook({ rows: rowOf(1, header) + rowOf(2, cells), formats: ['yyyy-mm-dd'] }));
    expect(await pergamin('publish', 'book.xlsx')).toEqual(published);
    expect(await documentsOf('book-')).toMatchObject([{ file_name: 'Wyciąg żółty.pdf' }]);

    const line = `${header.join('\t')}\r\nbase.pdf\tPRIVATE\t800100001\tutf16-1\tŁódź.pdf\t2026-11-18\r\n`;
    await put('utf16.csv', Buffer.from(`\uFEFF${line}`, 'utf16le'));
    const refused = await pergamin('publish', 'utf16.csv');
    expect(refused).toMatchObject({ code: 2, error: expect.stringContaining('it looks like UTF-16: add --encoding utf-16') });
    expect(await pergamin('publish', 'utf16.csv', '--encoding', 'utf-16')).toEqual(published);
    expect(await documentsOf('utf16-')).toMatchObject([{ file_name: 'Łódź.pdf' }]);
  });
});

test('an account number that a spreadsheet has rounded is refused by line and column', async () => {
  const ended = await pergamin('publish', 'a5-sci.csv');
  expect(ended).toMatchObject({ code: 1, out: 'published 0, published before 0, refused 1\n' });
  expect(ended.error).toContain(`line 2: VALIDATION_ERROR: meta.ACCOUNT_NUMBER: ${rounded}`);
});

test.each([
  ['publish', 'alone.csv', 'file;type;uniqueName\r'],
  ['publish', 'alone.jsonl', '\r\n'],
  ['clients import', 'people-alone.csv', 'personalId;cif;firstName;lastName\r\n;;;\r\n'],
  ['groups set', 'groups-alone.csv', 'groupId;cif\n'],
])('pergamin %s of %s, which has no line, ends with 1 and says so', async (command, name, content) => {
  await put(name, content);
  const ended = await pergamin(...command.split(' '), name);
  expect(ended).toMatchObject({ code: 1, out: '', error: expect.stringContaining('has no line but its first one') });
});

test('clients are imported with CR line ends, with blank rows, and from Windows-1250', async () => {
  expect(await pergamin('clients', 'import', 'cr-people.csv')).toMatchObject({ code: 0, out: expect.stringContaining('created 1,') });
  expect(await pergamin('clients', 'import', 'bl-people.csv')).toMatchObject({ code: 0, out: expect.stringContaining('created 1,') });
  const line = Buffer.concat([Buffer.from('30000010;800100010;Jan;'), Buffer.from([0xaf, 0xf3, 0xb3, 0xe6])]);
  await put('windows.csv', Buffer.concat([Buffer.from('personalId;cif;firstName;lastName\r\n'), line]));
  expect(await pergamin('clients', 'import', 'windows.csv')).toMatchObject({
    code: 1,
    error: expect.stringContaining('line 2: not UTF-8; it looks like windows-1250: add --encoding windows-1250'),
  });
  expect(await pergamin('clients', 'import', 'windows.csv', '--encoding', 'windows-1250')).toMatchObject({ code: 0 });
  const row = await portal.db.selectFrom('client').select('last_name').where('personal_id', '=', '30000010').executeTakeFirst();
  expect(row?.last_name).toBe('Żółć');
});

test('groups and ids are read from workbooks and from what spreadsheets of the Mac write', async () => {
  await put('groups.xlsx', await aWorkbook({ rows: rowOf(1, ['groupId', 'cif']) + rowOf(2, ['łódź'.normalize('NFD'), '800100001']) }));
  expect(await pergamin('groups', 'set', 'groups.xlsx')).toMatchObject({ code: 0, out: 'łódź: joined 1, left 0\nchanged 1 of 1 groups\n' });
  await put('ids.jsonl', JSON.stringify({ file: 'base.pdf', type: 'PUBLIC', uniqueName: 'ids-1' }));
  await pergamin('publish', 'ids.jsonl');
  const id = (await documentsOf('ids-'))[0]?.id ?? '';
  const retain = async (name: string, content: string | Uint8Array): Promise<Ended> => {
    await put(name, content);
    return pergamin('documents', 'retain', '--until', '2090-12-31', '--ids', name);
  };
  for (const [name, content] of [
    ['ids.txt', `\r${id}\r\r`],
    ['separators.csv', `sep=;\r\n;;\r\n${id};;\r\n`],
    ['report.csv', `uniqueName,id\r\nids-1,${id}\r\n,\r\n`],
    ['ids.xlsx', await aWorkbook({ rows: rowOf(1, ['Nazwa', 'ID']) + rowOf(2, ['Umowa', id]) })],
  ] as const)
    expect(await retain(name, content), name).toMatchObject({ code: 0, out: expect.stringContaining(`${id}  ACTIVE`) });
  expect(await retain('none.csv', 'id\r\n')).toMatchObject({ code: 1, error: expect.stringContaining('none.csv holds no ids') });
});

test('a manifest that is changed while it is sent into a batch publishes nothing', async () => {
  await using files = await openManifestFiles(started.folder);
  const lines = async function* (): AsyncGenerator<ManifestLine> {
    yield { line: 2, record: { file: 'base.pdf', type: 'PUBLIC', fileName: 'a.pdf', uniqueName: 'growing-1', metadata: {} } };
  };
  const isChanged = async (): Promise<boolean> => true;
  const job = {
    lines: lines(),
    total: 1,
    files,
    connection: connect(started.environment),
    isDry: false,
    atOnce: 1,
    reportPath: undefined,
    isChanged,
  };
  const ended = publishInBatch(job, { name: 'growing', publishAt: undefined, commits: true });
  await expect(ended).rejects.toThrow("nothing is published: repeat the command with --batch='growing' when it is complete");
  expect(await pergamin('batches', 'show', 'growing')).toMatchObject({ out: expect.stringContaining('OPEN') });
});

test('a table that is changed while it is read is refused at its end', async () => {
  const path = join(started.folder, 'growing.csv');
  await put('growing.csv', 'groupId;cif\nvip;800100001\n');
  const rows = readTableRows(path, 'utf-8');
  await rows.next();
  await appendFile(path, 'vip;');
  await expect(
    rows
      .next()
      .then(() => rows.next())
      .then(() => rows.next()),
  ).rejects.toThrow('was changed while it was read');
});
