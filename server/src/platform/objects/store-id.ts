import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import type { Objects } from './objects.ts';
import { storeIdName, type StorePlace } from './store-place.ts';
import { listNamingTables } from './unnamed-objects.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'list' | 'open'>;
  readonly place: StorePlace;
}

type Looked = Omit<Parts, 'db'> & { readonly db: Parts['db'] | undefined };

/** Under which the database knows it. */
export const storeFact = 'object-store-id';
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Of each table that names objects. In another store there would be none of them. */
const sampleSize = 20;

const whatIsShared = ({ kind }: StorePlace): string => `All processes of one database share one ${kind} of objects`;

/**
 * Ensures that these are the objects of this database, before anything is written to either or swept. A database and a folder that are both
 * unpaired become a pair at the first start, if their contents fit: the first of several processes decides, and the others find its choice.
 * @throws SettingsError
 */
export const recogniseStore = async (parts: Parts): Promise<void> => {
  const { db, place } = parts;
  const known = await findKnown(db);
  if (known === undefined) {
    await requireFit(parts);
    await place.make(randomUUID());
    const made = await readStoreId(place);
    if (made !== undefined) await keepKnown(db, made);
  }
  refuseOther(place, { expected: known ?? (await findKnown(db)), found: await readStoreId(place) });
};

/**
 * What recogniseStore refuses, without pairing anything. `db` is undefined where the database has no tables yet.
 * @throws SettingsError
 */
export const judgeStore = async ({ db, objects, place }: Looked): Promise<void> => {
  const found = await readStoreId(place);
  const expected = db === undefined ? undefined : await findKnown(db);
  if (expected === undefined) await requireFit({ db, objects, place });
  else refuseOther(place, { expected, found });
};

const refuseOther = (place: StorePlace, { expected, found }: { expected: string | undefined; found: string | undefined }): void => {
  if (found === expected && found !== undefined) return;
  const { setting, kind, name } = place;
  const mistake = kind === 'folder' ? 'is it mounted' : 'was another one meant';
  throw new SettingsError(
    found === undefined
      ? `${setting}: ${name} is not the ${kind} of objects that the database knows: it has no ${kind === 'folder' ? 'file' : 'object'} ${storeIdName}. ${whatIsShared(place)}: ${mistake}? If its objects were restored without it, write ${expected} into it`
      : `${setting}: ${name} holds the objects of another database, or another ${kind} holds those of this one: its ${storeIdName} is ${found}, the database knows ${expected}. ${whatIsShared(place)}`,
  );
};

const findKnown = async (db: Kysely<Database>): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('value').where('name', '=', storeFact).executeTakeFirst())?.value;

const keepKnown = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name: storeFact, value: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** @throws SettingsError when something else is there. */
export const readStoreId = async (place: StorePlace): Promise<string | undefined> => {
  const id = (await place.read())?.trim();
  if (id === undefined || idPattern.test(id)) return id;
  const { setting, kind, name } = place;
  throw new SettingsError(
    `${setting}: ${kind === 'folder' ? `${name}/` : name}${storeIdName} does not hold the id of a ${kind} of objects`,
  );
};

const requireFit = async ({ db, objects, place }: Looked): Promise<void> => {
  const { setting, kind, name } = place;
  const named = db === undefined ? [] : await listNamed(db);
  if (named.length === 0) {
    for await (const _object of objects.list())
      throw new SettingsError(
        `${setting}: ${name} holds objects, and the database knows of none: was another database meant? ${whatIsShared(place)}`,
      );
    return;
  }
  for (const key of named) if (await isThere(objects, key)) return;
  throw new SettingsError(
    `${setting}: the database knows of documents, and none of those looked for is in ${name}: is it mounted, or was another ${kind} meant? ${whatIsShared(place)}`,
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
