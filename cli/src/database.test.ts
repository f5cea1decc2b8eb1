import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runPergamin } from './testing/run-pergamin.ts';

const id = '0123456789abcdef';
let folder: string;
let stateFolder: string;
let dataDir: string;

/** A database whose DATA_DIR is not there. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-cli-'));
  stateFolder = join(folder, 'state');
  dataDir = join(folder, 'data');
  await mkdir(join(stateFolder, id, 'data'), { recursive: true });
  await writeFile(join(stateFolder, id, 'data', 'PG_VERSION'), '18\n');
  await writeFile(join(stateFolder, `${id}.owner`), JSON.stringify({ dataDir }));
});
afterEach(() => rm(folder, { recursive: true }));

const pergamin = (args: string[], isAlone = false) =>
  runPergamin(['database', ...args, '--in', stateFolder], { folder, environment: {}, isAlone });

test('an abandoned database is listed with its place, its size, its last use and its data folder', async () => {
  const { code, out } = await pergamin(['abandoned']);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${id}\n    path       ${join(stateFolder, id)}\n    size       \\d+ MiB\n    last used  \\d{4}-`));
  expect(out).toContain(`DATA_DIR   ${dataDir} (is not there now)\n`);
  expect(await readdir(stateFolder)).toHaveLength(2);
});

test.each([
  ['no confirmation', []],
  ['another id', ['--yes', 'fedcba9876543210']],
])('with %s nothing is removed', async (_, confirmation) => {
  expect(await pergamin(['remove-abandoned', id, ...confirmation])).toEqual({
    code: 1,
    out: '',
    error: `pergamin: Nothing was removed: confirm with --yes ${id}\n`,
  });
  expect(await readdir(stateFolder)).toHaveLength(2);
});

test('with its id it is removed', async () => {
  expect(await pergamin(['remove-abandoned', id, '--yes', id], true)).toEqual({ code: 0, out: `removed ${id}\n`, error: '' });
  expect(await readdir(stateFolder)).toEqual([]);
  expect((await pergamin(['abandoned'])).out).toBe(`no abandoned database in ${stateFolder}\n`);
});

test('a database that its data folder still names is not removed, even when the removal is confirmed', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'instance'), `${id}\n`);
  const { code, error } = await pergamin(['remove-abandoned', id, '--yes', id]);
  expect([code, error]).toEqual([1, `pergamin: ${join(stateFolder, id)} is the database of ${dataDir}\n`]);
  expect(await readdir(stateFolder)).toHaveLength(2);
});

test.each([[[]], [['remove-abandoned']], [['abandoned', id]], [['remove-abandoned', id, id]], [['abandoned', '--yes', id]]])(
  'other words are refused: %j',
  async (words) => {
    expect(await pergamin(words)).toMatchObject({ code: 2, out: '' });
  },
);
