import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { aSealingBank } from '@pergamin/server/testing/seal-settings';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { downloadZip } from 'client-zip';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, pergaminProgram, runPergamin } from './testing/run-pergamin.ts';

const isNight = process.env['NIGHTLY'] === '1';

let started: CliPortal;
let folder: string;
let portal: TestPortal;
let bank: Awaited<ReturnType<typeof aSealingBank>>;
let standing: CliPortal['environment'];

const pergamin = (args: string[]): Promise<Ended> => runPergamin(args, { folder, environment: standing });

beforeAll(async () => {
  bank = await aSealingBank('statement=required');
  started = await startCliPortal(bank.environment);
  ({ portal, folder, environment: standing } = started);
  await portal.addClient('1001', { cif: '7001' });
});

afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
});

const header = 'file;type;cif;uniqueName;meta.REG_DATE';

/** A folder of its own with so many PDFs of the names that begin alike, and the lines of a manifest about them. */
const writePdfs = async (name: string, count: number): Promise<string[]> => {
  await mkdir(join(folder, name), { recursive: true });
  const lines: string[] = [];
  for (let index = 1; index <= count; index++) {
    await writeFile(join(folder, name, `${index}.pdf`), aPdf({ text: `${name} ${index}` }));
    lines.push(`${index}.pdf;PRIVATE;7001;${name}-${index};2026-11-20`);
  }
  return lines;
};

