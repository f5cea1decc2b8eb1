import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Database, SignInCodeTable, SignInTransactionTable } from '#platform/database/schema.ts';

type Db = Kysely<Database>;

export const insertTransaction = async (db: Db, row: Insertable<SignInTransactionTable>): Promise<void> => {
  await db.insertInto('sign_in_transaction').values(row).execute();
};

/** Gives a transaction to one caller only, and burns it whatever the caller then finds. */
export const takeTransaction = (db: Db, idHash: Buffer): Promise<Selectable<SignInTransactionTable> | undefined> =>
  db.deleteFrom('sign_in_transaction').where('id_hash', '=', idHash).returningAll().executeTakeFirst();

export const insertCode = async (db: Db, row: Insertable<SignInCodeTable>): Promise<void> => {
  await db.insertInto('sign_in_code').values(row).execute();
};

/** Gives a code to one caller only, and burns it whatever the caller then finds. */
export const takeCode = (db: Db, codeHash: Buffer): Promise<Selectable<SignInCodeTable> | undefined> =>
  db.deleteFrom('sign_in_code').where('code_hash', '=', codeHash).returningAll().executeTakeFirst();

/** Says whether this is the first time. */
export const useAssertion = async (db: Db, { idHash, until }: { idHash: Buffer; until: Date }): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_assertion')
    .values({ id_hash: idHash, expires_at: until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

export const deleteExpired = async (db: Db, { now, sessionsBefore }: { now: Date; sessionsBefore: Date }): Promise<void> => {
  await db.deleteFrom('sign_in_transaction').where('expires_at', '<', now).execute();
  await db.deleteFrom('sign_in_code').where('expires_at', '<', now).execute();
  await db.deleteFrom('used_assertion').where('expires_at', '<', now).execute();
  await db.deleteFrom('session').where('absolute_expires_at', '<', sessionsBefore).execute();
};
