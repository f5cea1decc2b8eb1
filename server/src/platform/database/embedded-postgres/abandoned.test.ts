import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { listAbandoned, nameAbandoned, removeAbandoned } from './abandoned.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { assignInstanceFolder, confirmInstance } from './instances.ts';

let folder: string;
let stateFolder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-abandoned-'));
  stateFolder = join(folder, 'state');
  await mkdir(stateFolder);
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

async function createDataDir(name: string): Promise<string> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  return dataDir;
}

/** As far as a start comes before the database is confirmed. */
async function createUnconfirmed(dataDir: string): Promise<{ id: string; folder: string }> {
  const instance = await assignInstanceFolder({ dataDir, stateFolder });
  await mkdir(join(instance.folder, 'data'), { recursive: true });
  await writeFile(join(instance.folder, 'data', 'PG_VERSION'), '18\n');
  return instance;
}

async function createInstance(dataDir: string): Promise<{ id: string; folder: string }> {
  const instance = await createUnconfirmed(dataDir);
  await confirmInstance({ dataDir, id: instance.id });
  return instance;
}

const listIds = async (): Promise<string[]> => (await listAbandoned(stateFolder)).map(({ id }) => id);

test('a database whose data folder is there and names it is not abandoned', async () => {
  await createInstance(await createDataDir('data'));
  expect(await listIds()).toEqual([]);
});

test('a database whose data folder is not there now is listed with what is known of it', async () => {
  const dataDir = await createDataDir('moved away');
  const { id, folder: database } = await createInstance(dataDir);
  await rm(dataDir, { recursive: true });
  const [found, ...more] = await listAbandoned(stateFolder);
  expect(found).toEqual({ id, folder: database, dataDir, hasDataDir: false, bytes: expect.any(Number), lastUsedAt: expect.any(Date) });
  expect(found?.bytes).toBeGreaterThan(0);
  expect(Date.now() - Number(found?.lastUsedAt)).toBeLessThan(60_000);
  expect(more).toEqual([]);
});

test('what a data folder no longer names is listed, and so is what no note names', async () => {
  const dataDir = await createDataDir('data');
  const former = await createInstance(dataDir);
  await rm(join(dataDir, 'instance'));
  await createInstance(dataDir);
  await mkdir(join(stateFolder, '0123456789abcdef'));
  const found = await listAbandoned(stateFolder);
  expect(found.map(({ id, dataDir: named }) => [id, named]).toSorted()).toEqual(
    [
      [former.id, dataDir],
      ['0123456789abcdef', undefined],
    ].toSorted(),
  );
});

test('what cannot be understood is neither listed nor removed', async () => {
  await mkdir(join(stateFolder, '0123456789abcdef'));
  await writeFile(join(stateFolder, '0123456789abcdef.owner'), 'not JSON');
  await mkdir(join(stateFolder, 'bin'));
  expect(await listIds()).toEqual([]);
  await expect(removeAbandoned({ stateFolder, id: '0123456789abcdef' })).rejects.toThrow('cannot find out');
  await expect(removeAbandoned({ stateFolder, id: 'bin' })).rejects.toThrow('no database bin');
  await expect(removeAbandoned({ stateFolder, id: '../state/0123456789abcdef' })).rejects.toThrow('no database ..');
  expect(await readdir(stateFolder)).toHaveLength(3);
});

test('a start names what it takes for abandoned in one line and removes nothing', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  await nameAbandoned({ stateFolder, log });
  expect(lines).toEqual([]);
  for (const name of ['one', 'other']) {
    const dataDir = await createDataDir(name);
    await createInstance(dataDir);
    await rm(dataDir, { recursive: true });
  }
  const before = await readdir(stateFolder, { recursive: true });
  await nameAbandoned({ stateFolder, log });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(join(folder, 'other'));
  expect(await readdir(stateFolder, { recursive: true })).toEqual(before);
});

test('one that is abandoned can be removed, and only that one', async () => {
  const kept = await createInstance(await createDataDir('kept'));
  const dataDir = await createDataDir('gone');
  const { id } = await createInstance(dataDir);
  await rm(dataDir, { recursive: true });
  await removeAbandoned({ stateFolder, id });
  expect(await readdir(stateFolder)).toEqual([kept.id, `${kept.id}.owner`]);
});

test('one whose data folder names it is not removed', async () => {
  const dataDir = await createDataDir('data');
  const { id } = await createInstance(dataDir);
  await expect(removeAbandoned({ stateFolder, id })).rejects.toThrow(`is the database of ${dataDir}`);
  expect(await readdir(stateFolder)).toHaveLength(2);
});

test('one of a first start that is under way is not removed', async () => {
  const dataDir = await createDataDir('data');
  const lock = await lockDataFolder(dataDir);
  const { id } = await createUnconfirmed(dataDir);
  await expect(removeAbandoned({ stateFolder, id })).rejects.toThrow('is starting');
  await lock.release();
  await removeAbandoned({ stateFolder, id });
  expect(await readdir(stateFolder)).toEqual([]);
});
