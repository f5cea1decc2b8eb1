import { type Kysely, sql, type Transaction } from 'kysely';
import type { IdentityTables } from '../database/tables.ts';

type Db = Kysely<IdentityTables>;
export type Trx = Transaction<IdentityTables>;

/** The password in force and the ones before it, newest first. Undefined when there is no account, or it is disabled. */
export const findHashes = async (
  db: Db,
  { personalId, history }: { personalId: string; history: number },
): Promise<{ current: string; previous: readonly string[] } | undefined> => {
  const account = await db
    .selectFrom('account')
    .select('password_hash')
    .where('personal_id', '=', personalId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (account === undefined) return undefined;
  const rows = await db
    .selectFrom('password_history')
    .select('password_hash')
    .where('personal_id', '=', personalId)
    .orderBy('id', 'desc')
    .limit(history)
    .execute();
  return { current: account.password_hash, previous: rows.map((row) => row.password_hash) };
};

/** Compare-and-swap: only while `current` is still the password in force, so that one of several concurrent changes wins. Says whether it did. */
export const replaceHash = async (
  trx: Trx,
  { personalId, current, next, history, at }: { personalId: string; current: string; next: string; history: number; at: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({ password_hash: next, changed_at: at })
    .where('personal_id', '=', personalId)
    .where('password_hash', '=', current)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await trx.insertInto('password_history').values({ personal_id: personalId, password_hash: current, replaced_at: at }).execute();
  await trx
    .deleteFrom('password_history')
    .where('personal_id', '=', personalId)
    .where('id', 'not in', (query) =>
      query.selectFrom('password_history').select('id').where('personal_id', '=', personalId).orderBy('id', 'desc').limit(history),
    )
    .execute();
  return true;
};

/** A first password. Says whether there was none before. */
export const insertHash = async (trx: Trx, { personalId, next, at }: { personalId: string; next: string; at: Date }): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('account')
    .values({ personal_id: personalId, password_hash: next, created_at: at, changed_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

export interface PasswordLink {
  readonly personalId: string;
  /** The password that it may replace; null when it sets the first one. */
  readonly boundTo: string | null;
  /** Of the code that a first password takes beside it. */
  readonly codeHash: string | null;
}

export interface NewLink extends PasswordLink {
  readonly tokenHash: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Beside the links that these people were mailed before. */
export const addLinks = async (db: Db, links: readonly NewLink[]): Promise<void> => {
  if (links.length === 0) return;
  await db
    .insertInto('password_link')
    .values(
      links.map(({ personalId, tokenHash, boundTo, codeHash, at, expiresAt }) => ({
        personal_id: personalId,
        token_hash: tokenHash,
        password_hash: boundTo,
        code_hash: codeHash,
        created_at: at,
        expires_at: expiresAt,
      })),
    )
    .execute();
};

/** In place of every link that these people were mailed before: for the organisation, which answers for what it takes away. */
export const replaceLinks = async (db: Db, links: readonly NewLink[]): Promise<void> => {
  if (links.length === 0) return;
  const personalIds = links.map(({ personalId }) => personalId);
  await db.deleteFrom('password_link').where('personal_id', 'in', personalIds).execute();
  await addLinks(db, links);
};

export const findLink = async (db: Db, { tokenHash, at }: { tokenHash: Buffer; at: Date }): Promise<PasswordLink | undefined> => {
  const row = await db
    .selectFrom('password_link')
    .select(['personal_id', 'password_hash', 'code_hash'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return row === undefined ? undefined : { personalId: row.personal_id, boundTo: row.password_hash, codeHash: row.code_hash };
};

/** The hash of the activation code that the first password needs; null when there is none, or the person was not invited. */
export const findCodeHash = async (db: Db, personalId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('password_link')
    .select('code_hash')
    .where('personal_id', '=', personalId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.code_hash ?? null;
};

/** Single use. Says whether it was still there. */
export const takeLink = async (trx: Trx, { tokenHash, at }: { tokenHash: Buffer; at: Date }): Promise<boolean> => {
  const { numDeletedRows } = await trx
    .deleteFrom('password_link')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Those of these people who have no password and no invitation; `again`: who have no password. */
export const findUninvited = async (db: Db, personalIds: readonly string[], { again }: { again: boolean }): Promise<Set<string>> => {
  if (personalIds.length === 0) return new Set();
  const accounts = await db.selectFrom('account').select('personal_id').where('personal_id', 'in', personalIds).execute();
  const links = again ? [] : await db.selectFrom('password_link').select('personal_id').where('personal_id', 'in', personalIds).execute();
  return new Set(personalIds).difference(new Set([...accounts, ...links].map((row) => row.personal_id)));
};

/** Ends everything that the old password opened: sessions of the provider, codes, and sign-ins in progress. Voids mailed links. */
export const endSignIns = async (trx: Db, personalId: string): Promise<void> => {
  await trx.deleteFrom('password_link').where('personal_id', '=', personalId).execute();
  await sql`delete from identity.oidc_payload
    where payload ->> 'accountId' = ${personalId} or payload #>> '{result,login,accountId}' = ${personalId}`.execute(trx);
};

/** After a reset a known device may be the intruder's, so none stays known. */
export const forgetDevices = async (trx: Trx, personalId: string): Promise<void> => {
  await trx.deleteFrom('known_device').where('personal_id', '=', personalId).execute();
};

/** The newest link of an invited person stays until it is used: they are not mailed again by each import, and their code is kept with it. */
export const sweepLinks = async (db: Db, before: Date): Promise<void> => {
  await db
    .deleteFrom('password_link')
    .where('expires_at', '<', before)
    .where((where) =>
      where.or([
        where('password_hash', 'is not', null),
        where.exists(
          where
            .selectFrom('password_link as newer')
            .select('newer.personal_id')
            .whereRef('newer.personal_id', '=', 'password_link.personal_id')
            .whereRef('newer.created_at', '>', 'password_link.created_at'),
        ),
      ]),
    )
    .execute();
};
