import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { downloadZip } from 'client-zip';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;

const pergamin = (args: string[], environment = started.environment): Promise<Ended> => runPergamin(args, { folder, environment });

beforeAll(async () => {
  started = await startCliPortal();
  ({ folder } = started);
  await started.portal.addClient('1001', { cif: '7001' });
});
afterAll(() => started[Symbol.asyncDispose]());

const header = 'file;type;cif;uniqueName';
const lineOf = (name: string, nth: number, cif = '7001'): string => `${nth}.pdf;PRIVATE;${cif};${name}-${nth}`;

const writeManifest = async (name: string, lines: readonly string[]): Promise<string> => {
  await mkdir(join(folder, name), { recursive: true });
  for (const nth of [1, 2, 3]) await writeFile(join(folder, name, `${nth}.pdf`), aPdf({ text: `${name} ${nth}` }));
  await writeFile(join(folder, name, `${name}.csv`), [header, ...lines].join('\n'));
  return `${name}/${name}.csv`;
};

const published = async (name: string): Promise<(string | null)[]> => {
  const rows = await started.portal.db
    .selectFrom('delivery')
    .innerJoin('document', 'document.id', 'delivery.document_id')
    .select('unique_name')
    .where('unique_name', 'like', `${name}-%`)
    .orderBy('unique_name')
    .execute();
  return rows.map(({ unique_name: uniqueName }) => uniqueName);
};

/** As the portal writes it in the first line of standard error. */
const idOf = ({ error }: Ended): string => /^batch ([\da-f-]{36}) /.exec(error)?.[1] ?? '';

describe('pergamin publish --batch', () => {
  test('publishes nothing while a line is refused, goes on with the corrected manifest, and can be repeated', async () => {
    const manifest = await writeManifest('may', [lineOf('may', 1), lineOf('may', 2, '9999'), lineOf('may', 3)]);
    const refused = await pergamin(['publish', manifest, '--batch']);
    expect(refused).toMatchObject({ code: 1, out: 'in the batch 2, published before 0, refused 1\n' });
    expect(refused.error).toMatch(/^batch \S+ is opened: may\.csv [\da-f]{12}\n/);
    expect(refused.error).toMatch(/line 3: VALIDATION_ERROR: /);
    const [, name = ''] = /--batch='([^']+)'/.exec(refused.error) ?? [];
    expect(await published('may')).toEqual([]);
    await writeManifest(
      'may',
      [1, 2, 3].map((nth) => lineOf('may', nth)),
    );
    const corrected = await pergamin(['publish', manifest, `--batch=${name}`, '--report', 'may.report.csv']);
    expect(corrected).toMatchObject({ code: 0, out: expect.stringMatching(/^in the batch 3, .*\nbatch \S+: published 3 documents\n$/) });
    expect(corrected.error).toBe(`batch ${idOf(refused)} goes on, with 2 documents: ${name}\n`);
    expect(await published('may')).toEqual(['may-1', 'may-2', 'may-3']);
    const rows = (await readFile(join(folder, 'may.report.csv'), 'utf8')).trim().split('\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(0, 2).join(' ')).toSorted()).toEqual(['2 added', '3 added', '4 added']);
    expect(await pergamin(['publish', manifest, `--batch=${name}`])).toMatchObject({ code: 0, out: corrected.out });
    // Under another name: everything was published before, and an empty batch is not left behind.
    expect(await pergamin(['publish', manifest, '--batch'])).toMatchObject({
      code: 0,
      out: 'in the batch 0, published before 3, refused 0\n',
    });
    expect((await pergamin(['batches', 'list'])).out).toBe('');
  });

  test('takes the files out of a ZIP archive, and refuses another file of a name that the batch has', async () => {
    const manifest = await writeManifest('july', [lineOf('july', 1)]);
    const zip = downloadZip([{ name: '1.pdf', input: new Blob([Uint8Array.from(aPdf({ text: 'july 1' }))]) }]);
    await writeFile(join(folder, 'july.zip'), Buffer.from(await zip.arrayBuffer()));
    expect(await pergamin(['publish', manifest, '--files', 'july.zip', '--batch=july', '--no-commit'])).toMatchObject({ code: 0 });
    await writeFile(join(folder, 'july', '1.pdf'), aPdf({ text: 'another' }));
    const other = await pergamin(['publish', manifest, '--batch=july']);
    expect(other).toMatchObject({
      code: 1,
      error: expect.stringContaining('RESOURCE_DUPLICATE: uniqueName: the batch has another file under it'),
    });
    expect(await published('july')).toEqual([]);
  });

  test('of a folder sends its PDFs, and --at leaves the publication to its moment', async () => {
    await writeManifest('june', []);
    const ended = await pergamin(['publish', 'june', '--type', 'PRIVATE', '--cif', '7001', '--batch', '--at', '2199-01-01T06:00:00+01:00']);
    expect(ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 documents will be published on 2199-01-01T05:00:00.000Z\n'),
    });
    expect((await pergamin(['batches', 'show', idOf(ended)])).out).toMatch(
      /COMMITTED  0 of 3 published .*\n  opened .* by tests \(.*\n  committed .*\n  to be published from 2199-01-01T05:00:00.000Z\n$/,
    );
  });
});

