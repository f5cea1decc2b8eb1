import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { aPdf, aPdfWithoutSizeOf } from '@pergamin/server/testing/pdfs';
import type { TestClient, TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, freePort, portOf, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;
let portal: TestPortal;
let client: TestClient;
let standing: CliPortal['environment'];

const pergamin = (args: string[], environment: Record<string, string> = {}): Promise<Ended> =>
  runPergamin(args, { folder, environment: { ...standing, ...environment } });

const published = /^published ([\da-f-]{36})\n {2}SHA-256 [\da-f]{64}\n {2}(\d+) pages, \d+ bytes\n$/;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal, folder, environment: standing } = started);
  client = await portal.signIn('10000001');
  await writeFile(join(folder, 'agreement.pdf'), aPdf({ pages: 2, text: 'agreement' }));
  await writeFile(join(folder, 'other.pdf'), aPdf({ text: 'other' }));
  await writeFile(join(folder, 'picture.pdf'), '<svg/>');
});

afterAll(() => started[Symbol.asyncDispose]());

describe('pergamin publish', () => {
  test('puts a file into its owner’s list, with what was said about it', async () => {
    const words = ['publish', 'agreement.pdf', '--type', 'PRIVATE', '--cif', 'cif-10000001', '--name', 'Umowa.pdf'];
    const ended = await pergamin([...words, '--meta', 'PRIV_CASE_NUMBER=SPR=1', '--meta', 'REG_DATE=2026-11-20', '--meta', '11=-1']);
    expect(ended).toMatchObject({ code: 0, error: '' });
    const [, id = '', pages] = published.exec(ended.out) ?? [];
    expect(pages).toBe('2');
    const { body } = await client.call('getDocument', { params: { id } });
    expect(body.metadata).toMatchObject({
      FILE_NAME: 'Umowa.pdf',
      PRIV_CASE_NUMBER: 'SPR=1',
      REG_DATE: '2026-11-20',
      '11': -1,
      TYPE: 'PRIVATE',
    });
  });

  test('pergamin publish says what customers will not see as it was meant, a line each', async () => {
    await writeFile(join(folder, 'without-size.pdf'), aPdfWithoutSizeOf(2, { pages: 2 }));
    const ended = await pergamin(['publish', 'without-size.pdf', '--type', 'PUBLIC', '--unique-name', 'without-size']);
    const told = '  PAGE_UNDRAWABLE: a page has no size or cannot be read, and customers see a notice in its place\n';
    expect(ended).toMatchObject({ code: 0, error: '', out: expect.stringMatching(/^published /) });
    expect(ended.out.endsWith(` bytes\n${told}`)).toBe(true);
    const again = await pergamin(['publish', 'without-size.pdf', '--type', 'PUBLIC', '--unique-name', 'without-size']);
    expect(again.out.endsWith(told)).toBe(true);
  });

  test('pergamin publish with a unique name can be repeated', async () => {
    const words = ['publish', 'other.pdf', '--type', 'PUBLIC', '--unique-name', 'other-1'];
    const first = await pergamin(words);
    const [, id = ''] = published.exec(first.out) ?? [];
    const second = await pergamin(words);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.out).toContain(`already published ${id}\n`);
  });

  test('replaces a document by its new version, and says why it cannot be done twice', async () => {
    const [, former = ''] = published.exec((await pergamin(['publish', 'agreement.pdf', '--type', 'PUBLIC'])).out) ?? [];
    const next = await pergamin(['publish', 'other.pdf', '--type', 'PUBLIC', '--replaces', former]);
    const [, id = ''] = published.exec(next.out) ?? [];
    const { successor, state } = (await portal.anonymous.call('getPublicDocument', { params: { id: former } })).body;
    expect({ successor, state }).toEqual({ successor: id, state: 'OBSOLETE' });
    const again = await pergamin(['publish', 'agreement.pdf', '--type', 'PUBLIC', '--replaces', former]);
    expect([again.code, again.error]).toEqual([1, expect.stringContaining('OBSOLETE')]);
  });

  test('pergamin publish ends with 1 when it is refused, and prints the code and the fields', async () => {
    const unknown = await pergamin(['publish', 'agreement.pdf', '--type', 'PRIVATE', '--cif', 'nobody']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.error).toMatch(/^pergamin: VALIDATION_ERROR: .+\n {2}cif: .+\n$/i);
    const key = await pergamin(['publish', 'agreement.pdf', '--type', 'PUBLIC', '--meta', 'NO_SUCH_KEY=1']);
    expect(key).toMatchObject({ code: 1 });
    expect(key.error).toMatch(/^pergamin: DOCUMENT_METADATA_ERROR: .+\n {2}NO_SUCH_KEY: .+\n$/);
  });

  test.each([
    ['a file that is no PDF', ['picture.pdf'], 'INVALID_DOC_TYPE'],
    ['another checksum', ['agreement.pdf', '--sha256', 'ab'.repeat(32)], 'INVALID_SHA256'],
  ])('pergamin publish of %s is refused', async (_, words, code) => {
    const ended = await pergamin(['publish', ...words, '--type', 'PUBLIC']);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.error).toContain(`pergamin: ${code}: `);
  });

  test('pergamin publish without the right key is refused', async () => {
    const ended = await pergamin(['publish', 'agreement.pdf', '--type', 'PUBLIC'], { PERGAMIN_KEY: `pk_${'x'.repeat(43)}` });
    expect(ended).toEqual({
      code: 1,
      out: '',
      error: 'pergamin: ACCESS_DENIED: The key is not valid\n  key: this portal does not know it\n',
    });
  });

  test('pergamin publish with a revoked key says that it was revoked', async () => {
    const key = await portal.issueKey(['documents:publish']);
    await portal.pool.query('update publisher_key set revoked_at = now(), revoked_by = $1 where key_start = $2', [
      'a test',
      key.slice(0, 9),
    ]);
    const ended = await pergamin(['publish', 'agreement.pdf', '--type', 'PUBLIC'], { PERGAMIN_KEY: key });
    expect(ended).toEqual({ code: 1, out: '', error: 'pergamin: ACCESS_DENIED: The key is not valid\n  key: it was revoked\n' });
  });

  test('pergamin publish with a key for something else names the scope that it lacks', async () => {
    const ended = await pergamin(['publish', 'agreement.pdf', '--type', 'PUBLIC'], {
      PERGAMIN_KEY: await portal.issueKey(['received:read']),
    });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.error).toBe('pergamin: CALL_NOT_PERMITTED: The call is not permitted\n  key: it lacks the scope documents:publish\n');
  });
});

