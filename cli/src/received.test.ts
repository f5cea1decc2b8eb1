import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { testCategories, upload } from '@pergamin/server/testing/sending';
import type { TestClient, TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;
let portal: TestPortal;
let client: TestClient;
let environment: CliPortal['environment'];

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(args, { folder, environment });
const send = async (text: string): Promise<{ id: string; pdf: Buffer }> => {
  const pdf = Buffer.from(aPdf({ text }));
  return { id: (await upload(client, { pdf, filename: `${text}.pdf` })).body.id, pdf };
};
const statusOf = async (id: string): Promise<string> => (await client.call('getSentDocument', { params: { id } })).body.status;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal, environment } = started);
  client = await portal.signIn('10000001');
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-received-'));
  return () => rm(folder, { recursive: true });
});
afterAll(() => started[Symbol.asyncDispose]());

test('categories come from a file, and can be imported again', async () => {
  await writeFile(join(folder, 'categories.json'), JSON.stringify(testCategories));
  const difference = 'new COMPLAINTS\n  + COMPLAINT\n  + APPEAL\nnew LOANS\n  + INCOME\n';
  for (const _ of ['first', 'again'])
    expect((await pergamin('categories', 'import', 'categories.json', '--dry-run')).out).toBe(
      `${difference}would create 2, change 0, unchanged 0 categories\n`,
    );
  expect(await pergamin('categories', 'import', 'categories.json')).toEqual({
    code: 0,
    out: `${difference}created 2, changed 0, unchanged 0 categories\n`,
    error: '',
  });
  expect((await pergamin('categories', 'import', 'categories.json')).out).toBe('created 0, changed 0, unchanged 2 categories\n');
  expect((await client.call('listCategories', {})).body.map(({ id }) => id)).toEqual(['COMPLAINTS', 'LOANS']);
});

test('the difference to the categories that there are is said, and with --dry-run nothing changes', async () => {
  const name = { pl: 'Inne', en: 'Other' };
  const write = (category: object) => writeFile(join(folder, 'other.json'), JSON.stringify([{ id: 'OTHER', name, ...category }]));
  await write({ types: ['KEPT', 'GONE'].map((id) => ({ id, name })) });
  await pergamin('categories', 'import', 'other.json');
  await write({
    retentionDays: 30,
    types: [
      { id: 'KEPT', name: { ...name, en: 'Kept' } },
      { id: 'NEXT', name },
    ],
  });
  const difference = 'changed OTHER: retentionDays\n  + NEXT\n  ~ KEPT\n  - GONE\n';
  for (const _ of ['first', 'again'])
    expect((await pergamin('categories', 'import', 'other.json', '--dry-run')).out).toBe(
      `${difference}would create 0, change 1, unchanged 0 categories\n`,
    );
  expect((await pergamin('categories', 'import', 'other.json')).out).toBe(`${difference}created 0, changed 1, unchanged 0 categories\n`);
});

test.each([
  ['no JSON', '{', /not a readable JSON file/],
  ['no list', '{}', /does not fit/],
  ['a category without names', '[{"id":"X","types":[]}]', /0\.name: /],
])('categories from a file with %s end with 2 and say where', async (_, content, problem) => {
  await writeFile(join(folder, 'wrong.json'), content);
  const ended = await pergamin('categories', 'import', 'wrong.json');
  expect([ended.code, ended.out]).toEqual([2, '']);
  expect(ended.error).toMatch(problem);
});

test('what clients sent is pulled once, whole, with what is known of it, and acknowledged', async () => {
  const sent = [await send('jeden'), await send('dwa')];
  expect(await statusOf(sent[0]!.id)).toBe('SENT');
  expect(await pergamin('received', 'pull', '--to', 'in')).toEqual({ code: 0, out: 'pulled 2, already there 0, failed 0\n', error: '' });
  expect((await readdir(join(folder, 'in'))).toSorted()).toEqual(sent.flatMap(({ id }) => [`${id}.json`, `${id}.pdf`]).toSorted());
  for (const { id, pdf } of sent) {
    expect((await readFile(join(folder, 'in', `${id}.pdf`))).equals(pdf)).toBe(true);
    const said: unknown = JSON.parse(await readFile(join(folder, 'in', `${id}.json`), 'utf8'));
    expect(said).toMatchObject({ id, personalId: '10000001', sha256: createHash('sha256').update(pdf).digest('hex') });
    expect(await statusOf(id)).toBe('RECEIVED');
  }
  expect((await pergamin('received', 'pull', '--to', 'in')).out).toBe('pulled 0, already there 0, failed 0\n');
});

test('a pull that was broken off goes on: what lies there whole is only acknowledged, half a file is fetched again', async () => {
  const [whole, half] = [await send('cały'), await send('pół')];
  await writeFile(join(folder, `${whole.id}.pdf`), whole.pdf);
  await writeFile(join(folder, `${half.id}.pdf`), half.pdf.subarray(0, 100));
  await writeFile(join(folder, `${half.id}.pdf.part`), 'what a killed run left');
  expect((await pergamin('received', 'pull', '--to', '.')).out).toBe('pulled 1, already there 1, failed 0\n');
  expect((await readFile(join(folder, `${half.id}.pdf`))).equals(half.pdf)).toBe(true);
  expect([await statusOf(whole.id), await statusOf(half.id)]).toEqual(['RECEIVED', 'RECEIVED']);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a document that is damaged is named and not acknowledged, the others come through', async () => {
  const [damaged, sound] = [await send('uszkodzony'), await send('zdrowy')];
  const { object_key: key } = await portal.db
    .selectFrom('sent_document')
    .select('object_key')
    .where('id', '=', damaged.id)
    .executeTakeFirstOrThrow();
  const path = join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
  await rm(path);
  await writeFile(path, damaged.pdf.fill('X', 20, 21));
  const ended = await pergamin('received', 'pull', '--to', 'in');
  expect([ended.code, ended.out]).toEqual([1, 'pulled 1, already there 0, failed 1\n']);
  expect(ended.error).toContain(`${damaged.id}: `);
  expect([await statusOf(damaged.id), await statusOf(sound.id)]).toEqual(['SENT', 'RECEIVED']);
  expect(await readdir(join(folder, 'in'))).not.toContain(`${damaged.id}.pdf`);
});

test.each([[['received']], [['received', 'pull']], [['received', 'push', '--to', 'x']], [['categories', 'import']]])(
  'the words %j end with 2',
  async (words) => {
    expect((await pergamin(...words)).code).toBe(2);
  },
);
