import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { hasCode, syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import type { Objects } from './objects.ts';
import { listNamingTables } from './unnamed-objects.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'list' | 'open'>;
  /** Folder of the objects. The id is a file in it, so that it is mounted, copied and restored with them. */
  readonly root: string;
}

const fileName = 'store-id';
const fact = 'object-store-id';
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Of each table that names objects. In another store there would be none of them. */
const sampleSize = 20;

const whatIsShared = 'All processes of one database share one folder of objects';

/**
 * Ensures that these are the objects of this database, before anything is written to either or swept. A database and a folder that are both
 * unpaired become a pair at the first start, if their contents fit: the first of several processes decides, and the others find its choice.
 * @throws SettingsError
 */
export const recogniseStore = async (parts: Parts): Promise<void> => {
  const { db, root } = parts;
  const known = await findKnown(db);
  if (known === undefined) {
    await requireFit(parts);
    await makeFile(root);
    const made = await readId(root);
    if (made !== undefined) await keepKnown(db, made);
  }
  const [expected, found] = [known ?? (await findKnown(db)), await readId(root)];
  if (found === expected && found !== undefined) return;
  throw new SettingsError(
    found === undefined
      ? `DATA_DIR: ${root} is not the folder of objects that the database knows: it has no file ${fileName}. ${whatIsShared}: is it mounted? If its objects were restored without that file, write ${expected} into it`
      : `DATA_DIR: ${root} holds the objects of another database, or another folder holds those of this one: its ${fileName} is ${found}, the database knows ${expected}. ${whatIsShared}`,
  );
};

const findKnown = async (db: Kysely<Database>): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('value').where('name', '=', fact).executeTakeFirst())?.value;

const keepKnown = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name: fact, value: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

const readId = async (root: string): Promise<string | undefined> => {
  const id = (await unlessMissing(readFile(join(root, fileName), 'utf8')))?.trim();
  if (id === undefined || idPattern.test(id)) return id;
  throw new SettingsError(`DATA_DIR: ${join(root, fileName)} does not hold the id of a folder of objects`);
};

/** Complete or not there, also after a power cut; of several processes one makes it. */
const makeFile = async (root: string): Promise<void> => {
  const written = join(root, 'spool', randomUUID());
  const file = await open(written, 'wx', 0o400);
  try {
    await file.writeFile(`${randomUUID()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(written, join(root, fileName));
    await syncFolder(root);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(written, { force: true });
  }
};

const requireFit = async ({ db, objects, root }: Parts): Promise<void> => {
  const named = await listNamed(db);
  if (named.length === 0) {
    for await (const _object of objects.list())
      throw new SettingsError(
        `DATA_DIR: ${root} holds objects, and the database knows of none: was another database meant? ${whatIsShared}`,
      );
    return;
  }
  for (const key of named) if (await isThere(objects, key)) return;
  throw new SettingsError(
    `DATA_DIR: the database knows of documents, and none of those looked for is in ${root}: is it mounted, or was another folder meant? ${whatIsShared}`,
  );
};

const listNamed = async (db: Kysely<Database>): Promise<string[]> => {
  const keys: string[] = [];
  for (const table of await listNamingTables(db)) {
    const { rows } = await sql<{ key: string }>`
      select object_key as key from ${sql.table(table)} where object_key is not null limit ${sampleSize}`.execute(db);
    keys.push(...rows.map(({ key }) => key));
  }
  return keys;
};

const isThere = async (objects: Pick<Objects, 'open'>, key: string): Promise<boolean> => {
  try {
    const stream = await objects.open(key);
    stream.destroy();
    return true;
  } catch {
    // A file that cannot be read for any reason does not prove that this is the folder.
    return false;
  }
};
