import type { Selectable } from 'kysely';
import type { Pool } from 'pg';
import { asyncCommit, namedQuery, type NamedStatement } from '#platform/database/database.ts';
import type { Database, Db } from '#platform/database/schema.ts';

type Row<Table extends 'sign_in_transaction' | 'sign_in_code'> = Selectable<Database[Table]>;

/** Steps of a sign-in, as is taking a transaction: before the session is there (beginSession, which waits), none of them is worth anything. */
const insertTransactionStatement: NamedStatement = {
  name: 'sign-in-transaction-insert',
  text: `insert into sign_in_transaction (id_hash, service_id, challenge, hint, verifier, nonce, browser_hash, expires_at, language)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${asyncCommit}`,
};

export const insertTransaction = async (pool: Pool, row: Row<'sign_in_transaction'>): Promise<void> => {
  const { id_hash, service_id, challenge, hint, verifier, nonce, browser_hash, expires_at, language } = row;
  const values = [id_hash, service_id, challenge, hint, verifier, nonce, browser_hash, expires_at, language];
  await namedQuery(pool, insertTransactionStatement, values);
};

/** Counts no further than `maxCount`, which bounds the scan. */
export const countTransactions = async (pool: Pool, maxCount: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>('select count(*) from (select from sign_in_transaction limit $1) living', [
    maxCount,
  ]);
  return rows[0]?.count ?? 0;
};

export const deleteExpiredTransactions = async (pool: Pool, now: Date): Promise<void> => {
  await pool.query('delete from sign_in_transaction where expires_at < $1', [now]);
};

const takeTransactionStatement: NamedStatement = {
  name: 'sign-in-transaction-take',
  text: `delete from sign_in_transaction where id_hash = $1 returning *, ${asyncCommit}`,
};

/** Single use: gives a transaction to one caller only, and removes it even when the caller then refuses it. */
export const takeTransaction = async (pool: Pool, idHash: Buffer): Promise<Row<'sign_in_transaction'> | undefined> => {
  const [row] = await namedQuery<Row<'sign_in_transaction'>>(pool, takeTransactionStatement, [idHash]);
  return row;
};

const insertCodeStatement: NamedStatement = {
  name: 'sign-in-code-insert',
  text: `insert into sign_in_code
      (code_hash, challenge, browser_hash, personal_id, service_id, service_session, service_subject, id_token, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${asyncCommit}`,
};

export const insertCode = async (pool: Pool, row: Row<'sign_in_code'>): Promise<void> => {
  const { code_hash, challenge, browser_hash, personal_id, service_id, service_session, service_subject, id_token, expires_at } = row;
  const values = [code_hash, challenge, browser_hash, personal_id, service_id, service_session, service_subject, id_token, expires_at];
  await namedQuery(pool, insertCodeStatement, values);
};

/** True at the first use of the assertion. */
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