describe('the key', () => {
  test('is read from the data folder when it is not in the environment', async () => {
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'publisher.key'), `${portal.publisherKey}\n`, { mode: 0o600 });
    const words = ['publish', 'other.pdf', '--type', 'PUBLIC'];
    expect((await pergamin(words, { PERGAMIN_KEY: '' })).code).toBe(0);
    expect((await pergamin(words, { PERGAMIN_KEY: '', DATA_DIR: join(folder, 'data') })).code).toBe(0);
  });

  test('a missing key ends with 2 and the places where it was looked for', async () => {
    const ended = await pergamin(['publish', 'other.pdf', '--type', 'PUBLIC'], { PERGAMIN_KEY: '', DATA_DIR: 'elsewhere' });
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.error).toBe("pergamin: no publisher's key: set PERGAMIN_KEY, or run where elsewhere/publisher.key can be read\n");
  });
});

test('pergamin statute publish says from when the terms are in force, in the time zone of the organisation', async () => {
  const words = ['statute', 'publish', 'other.pdf', '--version', '7', '--effective-from', '2026-12-31T23:00:00Z'];
  const ended = await pergamin(words, { TZ: 'America/New_York' });
  expect(ended).toMatchObject({ code: 0, error: '' });
  expect(ended.out).toMatch(/^published [\da-f-]{36}\n {2}version 7, in force from 2027-01-01 00:00 \(Europe\/Warsaw\)\n$/);
});

test('pergamin demo remove says what it removed', async () => {
  expect(await pergamin(['demo', 'remove'])).toEqual({ code: 0, out: 'removed 0 clients, 0 documents, 0 statutes\n', error: '' });
});

test('pergamin demo remove --offline needs no portal, only its environment, and a yes', { timeout: 60_000 }, async () => {
  const environment = { DATABASE_URL: portal.databaseUrl, DATA_DIR: portal.settings.dataDir };
  const nothing = 'demonstration: 0 clients, 0 documents, 0 statutes\n';
  const asked = await pergamin(['demo', 'remove', '--offline'], environment);
  expect(asked).toEqual({ code: 1, out: nothing, error: 'pergamin: nothing was removed; say --yes where there is no terminal\n' });
  const agreed = await runPergamin(['demo', 'remove', '--offline', '--yes'], {
    folder,
    environment: { ...standing, ...environment },
    isAlone: true,
  });
  expect(agreed).toEqual({ code: 0, out: `${nothing}removed 0 clients, 0 documents, 0 statutes\n`, error: '' });
});

