import type { SavedViewContent } from '@pergamin/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database, Db, Trx } from '#platform/database/schema.ts';

type Folder = Selectable<Database['saved_view_folder']>;
type View = Selectable<Database['saved_view']>;

interface Which {
  readonly personalId: string;
  readonly id: string;
}

/** Until the transaction ends. */
export const lockOwner = async (trx: Trx, personalId: string): Promise<void> => {
  await trx.selectFrom('client').select('personal_id').where('personal_id', '=', personalId).forNoKeyUpdate().execute();
};

export const listFolders = (db: Db, personalId: string): Promise<Folder[]> =>
  db.selectFrom('saved_view_folder').selectAll().where('personal_id', '=', personalId).execute();

export const listViews = (db: Db, personalId: string): Promise<View[]> =>
  db.selectFrom('saved_view').selectAll().where('personal_id', '=', personalId).execute();

export const countViews = async (db: Db, personalId: string): Promise<number> =>
  (await db.selectFrom('saved_view').select('id').where('personal_id', '=', personalId).execute()).length;

export const insertView = async (db: Db, { content, ...view }: Omit<View, 'content'> & { content: SavedViewContent }): Promise<void> => {
  await db
    .insertInto('saved_view')
    .values({ ...view, content: JSON.stringify(content) })
    .execute();
};

interface ViewChange {
  readonly folder_id: string | null | undefined;
  readonly name: string | undefined;
  readonly content: SavedViewContent | undefined;
}

/** What is undefined stays. Undefined when there is no such view of this client. */
export const updateView = async (
  db: Db,
  { personalId, id }: Which,
  { folder_id: folder, name, content }: ViewChange,
): Promise<View | undefined> => {
  const { rows } = await sql<View>`
    update saved_view set
      folder_id = ${folder === undefined ? sql.ref('folder_id') : sql`${folder}::uuid`},
      name = ${name ?? sql.ref('name')},
      content = ${content === undefined ? sql.ref('content') : sql`${JSON.stringify(content)}::jsonb`}
    where personal_id = ${personalId} and id = ${id}::uuid
    returning *`.execute(db);
  return rows[0];
};

export const deleteView = async (db: Db, { personalId, id }: Which): Promise<boolean> => {
  const deleted = await db.deleteFrom('saved_view').where('personal_id', '=', personalId).where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
};

export const insertFolder = async (db: Db, folder: Insertable<Database['saved_view_folder']>): Promise<void> => {
  await db.insertInto('saved_view_folder').values(folder).execute();
};

export const updateFolder = (
  db: Db,
  { personalId, id }: Which,
  { parent_id: parent, name }: { parent_id: string | null | undefined; name: string | undefined },
): Promise<Folder | undefined> =>
  db
    .updateTable('saved_view_folder')
    .set((is) => ({ parent_id: parent === undefined ? is.ref('parent_id') : parent, name: name ?? is.ref('name') }))
    .where('personal_id', '=', personalId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** With all that is in it. */
export const deleteFolder = async (db: Db, { personalId, id }: Which): Promise<boolean> => {
  const deleted = await db.deleteFrom('saved_view_folder').where('personal_id', '=', personalId).where('id', '=', id).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
};
