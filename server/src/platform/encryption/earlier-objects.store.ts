import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

/** Stored as it came, and named by a row. */
export interface EarlierObject {
  readonly table: string;
  readonly key: string;
  readonly sha256: string;
  readonly size: number;
  readonly owners: readonly string[];
}

interface Portion {
  readonly table: string;
  readonly after: string;
  readonly limit: number;
}

/** In the order of their keys. Whose an object is, a row says in the columns that every room names alike; without them it is everybody's. */
export const listEarlier = async (db: Db, { table, after, limit }: Portion): Promise<EarlierObject[]> => {
  const { rows } = await sql<{ key: string; sha256: string; size: number; cifs: string[]; group: string | null }>`
    select named.object_key as key, named.sha256, named.size, whole.json ->> 'group_id' as "group",
      array_remove(array[whole.json ->> 'cif', whole.json ->> 'cif2'], null) as cifs
    from ${sql.table(table)} named, lateral (select to_jsonb(named) as json) whole
    where named.object_key > ${after} and whole.json ->> 'removal_began_at' is null and whole.json ->> 'state' is distinct from 'FORGOTTEN'
      and not exists (select from encryption_object_key encrypted where encrypted.object_key = named.object_key)
    order by named.object_key limit ${limit}`.execute(db);
  return rows.map(({ cifs, group, ...object }) => {
    const owners = [...cifs.map((cif) => `cif:${cif}`), ...(group === null ? [] : [`group:${group}`])];
    return { table, ...object, owners: owners.length === 0 ? ['public'] : owners };
  });
};

/** The row names the encrypted object instead, and the former one is noted. False when the row is gone or names another one. */
export const replaceObject = (db: Db, { table, key }: EarlierObject, encrypted: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`update ${sql.table(table)} set object_key = ${encrypted} where object_key = ${key}`.execute(trx);
    if ((numAffectedRows ?? 0n) === 0n) return false;
    await trx
      .insertInto('encryption_replaced_object')
      .values({ former: key })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });

/** So many minutes ago, so that nothing reads them any more. */
export const listReplaced = async (db: Db, minutesAgo: number): Promise<string[]> => {
  const { rows } = await sql<{ former: string }>`
    select former from encryption_replaced_object where replaced_at <= clock_timestamp() - make_interval(mins => ${minutesAgo})
    order by former limit 10000`.execute(db);
  return rows.map(({ former }) => former);
};

export const forgetReplaced = async (db: Db, former: string): Promise<void> => {
  await db.deleteFrom('encryption_replaced_object').where('former', '=', former).execute();
};
