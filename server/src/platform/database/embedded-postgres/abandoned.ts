import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseLog } from '../connection.ts';
import { listFolder } from '#platform/disk/files.ts';
import { isDataFolderLocked } from './data-folder-lock.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { exists, findDataDirOf, findInstance, ID_PATTERN, noteOf } from './instances.ts';
import { listProcessesOn } from './running-processes.ts';

export interface AbandonedDatabase {
  readonly id: string;
  readonly folder: string;
  /** Undefined: no note names it. */
  readonly dataDir: string | undefined;
  /** Whether that folder is there now. It may be moved, not mounted yet, or being restored. */
  readonly hasDataDir: boolean;
  readonly bytes: number;
  readonly lastUsedAt: Date;
}

/** The databases that no DATA_DIR names now. What cannot be read is left out. */
export async function listAbandoned(stateFolder: string): Promise<AbandonedDatabase[]> {
  const found = await findAbandoned(stateFolder);
  return Promise.all(found.map(async (one) => ({ ...one, ...(await measure(one.folder)) })));
}

async function findAbandoned(stateFolder: string): Promise<Omit<AbandonedDatabase, keyof Measures>[]> {
  const found: Omit<AbandonedDatabase, keyof Measures>[] = [];
  for (const id of await listIds(stateFolder)) {
    const folder = join(stateFolder, id);
    const owner = await findOwnerOf(folder);
    if (owner === 'unknown' || owner.isNamedBy) continue;
    found.push({ id, folder, dataDir: owner.dataDir, hasDataDir: owner.hasDataDir });
  }
  return found;
}

/**
 * Removes one for good.
 * @throws EmbeddedPostgresError when there is none of that id, a process runs on it, its DATA_DIR names it, or that cannot be found out.
 */
export async function removeAbandoned({ stateFolder, id }: { stateFolder: string; id: string }): Promise<void> {
  const folder = join(stateFolder, id);
  if (!(await listIds(stateFolder)).includes(id)) throw new EmbeddedPostgresError(`There is no database ${id} in ${stateFolder}`);
  const owner = await findOwnerOf(folder);
  if (owner === 'unknown') throw new EmbeddedPostgresError(`This user cannot find out whether the database ${folder} is in use`);
  if (owner.isNamedBy) throw new EmbeddedPostgresError(`${folder} is the database of ${owner.dataDir ?? ''}`);
  if (owner.dataDir !== undefined && owner.hasDataDir && isDataFolderLocked(owner.dataDir))
    throw new EmbeddedPostgresError(`A process is starting on ${owner.dataDir}, which had the database ${folder}`);
  const running = await listProcessesOn(join(folder, 'data'));
  if (running.length > 0) throw new EmbeddedPostgresError(`PostgreSQL runs on ${folder} (process ${running.join(', ')})`);
  await rm(folder, { recursive: true });
  await rm(noteOf(folder), { force: true });
}

/** One line at a start; nothing is removed. */
export async function nameAbandoned({ stateFolder, log }: { stateFolder: string; log: DatabaseLog }): Promise<void> {
  try {
    const abandoned = await findAbandoned(stateFolder);
    if (abandoned.length === 0) return;
    const databases = abandoned.map(({ folder, dataDir }) => ({ folder, dataDir }));
    log.warn({ databases }, 'abandoned databases were found; see "pergamin database abandoned"');
  } catch (error) {
    log.warn({ err: error, stateFolder }, 'abandoned databases could not be listed');
  }
}

/** Folders only: a note without a folder has no database. */
async function listIds(stateFolder: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of (await listFolder(stateFolder)).toSorted())
    if (ID_PATTERN.test(name) && (await lstat(join(stateFolder, name))).isDirectory()) ids.push(name);
  return ids;
}

type Owner = Pick<AbandonedDatabase, 'dataDir' | 'hasDataDir'> & { readonly isNamedBy: boolean };

/** `unknown`: the note cannot be read, or the DATA_DIR is closed to us. */
async function findOwnerOf(folder: string): Promise<Owner | 'unknown'> {
  try {
    const dataDir = await findDataDirOf(folder);
    const id = folder.slice(-16);
    const hasDataDir = dataDir !== undefined && (await exists(dataDir));
    return { dataDir, hasDataDir, isNamedBy: hasDataDir && (await findInstance(dataDir)) === id };
  } catch {
    return 'unknown';
  }
}

type Measures = Pick<AbandonedDatabase, 'bytes' | 'lastUsedAt'>;

/** Only what may be read: the folder is closed to ordinary users. */
async function measure(folder: string): Promise<Measures> {
  let bytes = 0;
  let { mtime: lastUsedAt } = await stat(folder);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const file = await stat(join(entry.parentPath, entry.name));
    bytes += file.blocks * 512;
    if (file.mtime > lastUsedAt) lastUsedAt = file.mtime;
  }
  return { bytes, lastUsedAt };
}
