import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import { storeFact } from './store-id.ts';
import { listNamingTables } from './unnamed-objects.ts';

/** The store that a relocation under way copies to, and the one that the last relocation has left. */
type Fact = 'object-relocation' | 'object-relocated-from';

export const findFact = async (db: Db, name: Fact | typeof storeFact): Promise<string | undefined> =>
  (await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst())?.value;

export const keepFact = async (db: Db, name: Fact | typeof storeFact, value: string): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};

/** A key opens an object, and names none. */
const listTables = async (db: Db): Promise<string[]> => (await listNamingTables(db)).filter((table) => table !== 'encryption_object_key');

/** An arbitrary number that no other lock of the product has. */
const relocationLock = 7_320_115_091;

/**
 * Acts on one connection, which holds a lock meanwhile: of two relocations at once the second is told so. The lock is free as soon as the process that holds it has
 * ended, however that came. Undefined when another process holds it.
 */
export const aloneRelocating = <Result>(db: Db, act: (held: Db) => Promise<Result>): Promise<Result | undefined> =>
  db.connection().execute(async (held) => {
    const { rows } = await sql<{ isTaken: boolean }>`select pg_try_advisory_lock(${relocationLock}::bigint) as "isTaken"`.execute(held);
    if (rows[0]?.isTaken !== true) return undefined;
    try {
      return await act(held);
    } finally {
      await sql`select pg_advisory_unlock(${relocationLock}::bigint)`.execute(held);
    }
  });

const limit = 500;

/** Objects that rows name, whose bytes are there, and that were not copied to this store yet; in the order of their keys. */
export const listNotCopied = async function* (db: Db, store: string): AsyncGenerator<string> {
  for (const table of await listTables(db)) {
    let keys: string[] = [];
    do {
      const after = keys.at(-1) ?? '';
      const { rows } = await sql<{ key: string }>`
        select named.object_key as key from ${sql.table(table)} named
        where named.object_key > ${after} and ${isNotCopied(store)} order by named.object_key limit ${limit}`.execute(db);
      keys = rows.map(({ key }) => key);
      yield* keys;
    } while (keys.length === limit);
  }
};

const isNotCopied = (store: string) =>
  sql`not exists (select from object_relocation moved where moved.store = ${store} and moved.former = named.object_key)
    and to_jsonb(named) ->> 'removed_at' is null`;

export const keepCopied = async (
  db: Db,
  copy: { readonly store: string; readonly former: string; readonly key: string },
): Promise<void> => {
  await db.insertInto('object_relocation').values(copy).execute();
};

/** Whether another process works with this database: its connections are named so. The caller has one connection. */
export const isPortalConnected = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name in ('pergamin', 'pergamin-listener') limit 1`.execute(db);
  return rows.length > 0;
};

/** Lets all rows name the copies, in one transaction. False, and nothing is changed, when an object was not copied. */
export const switchNames = (db: Db, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    for (const table of await listTables(trx)) {
      const { rows } = await sql`select from ${sql.table(table)} named where ${isNotCopied(to)} limit 1`.execute(trx);
      if (rows.length > 0) return false;
    }
    await renameAll(trx, to);
    await forgetFormerStore(trx);
    await keepFact(trx, storeFact, to);
    await keepFact(trx, 'object-relocated-from', from);
    return true;
  });

/** In portions: a statement has seconds. */
const renameAll = async (trx: Trx, store: string): Promise<void> => {
  const tables = await listNamingTables(trx);
  let portion: Awaited<ReturnType<typeof listMoved>> = [];
  do {
    portion = await listMoved(trx, { store, after: portion.at(-1)?.former ?? '' });
    const [formers, keys] = [portion.map(({ former }) => former), portion.map(({ key }) => key)];
    for (const table of tables)
      await sql`update ${sql.table(table)} named set object_key = moved.key
        from unnest(${formers}::text[], ${keys}::text[]) as moved (former, key) where moved.former = named.object_key`.execute(trx);
  } while (portion.length === limit);
};

/** What was noted of objects by the names that they had. */
const forgetFormerStore = async (trx: Trx): Promise<void> => {
  await trx.deleteFrom('encryption_replaced_object').execute();
  await trx.deleteFrom('object_lock').execute();
};

/** Copies of this store that rows name, with the names that the objects had; in their order. */
export const listMoved = async (
  db: Db,
  { store, after }: { store: string; after: string },
): Promise<readonly { former: string; key: string }[]> =>
  db
    .selectFrom('object_relocation')
    .select(['former', 'key'])
    .where('store', '=', store)
    .where('former', '>', after)
    .orderBy('former')
    .limit(limit)
    .execute();

export const forgetMoved = async (db: Db, { store, former }: { store: string; former: string }): Promise<void> => {
  await db.deleteFrom('object_relocation').where('store', '=', store).where('former', '=', former).execute();
};