const uniqueNames = async (beginning: string): Promise<string[]> => {
  const rows = await portal.db.selectFrom('document').select('unique_name').where('unique_name', 'like', `${beginning}-%`).execute();
  return rows.map(({ unique_name: name }) => name ?? '').toSorted();
};
const namesOf = (beginning: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${beginning}-${index + 1}`).toSorted();

describe('pergamin publish of a manifest', () => {
  test('publishes its documents, names the lines that are refused, and can be repeated', async () => {
    const [one = '', two = '', three = ''] = await writePdfs('may', 3);
    const wrong = [
      '4.pdf;PRIVATE;7001;may-4;2026-11-20',
      '1.pdf;PRIVATE;9999;may-5;2026-11-20',
      '1.pdf;PRIVATE;7001;may-1;2026-11-20',
      '1.pdf;PRIVATE;7001;may-6;20 November',
      '../agreement.pdf;PRIVATE;7001;may-7;',
    ];
    await writeFile(join(folder, 'may', 'may.csv'), [header, one, ...wrong, two, three].join('\n'));
    const ended = await pergamin(['publish', 'may/may.csv', '--report', 'may.report.csv']);
    expect(ended).toMatchObject({ code: 1, out: 'published 3, published before 0, refused 5\n' });
    const said = ended.error.split('\n').toSorted();
    expect(said).toEqual([
      '',
      expect.stringMatching(/^line 3: DOCUMENT_UPLOAD_ERROR: there is no such file; the nearest is '[123].pdf'$/),
      expect.stringMatching(/^line 4: VALIDATION_ERROR: .*CIF: no client has this customer number$/),
      expect.stringMatching(/^line 5: RESOURCE_DUPLICATE: uniqueName: line 2 has the same$/),
      expect.stringMatching(/^line 6: DOCUMENT_METADATA_ERROR: .*REG_DATE: /),
      expect.stringMatching(/^line 7: DOCUMENT_UPLOAD_ERROR: the path leaves the folder of the files$/),
      'pergamin: 5 lines were refused',
    ]);
    expect(await uniqueNames('may')).toEqual(namesOf('may', 3));
    const rows = (await readFile(join(folder, 'may.report.csv'), 'utf8')).trim().split('\n');
    expect(rows[0]).toBe('line,outcome,code,message,id,flags');
    expect(
      rows
        .slice(1)
        .map((row) => row.split(',').slice(0, 3).join(' '))
        .toSorted(),
    ).toEqual([
      '2 published ',
      '3 refused DOCUMENT_UPLOAD_ERROR',
      '4 refused VALIDATION_ERROR',
      '5 refused RESOURCE_DUPLICATE',
      '6 refused DOCUMENT_METADATA_ERROR',
      '7 refused DOCUMENT_UPLOAD_ERROR',
      '8 published ',
      '9 published ',
    ]);
    expect((await pergamin(['publish', 'may/may.csv'])).out).toBe('published 0, published before 3, refused 5\n');
    expect(await uniqueNames('may')).toEqual(namesOf('may', 3));
  });

  test('only judges every line with --dry-run', async () => {
    const lines = await writePdfs('june', 2);
    await writeFile(join(folder, 'june', 'june.csv'), [header, ...lines, '1.pdf;PRIVATE;7001;june-3;never'].join('\n'));
    const ended = await pergamin(['publish', 'june/june.csv', '--dry-run']);
    expect(ended).toMatchObject({ code: 1, out: '2 documents could be published, 0 were published before, refused 1\n' });
    expect(await uniqueNames('june')).toEqual([]);
  });

  test('says with --dry-run how many documents need a valid seal', async () => {
    await writePdfs('sealed', 2);
    const lines = [
      { file: '1.pdf', type: 'PRIVATE', cif: '7001', uniqueName: 'sealed-1', metadata: { PERGAMIN_ST_DOC_TYPE: 'STATEMENTS' } },
      { file: '2.pdf', type: 'PRIVATE', cif: '7001', uniqueName: 'sealed-2' },
    ];
    await writeFile(join(folder, 'sealed', 'sealed.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const ended = await pergamin(['publish', 'sealed/sealed.jsonl', '--dry-run']);
    expect(ended).toMatchObject({ code: 0, out: '2 documents could be published, 0 were published before, refused 0\n' });
    expect(ended.error).toContain('1 of them need a valid seal, which is verified when the file is sent');
  });

  test('takes the files out of a ZIP archive, and tells what a PDF is flagged for', async () => {
    const scripted = aPdf({ text: 'july' });
    const action = Buffer.from(scripted).toString('latin1').replace('/Type/Catalog', '/Type/Catalog/OpenAction<</S/JavaScript/JS(1)>>');
    const files = [
      { name: 'pdfs/1.pdf', input: new Blob([Uint8Array.from(aPdf({ text: 'july 1' }))]) },
      { name: 'pdfs/2.pdf', input: new Blob([Uint8Array.from(Buffer.from(action, 'latin1'))]) },
    ];
    await writeFile(join(folder, 'july.zip'), Buffer.from(await downloadZip(files).arrayBuffer()));
    const lines = [1, 2].map((index) => JSON.stringify({ file: `pdfs/${index}.pdf`, type: 'PUBLIC', uniqueName: `july-${index}` }));
    await writeFile(join(folder, 'july.jsonl'), lines.join('\n'));
    const ended = await pergamin(['publish', 'july.jsonl', '--files', 'july.zip']);
    expect(ended).toMatchObject({ code: 0, out: 'published 2, published before 0, refused 0\n' });
    expect(ended.error).toMatch(/^line 2: flagged JAVASCRIPT/);
    expect(await uniqueNames('july')).toEqual(namesOf('july', 2));
  });

  test('killed again and again, it publishes exactly the manifest in the end, and nothing twice', { timeout: 120_000 }, async () => {
    const count = isNight ? 40 : 12;
    const lines = await writePdfs('august', count);
    await writeFile(join(folder, 'august', 'august.csv'), [header, ...lines].join('\n'));
    for (let kills = 1; kills <= (isNight ? 10 : 1); kills++) {
      const child = spawn(process.execPath, [pergaminProgram, 'publish', 'august/august.csv'], {
        cwd: folder,
        // A command that is killed leaves its temporary files.
        env: { ...standing, TMPDIR: folder, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      });
      const gone = once(child, 'exit');
      // In the middle: when some more documents are there than before.
      await expect.poll(async () => (await uniqueNames('august')).length, { interval: 5 }).toBeGreaterThanOrEqual(kills * 3);
      child.kill('SIGKILL');
      await gone;
    }
    const ended = await pergamin(['publish', 'august/august.csv']);
    expect(ended).toMatchObject({ code: 0, error: '' });
    expect(await uniqueNames('august')).toEqual(namesOf('august', count));
  });
});

test('pergamin publish of a folder publishes each of its PDFs under its own name, once', async () => {
  await writePdfs('prices', 2);
  await writeFile(join(folder, 'prices', 'notes.txt'), 'no PDF');
  const words = ['publish', 'prices', '--type', 'PUBLIC', '--meta', 'REG_DATE=2026-11-20'];
  expect(await pergamin([...words, '--dry-run'])).toMatchObject({
    code: 0,
    out: '2 documents could be published, 0 were published before, refused 0\n',
  });
  expect(await pergamin(words)).toEqual({ code: 0, out: 'published 2, published before 0, refused 0\n', error: '' });
  expect((await pergamin(words)).out).toBe('published 0, published before 2, refused 0\n');
});

test('pergamin publish --watch publishes a manifest that is put there, moves it with its report, and leaves a half-written one alone', async () => {
  const [one = '', two = ''] = await writePdfs('inbox', 2);
  const inbox = join(folder, 'inbox');
  const child = spawn(process.execPath, [pergaminProgram, 'publish', '--watch', 'inbox', '--quiet-seconds', '0'], {
    cwd: folder,
    env: { ...standing, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
  });
  const gone = once(child, 'exit');
  try {
    await writeFile(join(inbox, '.first.csv.part'), [header, one].join('\n'));
    await rename(join(inbox, '.first.csv.part'), join(inbox, 'first.csv'));
    await writeFile(join(inbox, 'second.csv'), [header, two.replace('7001', '9999')].join('\n'));
    await writeFile(join(inbox, 'third.csv'), 'colour\n');
    const failed = ['second', 'third'].flatMap((name) => [`${name}.csv`, `${name}.csv.report.csv`]);
    await expect.poll(() => readdir(join(inbox, 'done')).catch(() => [])).toEqual(['first.csv', 'first.csv.report.csv']);
    await expect
      .poll(() =>
        readdir(join(inbox, 'failed')).then(
          (names) => names.toSorted(),
          () => [],
        ),
      )
      .toEqual(failed);
    expect(await readFile(join(inbox, 'failed', 'third.csv.report.csv'), 'utf8')).toContain("'colour': no such field");
    expect(await uniqueNames('inbox')).toEqual(['inbox-1']);
    expect((await readdir(inbox)).toSorted()).toEqual(['1.pdf', '2.pdf', 'done', 'failed']);
  } finally {
    child.kill('SIGTERM');
  }
  expect((await gone)[0]).toBe(0);
});

test.each([
  [['publish', '--watch', 'inbox', '--type', 'PUBLIC'], '--type does not go with --watch'],
  [['publish', '--watch', 'nowhere'], 'nowhere is not a readable folder'],
  [['publish', 'a.csv', '--type', 'PUBLIC', '--cif', '1'], '--type, --cif do not go with a manifest'],
  [['publish', '.', '--type', 'PUBLIC', '--unique-name', 'a'], '--unique-name does not go with a folder'],
  [['publish', 'a.pdf', '--type', 'PUBLIC', '--dry-run'], '--dry-run does not go with one file'],
  [['publish', 'a.csv', '--at-once', '33'], '--at-once must be a number from 1 to 32'],
  [['publish', 'nowhere.csv'], 'nowhere.csv is not a readable file'],
  [['publish', 'a.csv', '--encoding', 'cp1250'], '--encoding cp1250: must be utf-8, windows-1250, utf-16'],
  [['publish', 'a.csv', '--only-ready'], '--only-ready does not go with what is published once'],
  [['publish', '--watch', '.', '--quiet-seconds', '1.5'], '--quiet-seconds must be a number from 0 to 86400'],
])('pergamin %j ends with 2, before anything is published', async (words, sentence) => {
  const ended = await pergamin(words);
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.error).toContain(`pergamin: ${sentence}`);
});
