import { randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { DatabaseLog } from '../connection.ts';
import { isDataFolderLocked } from './data-folder-lock.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { isMissing, listFolder, replaceFile } from './folders.ts';
import { listProcessesOn } from './running-processes.ts';

/*
 * A database of root lives in <state folder>/<id>; DATA_DIR/instance names the id, and <id>.owner beside the folder names the DATA_DIR.
 * The note is written before the folder, the DATA_DIR's file after the database: whatever breaks off in between is found by its note.
 */

const ownerSchema = z.object({
  dataDir: z.string(),
  /** The device the DATA_DIR is on: while that is not mounted, nobody can say whether the DATA_DIR still exists. */
  device: z.number(),
});

type Owner = z.infer<typeof ownerSchema>;

const ID_PATTERN = /^[0-9a-f]{16}$/;
const OWNER_SUFFIX = '.owner';

/**
 * Gives the folder of the DATA_DIR's database: the known one, or a new one that is not yet confirmed.
 * @throws EmbeddedPostgresError when the known one is gone or belongs to another DATA_DIR: an empty database must never take its place.
 */
export async function assignInstanceFolder({
  dataDir,
  stateFolder,
}: {
  dataDir: string;
  stateFolder: string;
}): Promise<{ id: string; folder: string }> {
  const known = await findInstance(dataDir);
  const id = known ?? randomBytes(8).toString('hex');
  const folder = join(stateFolder, id);
  const note = `${folder}${OWNER_SUFFIX}`;
  const { dev: device } = await stat(dataDir);
  if (known === undefined) {
    await replaceFile(note, JSON.stringify({ dataDir, device }));
    return { id, folder };
  }
  if (!(await exists(join(folder, 'data', 'PG_VERSION')))) {
    throw new EmbeddedPostgresError(
      `${join(dataDir, 'instance')} names the database ${folder}, which is gone. Bring that folder back, or name another folder in DATA_DIR`,
    );
  }
  const owner = await findOwner(note);
  if (
    owner !== undefined &&
    owner.dataDir !== dataDir &&
    (await findInstance(owner.dataDir)) === id &&
    !(await isSameFolder(owner.dataDir, dataDir))
  ) {
    throw new EmbeddedPostgresError(`${dataDir} is a copy of ${owner.dataDir}, and the database ${folder} belongs to that one`);
  }
  if (owner?.dataDir !== dataDir || owner.device !== device) await replaceFile(note, JSON.stringify({ dataDir, device }));
  return { id, folder };
}

/** Writes the id into DATA_DIR: from now on this database is the DATA_DIR's. */
export async function confirmInstance({ dataDir, id }: { dataDir: string; id: string }): Promise<void> {
  if ((await findInstance(dataDir)) !== id) await replaceFile(join(dataDir, 'instance'), `${id}\n`);
}

export async function findInstance(dataDir: string): Promise<string | undefined> {
  const id = await readIfThere(join(dataDir, 'instance'));
  if (id === undefined) return undefined;
  if (!ID_PATTERN.test(id.trim())) throw new EmbeddedPostgresError(`${join(dataDir, 'instance')} does not hold an id`);
  return id.trim();
}

/**
 * Removes the databases whose DATA_DIR was deleted or has another database, and that nobody runs or is about to start.
 * `dataDir` is the caller's own, locked by it and confirmed.
 */
export async function sweepAbandonedInstances({
  stateFolder,
  dataDir,
  log,
}: {
  stateFolder: string;
  dataDir?: string;
  log: DatabaseLog;
}): Promise<void> {
  for (const name of await listFolder(stateFolder)) {
    if (!name.endsWith(OWNER_SUFFIX)) continue;
    const id = name.slice(0, -OWNER_SUFFIX.length);
    if (!ID_PATTERN.test(id)) continue;
    const note = join(stateFolder, name);
    const folder = join(stateFolder, id);
    try {
      const owner = await findOwner(note);
      if (owner === undefined || !(await isAbandoned({ id, owner, isOwn: owner.dataDir === dataDir }))) continue;
      if ((await listProcessesOn(join(folder, 'data'))).length > 0) continue;
      await rm(folder, { recursive: true, force: true });
      await rm(note, { force: true });
      log.info({ folder, dataDir: owner.dataDir }, 'removed a database whose data folder is gone');
    } catch (error) {
      // Somebody else's leftovers must not keep us from starting.
      log.warn({ err: error, folder }, 'an abandoned database could not be removed');
    }
  }
}

async function isAbandoned({ id, owner, isOwn }: { id: string; owner: Owner; isOwn: boolean }): Promise<boolean> {
  if (!(await exists(owner.dataDir))) return (await findDevice(owner.dataDir)) === owner.device;
  if (!isOwn && isDataFolderLocked(owner.dataDir)) return false;
  return (await findInstance(owner.dataDir)) !== id;
}

/** The device of the nearest folder that exists. */
async function findDevice(path: string): Promise<number> {
  try {
    return (await stat(path)).dev;
  } catch (error) {
    if (!isMissing(error) || path === dirname(path)) throw error;
    return findDevice(dirname(path));
  }
}

async function findOwner(note: string): Promise<Owner | undefined> {
  const text = await readIfThere(note);
  return text === undefined ? undefined : ownerSchema.parse(JSON.parse(text));
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  return a.dev === b.dev && a.ino === b.ino;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
