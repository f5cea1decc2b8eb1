import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assignInstanceFolder, confirmInstance, findDataDirOf, noteInstance } from './instances.ts';

let folder: string;
let stateFolder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-instances-'));
  stateFolder = join(folder, 'state');
  await mkdir(stateFolder);
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

async function createDataDir(name: string): Promise<string> {
  const dataDir = join(folder, name);
  await mkdir(dataDir);
  return dataDir;
}

async function createInstance(dataDir: string): Promise<{ id: string; folder: string }> {
  const instance = await assignInstanceFolder({ dataDir, stateFolder });
  await mkdir(join(instance.folder, 'data'), { recursive: true });
  await writeFile(join(instance.folder, 'data', 'PG_VERSION'), '18\n');
  await confirmInstance({ dataDir, id: instance.id });
  return instance;
}

test('the same data folder always has the same database', async () => {
  const dataDir = await createDataDir('data');
  const { id } = await createInstance(dataDir);
  expect((await assignInstanceFolder({ dataDir, stateFolder })).id).toBe(id);
});

test('a data folder that was moved keeps its database', async () => {
  const dataDir = await createDataDir('data');
  const { id } = await createInstance(dataDir);
  const moved = join(folder, 'moved');
  await rename(dataDir, moved);
  expect((await assignInstanceFolder({ dataDir: moved, stateFolder })).id).toBe(id);
  await noteInstance({ dataDir: moved, folder: join(stateFolder, id) });
  expect(await findDataDirOf(join(stateFolder, id))).toBe(moved);
});

test('a copy of a data folder does not get the database of the first', async () => {
  const dataDir = await createDataDir('data');
  const { id } = await createInstance(dataDir);
  const copy = await createDataDir('copy');
  await confirmInstance({ dataDir: copy, id });
  await expect(assignInstanceFolder({ dataDir: copy, stateFolder })).rejects.toThrow(`${copy} is a copy of ${dataDir}`);
});

test('a database that is gone is not replaced by an empty one', async () => {
  const dataDir = await createDataDir('data');
  const instance = await createInstance(dataDir);
  await rm(instance.folder, { recursive: true });
  await expect(assignInstanceFolder({ dataDir, stateFolder })).rejects.toThrow(/names the database .*, which is gone/);
});

test('a file that holds no id is not taken for a new data folder', async () => {
  const dataDir = await createDataDir('data');
  await writeFile(join(dataDir, 'instance'), '../../etc');
  await expect(assignInstanceFolder({ dataDir, stateFolder })).rejects.toThrow('does not hold an id');
});
