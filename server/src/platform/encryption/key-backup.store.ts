import type { Db } from '#platform/database/schema.ts';

const fact = 'encryption-key-backup';

/** Up to which version the key file was backed up. */
export const findBackedUpVersion = async (db: Db): Promise<number | undefined> => {
  const row = await db.selectFrom('installation').select('value').where('name', '=', fact).executeTakeFirst();
  return row === undefined ? undefined : Number(row.value);
};

export const noteBackedUp = async (db: Db, version: number): Promise<void> => {
  await db
    .insertInto('installation')
    .values({ name: fact, value: String(version) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(version) }))
    .execute();
};
