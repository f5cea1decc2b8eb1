import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;
let portal: TestPortal;
let environment: CliPortal['environment'];

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(args, { folder, environment });

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal, folder, environment } = started);
});
afterAll(() => started[Symbol.asyncDispose]());

/** What docs/publishing.md shows under this name, so that it can be copied from there. */
const exampleOf = async (name: string): Promise<string> => {
  const page = await readFile(new URL('../../docs/publishing.md', import.meta.url), 'utf8');
  return new RegExp(`${name}:\\n\\n((?: {4}.*\\n)+)`).exec(page)?.[1] ?? '';
};

test('the dictionaries of the documentation’s example can be imported, again and again, and are what clients read', async () => {
  await writeFile(join(folder, 'dictionaries.json'), await exampleOf('dictionaries.json'));
  const said = { code: 0, out: 'PRIV_DOC_PRODUCT_GROUP: 2 options\nST_DOC_TYPE: 1 options\n', error: '' };
  expect(await pergamin('dictionaries', 'import', 'dictionaries.json')).toEqual(said);
  expect(await pergamin('dictionaries', 'import', 'dictionaries.json')).toEqual(said);
  const { items } = (await portal.anonymous.call('listDictionaries', {})).body;
  expect(items.find(({ id }) => id === 'PRIV_DOC_PRODUCT_GROUP')?.values).toEqual([
    { key: 'LOANS', name: { pl: 'Kredyty', en: 'Loans' } },
    { key: 'CARDS', name: { pl: 'Karty', en: 'Cards' } },
  ]);
});

test('dictionaries import with --dry-run says which options are new, renamed or gone, and changes nothing', async () => {
  const write = (...values: [key: string, en: string][]) =>
    writeFile(
      join(folder, 'difference.json'),
      JSON.stringify([
        { id: 'COLOURS', name: { pl: 'Kolory', en: 'Colours' }, values: values.map(([key, en]) => ({ key, name: { pl: en, en } })) },
      ]),
    );
  await write(['RED', 'Red'], ['BLUE', 'Blue']);
  expect((await pergamin('dictionaries', 'import', 'difference.json', '--dry-run')).out).toBe(
    'COLOURS: a new dictionary\n  new RED\n  new BLUE\n',
  );
  await pergamin('dictionaries', 'import', 'difference.json');
  expect((await pergamin('dictionaries', 'import', 'difference.json', '--dry-run')).out).toBe('COLOURS: the same options\n');
  await write(['BLUE', 'Navy'], ['GREEN', 'Green']);
  expect((await pergamin('dictionaries', 'import', 'difference.json', '--dry-run')).out).toBe(
    'COLOURS: changes\n  new GREEN\n  renamed BLUE\n  goes RED, unless a document carries it\n',
  );
  const { items } = (await portal.anonymous.call('listDictionaries', {})).body;
  expect(items.find(({ id }) => id === 'COLOURS')?.values.map(({ key }) => key)).toEqual(['RED', 'BLUE']);
});

test('what is listed is a file that can be imported, without the dictionaries of the portal itself', async () => {
  const one = [{ id: 'PUB_DOC_PRODUCT_GROUP', name: { pl: 'Grupa', en: 'Group' }, values: [{ key: 'A', name: { pl: 'A', en: 'A' } }] }];
  await writeFile(join(folder, 'one.json'), JSON.stringify(one));
  await pergamin('dictionaries', 'import', 'one.json');
  const listed = await pergamin('dictionaries', 'list');
  expect(JSON.parse(listed.out)).toContainEqual(one[0]);
  expect(listed.out).not.toContain('"STATE"');
  // As Windows saves it.
  await writeFile(join(folder, 'listed.json'), `\uFEFF${listed.out.replaceAll('\n', '\r\n')}`);
  expect((await pergamin('dictionaries', 'import', 'listed.json')).code).toBe(0);
});

test.each([
  ['import', 'wrong.json', '[{"id":"lower","name":{"pl":"a","en":"a"},"values":[]}]', /does not fit(\n {2}0\.(values|id): .+){2}/],
  ['import', 'wrong.json', '{', /is not a readable JSON file/],
  ['import', 'wrong.json', Buffer.from('\uFEFF[]', 'utf16le'), /is not UTF-8; it looks like UTF-16: save it as UTF-8/],
  ['export', 'wrong.json', '[]', /pergamin dictionaries import/],
])('dictionaries %s of %s with %j end with 2 and say why', async (verb, path, content, problem) => {
  await writeFile(join(folder, path), content);
  const ended = await pergamin('dictionaries', verb, path);
  expect([ended.code, ended.out]).toEqual([2, '']);
  expect(ended.error).toMatch(problem);
});

test('a dictionary of the portal itself is refused by its name', async () => {
  await writeFile(
    join(folder, 'state.json'),
    JSON.stringify([{ id: 'STATE', name: { pl: 'Stan', en: 'State' }, values: [{ key: 'X', name: { pl: 'X', en: 'X' } }] }]),
  );
  const ended = await pergamin('dictionaries', 'import', 'state.json');
  expect([ended.code, ended.error]).toEqual([1, expect.stringContaining('id: a dictionary of the portal itself')]);
});
