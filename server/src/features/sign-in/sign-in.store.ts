import type { Kysely, Selectable } from 'kysely';
import type { Pool } from 'pg';
import { asyncCommit, namedQuery, type NamedStatement } from '#platform/database/database.ts';
import type { Database } from '#platform/database/schema.ts';

type Db = Kysely<Database>;

/**
 * A row's columns in this order, each time: the statement is prepared once per connection. Steps of a sign-in, as is taking a transaction:
 * before the session is there (beginSession, which waits), none of them is worth anything.
 */
const insertOf = (name: string, table: string, columns: readonly string[]): NamedStatement => ({
  name,
  text: `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning ${asyncCommit}`,
});

const transactionColumns = [
  'id_hash',
  'service_id',
  'challenge',
  'hint',
  'verifier',
  'nonce',
  'browser_hash',
  'expires_at',
  'language',
] as const;
const insertTransactionStatement = insertOf('sign-in-transaction-insert', 'sign_in_transaction', transactionColumns);

export const insertTransaction = async (pool: Pool, row: Selectable<Database['sign_in_transaction']>): Promise<void> => {
  await namedQuery(
    pool,
    insertTransactionStatement,
    transactionColumns.map((column) => row[column]),
  );
};

/** At most `most`. */
export const countTransactions = async (pool: Pool, most: number): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>('select count(*) from (select from sign_in_transaction limit $1) living', [most]);
  return rows[0]?.count ?? 0;
};

export const deleteExpiredTransactions = async (pool: Pool, now: Date): Promise<void> => {
  await pool.query('delete from sign_in_transaction where expires_at < $1', [now]);
};

const takeTransactionStatement: NamedStatement = {
  name: 'sign-in-transaction-take',
  text: `delete from sign_in_transaction where id_hash = $1 returning *, ${asyncCommit}`,
};

/** Gives a transaction to one caller only, and burns it whatever the caller then finds. */
export const takeTransaction = async (pool: Pool, idHash: Buffer): Promise<Selectable<Database['sign_in_transaction']> | undefined> => {
  const [row] = await namedQuery<Selectable<Database['sign_in_transaction']>>(pool, takeTransactionStatement, [idHash]);
  return row;
};

const codeColumns = [
  'code_hash',
  'challenge',
  'browser_hash',
  'personal_id',
  'service_id',
  'service_session',
  'service_subject',
  'id_token',
  'expires_at',
] as const;
const insertCodeStatement = insertOf('sign-in-code-insert', 'sign_in_code', codeColumns);

export const insertCode = async (pool: Pool, row: Selectable<Database['sign_in_code']>): Promise<void> => {
  await namedQuery(
    pool,
    insertCodeStatement,
    codeColumns.map((column) => row[column]),
  );
};

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
