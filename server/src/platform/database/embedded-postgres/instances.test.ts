import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { assignInstanceFolder, confirmInstance, sweepAbandonedInstances } from './instances.ts';

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

const sweep = async (dataDir?: string): Promise<string[]> => {
  await sweepAbandonedInstances({ stateFolder, log: silentLog(), ...(dataDir === undefined ? {} : { dataDir }) });
  const names = await readdir(stateFolder);
  return names.filter((name) => !name.includes('.'));
};

describe('finding the database of a data folder', () => {
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
    expect(await sweep()).toEqual([id]);
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
});

describe('sweeping', () => {
  test('keeps the databases of data folders that exist, and removes that of a deleted one', async () => {
    const kept = await createInstance(await createDataDir('kept'));
    const dataDir = await createDataDir('deleted');
    await createInstance(dataDir);
    await rm(dataDir, { recursive: true });
    expect(await sweep()).toEqual([kept.id]);
    expect(await readdir(stateFolder)).toHaveLength(2);
  });

  test('removes what a data folder no longer names', async () => {
    const dataDir = await createDataDir('data');
    await createInstance(dataDir);
    await rm(join(dataDir, 'instance'));
    const next = await createInstance(dataDir);
    expect(await sweep()).toEqual([next.id]);
  });

  test('leaves a first start alone that is still under way', async () => {
    const dataDir = await createDataDir('data');
    const lock = await lockDataFolder(dataDir);
    const { id } = await createUnconfirmed(dataDir);
    expect(await sweep()).toEqual([id]);
    await lock.release();
    expect(await sweep()).toEqual([]);
  });

  test('of a running data folder removes its own first start that was broken off', async () => {
    const dataDir = await createDataDir('data');
    const lock = await lockDataFolder(dataDir);
    await createUnconfirmed(dataDir);
    const { id } = await createInstance(dataDir);
    expect(await sweep(dataDir)).toEqual([id]);
    await lock.release();
  });

  test('keeps the database of a data folder whose disk is not mounted', async () => {
    const dataDir = await createDataDir('data');
    const { id } = await createInstance(dataDir);
    await rm(dataDir, { recursive: true });
    await writeFile(join(stateFolder, `${id}.owner`), JSON.stringify({ dataDir, device: -1 }));
    expect(await sweep()).toEqual([id]);
  });

  test('leaves alone what it does not understand', async () => {
    await mkdir(join(stateFolder, '0123456789abcdef'));
    await writeFile(join(stateFolder, '0123456789abcdef.owner'), 'not JSON');
    expect(await sweep()).toEqual(['0123456789abcdef']);
  });
});
