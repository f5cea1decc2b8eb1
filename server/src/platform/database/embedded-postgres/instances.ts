import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { unlessMissing } from '#platform/disk/files.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { replaceFile } from './folders.ts';
import { isRoot } from './operating-system-user.ts';

/*
 * A database that cannot be in its DATA_DIR is in <state folder>/<id>; DATA_DIR/instance names the id, and <id>.owner beside the folder names
 * the DATA_DIR. The note is written before the folder, the DATA_DIR's file after the database: the note finds an interrupted creation.
 */

/** Where databases live that cannot be in their DATA_DIR, and those that earlier versions made for root; and root's copy of the programs. */
export const STATE_FOLDER = '/var/lib/pergamin';

const ownerSchema = z.object({ dataDir: z.string() });

export const ID_PATTERN = /^[0-9a-f]{16}$/;
const OWNER_SUFFIX = '.owner';

interface Places {
  readonly dataDir: string;
  readonly stateFolder: string;
}

/**
 * The folder of the DATA_DIR's database outside of it; undefined when there is none. Changes nothing.
 * @throws EmbeddedPostgresError when it is gone or belongs to another DATA_DIR: an empty database must never take its place.
 */
export async function findInstanceFolder({ dataDir, stateFolder }: Places): Promise<{ id: string; folder: string } | undefined> {
  const id = await findInstance(dataDir);
  if (id === undefined) return undefined;
  const folder = join(stateFolder, id);
  if (!(await exists(join(folder, 'data', 'PG_VERSION')))) {
    throw new EmbeddedPostgresError(
      `${join(dataDir, 'instance')} names the database ${folder}, which is gone. ` +
        `Bring that folder back (when it was moved into ${join(dataDir, 'postgres')}, remove the file instance), or name another folder in DATA_DIR`,
    );
  }
  const owner = await findDataDirOf(folder);
  if (owner !== undefined && owner !== dataDir && (await findInstance(owner)) === id && !(await isSameFolder(owner, dataDir))) {
    throw new EmbeddedPostgresError(`${dataDir} is a copy of ${owner}, and the database ${folder} belongs to that one`);
  }
  return { id, folder };
}

/**
 * Gives the folder of the DATA_DIR's database: the known one, or a new one that is not yet confirmed.
 * @throws EmbeddedPostgresError as findInstanceFolder
 */
export async function assignInstanceFolder(places: Places): Promise<{ id: string; folder: string }> {
  const { dataDir, stateFolder } = places;
  const known = await findInstanceFolder(places);
  if (known !== undefined) return known;
  const id = randomBytes(8).toString('hex');
  const folder = join(stateFolder, id);
  await replaceFile(noteOf(folder), JSON.stringify({ dataDir }));
  return { id, folder };
}

/** The note beside the database's folder follows a DATA_DIR that was moved. */
export async function noteInstance({ dataDir, folder }: { dataDir: string; folder: string }): Promise<void> {
  if ((await findDataDirOf(folder)) !== dataDir && isRoot()) await replaceFile(noteOf(folder), JSON.stringify({ dataDir }));
}

/** Writes the id into DATA_DIR: from now on this database is the DATA_DIR's. */
export async function confirmInstance({ dataDir, id }: { dataDir: string; id: string }): Promise<void> {
  if ((await findInstance(dataDir)) !== id) await replaceFile(join(dataDir, 'instance'), `${id}\n`);
}

export async function findInstance(dataDir: string): Promise<string | undefined> {
  const id = await unlessMissing(readFile(join(dataDir, 'instance'), 'utf8'));
  if (id === undefined) return undefined;
  if (!ID_PATTERN.test(id.trim())) throw new EmbeddedPostgresError(`${join(dataDir, 'instance')} does not hold an id`);
  return id.trim();
}

/** The DATA_DIR that the note beside the database's folder names; undefined when there is none. */
export async function findDataDirOf(folder: string): Promise<string | undefined> {
  const text = await unlessMissing(readFile(noteOf(folder), 'utf8'));
  return text === undefined ? undefined : ownerSchema.parse(JSON.parse(text)).dataDir;
}

export const noteOf = (folder: string): string => `${folder}${OWNER_SUFFIX}`;

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  return a.dev === b.dev && a.ino === b.ino;
}

export const exists = async (path: string): Promise<boolean> => (await unlessMissing(stat(path))) !== undefined;