test('pergamin batches: a batch that was only sent is committed, reported and discarded by its name or id', async () => {
  const manifest = await writeManifest('august', [lineOf('august', 1), lineOf('august', 2)]);
  const sent = await pergamin(['publish', manifest, '--batch=august', '--no-commit']);
  expect(sent).toMatchObject({ code: 0, out: expect.stringContaining(`pergamin batches commit ${idOf(sent)} --documents 2\n`) });
  expect((await pergamin(['batches', 'list'])).out).toMatch(/^\S+  OPEN  +0 of 2 published  \S+  august$/m);
  expect(await pergamin(['batches', 'commit', 'august', '--documents', '3'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('documents: the batch has 2'),
  });
  expect(await pergamin(['batches', 'commit', 'august', '--documents', '2'])).toMatchObject({
    code: 0,
    out: `batch ${idOf(sent)}: published 2 documents\n`,
  });
  const lines = (await pergamin(['batches', 'report', idOf(sent)])).out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ uniqueName: 'august-1', state: 'ACTIVE' }),
      expect.objectContaining({ uniqueName: 'august-2', state: 'ACTIVE' }),
    ]),
  );
  expect(await pergamin(['batches', 'report', 'august', '--csv', '--to', 'august.table.csv'])).toMatchObject({ code: 0, out: '' });
  expect(await readFile(join(folder, 'august.table.csv'), 'utf8')).toMatch(
    /^uniqueName,id,sha256,state,publishedAt,type,cif,cif2,groupId,fileName\naugust-\d,\S+,[\da-f]{64},ACTIVE,\S+Z,PRIVATE,\w+,,,\S.*\naugust-\d,/,
  );
  expect(await pergamin(['batches', 'discard', 'august', '--yes'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('INVALID_STATUS'),
  });

  const other = await writeManifest('september', [lineOf('september', 1)]);
  await pergamin(['publish', other, '--batch=september', '--no-commit']);
  expect(await pergamin(['batches', 'discard', 'september'])).toMatchObject({
    code: 2,
    error: expect.stringContaining('removes 1 documents'),
  });
  expect(await pergamin(['batches', 'discard', 'september', '--yes'])).toMatchObject({ code: 0 });
  expect((await pergamin(['batches', 'show', 'september'])).out).toMatch(/ DISCARDED /);
});

test('pergamin publish --batch with BATCH_SECOND_KEY=required sends the batch, and says how another key commits it', async () => {
  await using guarded = await startCliPortal({ BATCH_SECOND_KEY: 'required' });
  await guarded.portal.addClient('1001', { cif: '7001' });
  const manifest = join(folder, await writeManifest('october', [lineOf('october', 1)]));
  const refused = await pergamin(['publish', manifest, '--batch=october'], guarded.environment);
  expect(refused).toMatchObject({ code: 1, out: 'in the batch 1, published before 0, refused 0\n' });
  const command = ['batches', 'commit', idOf(refused), '--documents', '1'];
  expect(refused.error).toContain(`CALL_NOT_PERMITTED`);
  expect(refused.error).toContain(`to publish it with another key: pergamin ${command.join(' ')}\n`);
  const second = { ...guarded.environment, PERGAMIN_KEY: await guarded.portal.issueKey(['documents:publish']) };
  expect(await pergamin(command, second)).toMatchObject({ code: 0, out: `batch ${idOf(refused)}: published 1 document\n` });
});

test.each([
  [['publish', 'a.csv', '--at', '2027-01-01T00:00:00Z'], '--at does not go with documents that are published one by one: add --batch'],
  [['publish', 'a.csv', '--batch', '--at', 'tomorrow'], '--at tomorrow: write a moment like'],
  [['publish', 'a.csv', '--batch', '--no-commit', '--at', '2027-01-01T00:00:00Z'], '--at does not go with --no-commit'],
  [['publish', 'a.pdf', '--type', 'PUBLIC', '--batch'], '--batch does not go with one file'],
  [['publish', '--watch', 'inbox', '--batch'], '--batch does not go with --watch'],
  [['batches', 'list', '--csv'], 'pergamin batches list'],
  [['batches', 'show'], 'pergamin batches list'],
])('pergamin %j ends with 2, before anything is sent', async (words, sentence) => {
  const ended = await pergamin(words);
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.error).toContain(`pergamin: ${sentence}`);
});
