import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
const pergamin = (args: string[]): Promise<Ended> => runPergamin(args, { folder: started.folder, environment: started.environment });

beforeAll(async () => {
  started = await startCliPortal();
});

afterAll(() => started[Symbol.asyncDispose]());

test('pergamin metadata import creates keys and changes them, after it said so with --dry-run; list writes a file that import takes', async () => {
  const file = join(started.folder, 'metadata.json');
  const branch = { id: 'BRANCH', name: { pl: 'Oddział', en: 'Branch' }, type: 'TEXT' };
  await writeFile(file, JSON.stringify([branch]));
  expect(await pergamin(['metadata', 'import', 'metadata.json', '--dry-run'])).toEqual({
    code: 0,
    out: 'new BRANCH\nwould create 1, change 0, unchanged 0\n',
    error: '',
  });
  expect((await pergamin(['metadata', 'import', 'metadata.json'])).out).toBe('new BRANCH\ncreated 1, changed 0, unchanged 0\n');
  await writeFile(file, JSON.stringify([{ ...branch, required: true }]));
  expect((await pergamin(['metadata', 'import', 'metadata.json'])).out).toBe(
    'changed BRANCH: required\ncreated 0, changed 1, unchanged 0\n',
  );
  const { out } = await pergamin(['metadata', 'list']);
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ ...branch, required: true }));
  await writeFile(file, out);
  expect((await pergamin(['metadata', 'import', 'metadata.json'])).out).toMatch(/^created 0, changed 0, unchanged \d+\n$/);
});

test('pergamin metadata import of a wrong file says where it is wrong, and of a wrong key which', async () => {
  await writeFile(join(started.folder, 'wrong.json'), JSON.stringify([{ id: 'small letters', name: { pl: 'a', en: 'b' }, type: 'TEXT' }]));
  const wrong = await pergamin(['metadata', 'import', 'wrong.json']);
  expect(wrong).toMatchObject({ code: 2, out: '', error: expect.stringContaining('0.id') });
  await writeFile(join(started.folder, 'own.json'), JSON.stringify([{ id: 'STATE', name: { pl: 'a', en: 'b' }, type: 'TEXT' }]));
  const own = await pergamin(['metadata', 'import', 'own.json']);
  expect(own).toMatchObject({ code: 1, out: '', error: expect.stringContaining('items.0.id: a key of the portal itself') });
});
