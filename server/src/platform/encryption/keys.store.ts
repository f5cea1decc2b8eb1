import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

export interface ClientKeyRow {
  readonly id: string;
  readonly owner: string;
  readonly version: number;
  readonly wrapped: Buffer;
}

export interface ObjectKeyRow {
  readonly identity: string;
  readonly wrapped: Buffer;
  readonly clientKey: ClientKeyRow;
}

export interface NewObjectKey {
  readonly object_key: string;
  readonly client_key_id: string;
  readonly identity: string;
  readonly wrapped: Buffer;
}

const clientKeyColumns = ['id', 'owner', 'version', 'wrapped'] as const;

export const listClientKeys = (db: Db, owners: readonly string[]): Promise<ClientKeyRow[]> =>
  db.selectFrom('encryption_client_key').select(clientKeyColumns).where('owner', 'in', owners).execute();

/** One that another process made meanwhile stays. */
export const insertClientKeys = async (db: Db, keys: readonly ClientKeyRow[]): Promise<void> => {
  await db
    .insertInto('encryption_client_key')
    .values([...keys])
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .execute();
};

/** One for each owner whose key there still is. */
export const listObjectKeys = async (db: Db, objectKey: string): Promise<ObjectKeyRow[]> => {
  const rows = await db
    .selectFrom('encryption_object_key as object')
    .innerJoin('encryption_client_key as client', 'client.id', 'object.client_key_id')
    .select(['object.identity', 'object.wrapped', 'client.id', 'client.owner', 'client.version', 'client.wrapped as client_wrapped'])
    .where('object.object_key', '=', objectKey)
    .execute();
  return rows.map(({ identity, wrapped, client_wrapped: wrappedByFile, ...client }) => ({
    identity,
    wrapped,
    clientKey: { ...client, wrapped: wrappedByFile },
  }));
};

/** Flushed with the commit of the rows that name the objects, which always comes after it: an unnamed object may lose its key. */
export const insertObjectKeys = async (db: Db, keys: readonly NewObjectKey[]): Promise<void> => {
  if (keys.length === 0) return;
  await sql`
    with this_statement as (select set_config('synchronous_commit', 'off', true))
    insert into encryption_object_key (object_key, client_key_id, identity, wrapped)
    select key.* from this_statement, unnest(${keys.map((key) => key.object_key)}::text[], ${keys.map((key) => key.client_key_id)}::uuid[],
      ${keys.map((key) => key.identity)}::uuid[], ${keys.map((key) => key.wrapped)}::bytea[]) as key`.execute(db);
};

/** For good: whatever copies of the object there are, nothing opens them any more. */
export const destroyObjectKeys = async (db: Db, objectKey: string): Promise<void> => {
  await db.deleteFrom('encryption_object_key').where('object_key', '=', objectKey).execute();
};

/** Oldest version first. */
export const countByVersion = async (db: Db): Promise<{ version: number; keys: number }[]> => {
  const { rows } = await sql<{ version: number; keys: number }>`
    select version, count(*)::int as keys from encryption_client_key group by version order by version`.execute(db);
  return rows;
};

/** Whether the table is there: databases of before encryption get it by a migration. */
export const hasClientKeys = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass('encryption_client_key') is not null as is_there`.execute(db);
  return rows[0]?.is_there === true;
};

/** One of each version. */
export const sampleClientKeys = async (db: Db): Promise<ClientKeyRow[]> => {
  const { rows } = await sql<ClientKeyRow>`
    select distinct on (version) id, owner, version, wrapped from encryption_client_key order by version, id`.execute(db);
  return rows;
};

/** Of other versions than this one, locked until the transaction ends; those that another process is wrapping are left to it. */
export const claimOtherVersions = async (db: Db, version: number, limit: number): Promise<ClientKeyRow[]> =>
  db
    .selectFrom('encryption_client_key')
    .select(clientKeyColumns)
    .where('version', '<', version)
    .orderBy('version')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();

export const setWrapped = async (db: Db, { id, version, wrapped }: Omit<ClientKeyRow, 'owner'>): Promise<void> => {
  await db.updateTable('encryption_client_key').set({ version, wrapped }).where('id', '=', id).execute();
};