describe('words that do not fit end with 2, before anything is published', () => {
  test.each([
    [['sing'], 'there is no command sing'],
    [['constructor'], 'there is no command constructor'],
    [['publish'], 'publish takes one file, folder or manifest'],
    [['publish', 'agreement.pdf', 'other.pdf'], 'publish takes one file, folder or manifest'],
    [['publish', 'agreement.pdf'], '--type must be PRIVATE, GROUP or PUBLIC'],
    [['publish', 'agreement.pdf', '--type', 'private'], '--type must be PRIVATE, GROUP or PUBLIC'],
    [['publish', 'nowhere.pdf', '--type', 'PUBLIC'], 'nowhere.pdf is not a readable file'],
    [['publish', '.'], '--type must be PRIVATE, GROUP or PUBLIC'],
    [['publish', 'agreement.pdf', '--type', 'PUBLIC', '--colour', 'red'], "Unknown option '--colour'"],
    [['publish', 'agreement.pdf', '--type', 'PUBLIC', '--meta', 'KEY'], '--meta KEY: write KEY=VALUE'],
    [['publish', 'agreement.pdf', '--type', 'PUBLIC', '--meta', 'A=1', '--meta', 'A=2'], '--meta A was given twice'],
    [['statute', 'publish', 'agreement.pdf'], 'pergamin statute publish FILE.pdf --version VERSION'],
    [['statute', 'publish', 'agreement.pdf', '--version', '8', '--colour'], "Unknown option '--colour'"],
    [['statute', 'publish', 'agreement.pdf', '--version', '8', '--effective-from', 'soon'], '--effective-from soon: write a moment'],
    [
      ['statute', 'publish', 'other.pdf', '--version', '8', '--effective-from', '2027-01-01'],
      '--effective-from 2027-01-01: write a moment',
    ],
    [['statute', 'publish', 'nowhere.pdf', '--version', '8'], 'nowhere.pdf is not a readable file'],
    [['demo', 'add'], 'pergamin demo remove'],
    [['clients'], 'pergamin clients import'],
    [['clients', 'import'], 'pergamin clients import'],
    [['clients', 'import', 'people.ods'], 'people.ods: the name must end with .csv, .xlsx or .jsonl'],
    [['clients', 'import', 'nowhere.csv'], 'nowhere.csv is not a readable file'],
    [['clients', 'import', 'nowhere.csv', '--colour'], "Unknown option '--colour'"],
  ])('pergamin %j', async (words, sentence) => {
    const ended = await pergamin(words);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.error).toContain(`pergamin: ${sentence}`);
    expect(ended.error).not.toContain('    at ');
  });
});

const publishFlags = '--type --cif --cif2 --group --name --unique-name --replaces --meta --sha256 --added-by'.split(' ');

test.each([[[]], [['agreement.pdf']], [['agreement.pdf', '--type', 'PUBLIC', '--colour', 'red']]])(
  'pergamin publish %j lists the flags that there are, a line each',
  async (words) => {
    const { error } = await pergamin(['publish', ...words]);
    for (const flag of publishFlags) expect(error).toMatch(new RegExp(`^    ${flag} .+`, 'm'));
  },
);

test('help names every command, also when nothing was said', async () => {
  const help = await pergamin(['help']);
  const nothing = await pergamin([]);
  const one = await pergamin(['publish', '--help']);
  expect([help.code, nothing.code, one.code]).toEqual([0, 2, 0]);
  expect(nothing.out).toBe(help.out);
  for (const command of ['publish', 'clients import', 'statute publish', 'dictionaries import', 'demo remove'])
    expect(help.out).toContain(`pergamin ${command}`);
  for (const flag of publishFlags) expect(one.out).toMatch(new RegExp(`^    ${flag} .+`, 'm'));
});

describe('a portal', () => {
  const words = ['demo', 'remove'];

  test('a portal at which no process listens is reported as unreachable', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await pergamin(words, { PERGAMIN_URL: url })).toEqual({
      code: 1,
      out: '',
      error: `pergamin: the portal at ${url} (PERGAMIN_URL) could not be reached: nothing listens there: does the portal run, and at this address and port? (ECONNREFUSED)\n`,
    });
  });

  test('a portal called under another name says which one to use', async () => {
    const url = new URL(standing['PERGAMIN_URL'] ?? '');
    url.hostname = 'localhost';
    expect(await pergamin(words, { PERGAMIN_URL: url.href })).toMatchObject({
      code: 1,
      error: expect.stringContaining('set PERGAMIN_URL'),
    });
  });

  test('an invalid address of the portal is an error of usage', async () => {
    expect(await pergamin(words, { PERGAMIN_URL: 'bank' })).toMatchObject({
      code: 2,
      error: 'pergamin: PERGAMIN_URL: bank is not an address\n',
    });
  });

  test('an error of a gateway in front of the portal is reported by its status', async () => {
    const gateway = createServer((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    );
    gateway.listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const ended = await pergamin(words, { PERGAMIN_URL: `http://127.0.0.1:${portOf(gateway)}` });
    gateway.close();
    expect(ended).toEqual({ code: 1, out: '', error: 'pergamin: the portal answered 502\n' });
  });
});
