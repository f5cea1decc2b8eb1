import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import type { Db, Trx } from '#platform/database/schema.ts';

/** Of the 43 characters behind `pk_` these are kept, to recognise a key by; the others have 220 bits. */
const keptStartLength = 9;

/** The last use is exact to this. */
const useWrittenEveryMs = 60_000;

export const makeKey = (): string => `pk_${randomToken()}`;

export const isKey = (text: string): boolean => /^pk_[\w-]{43}$/.test(text);

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly at: Date;
  /** A user of the operating system, or `portal`. */
  readonly by: string;
  readonly expiresAt?: Date | null;
  readonly demo?: boolean;
  readonly replaces?: string;
}

/** Keeps the hash of a key, and its beginning. Gives the id of the row. */
export const insertKey = async (db: Db, key: string, { at, by, expiresAt = null, ...row }: NewKey): Promise<string> => {
  const id = randomUUID();
  await db
    .insertInto('publisher_key')
    .values({
      id,
      name: row.name,
      key_hash: sha256(key),
      key_start: key.slice(0, keptStartLength),
      scopes: [...row.scopes],
      demo: row.demo ?? false,
      created_at: at,
      issued_by: by,
      expires_at: expiresAt,
      replaces: row.replaces ?? null,
    })
    .execute();
  return id;
};

/** A key by its hash, also one that has ended. */
export const findKey = (db: Db, keyHash: Buffer) =>
  db
    .selectFrom('publisher_key as k')
    .leftJoin('publisher_key_use as u', 'u.key_id', 'k.id')
    .select([
      'k.id',
      'k.name',
      'k.scopes',
      'k.demo',
      'k.revoked_at as revokedAt',
      'k.expires_at as expiresAt',
      'u.last_used_at as lastUsedAt',
    ])
    .where('k.key_hash', '=', keyHash)
    .executeTakeFirst();

/** At most once a minute for each key, whatever the number of calls and processes. */
export const writeUse = async (db: Db, key: { readonly id: string; readonly lastUsedAt: Date | null }, at: Date): Promise<void> => {
  const due = new Date(at.getTime() - useWrittenEveryMs);
  if (key.lastUsedAt !== null && key.lastUsedAt > due) return;
  await db
    .insertInto('publisher_key_use')
    .values({ key_id: key.id, last_used_at: at })
    .onConflict((conflict) =>
      conflict.column('key_id').doUpdateSet({ last_used_at: at }).where('publisher_key_use.last_used_at', '<=', due),
    )
    .execute();
};

/** Whether the key works at this moment. Its row is locked against a revocation until the transaction ends. */
export const isValidIn = async (trx: Trx, id: string, at: Date): Promise<boolean> => {
  const row = await trx
    .selectFrom('publisher_key')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
};

/** Whether one of these keys works at this moment. */
export const isAnyValid = async (db: Db, ids: readonly string[], at: Date): Promise<boolean> => {
  const row = await db
    .selectFrom('publisher_key')
    .select('id')
    .where('id', 'in', [...ids])
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .executeTakeFirst();
  return row !== undefined;
};

/** Every key but those of demonstrations that have ended; the newest first. */
export const listKeys = (db: Db) =>
  db
    .selectFrom('publisher_key as k')
    .leftJoin('publisher_key_use as u', 'u.key_id', 'k.id')
    .leftJoin('publisher_key as s', 's.replaces', 'k.id')
    .select([
      'k.id',
      'k.name',
      'k.key_start as start',
      'k.scopes',
      'k.created_at as issuedAt',
      'k.issued_by as issuedBy',
      'k.expires_at as expiresAt',
      'u.last_used_at as lastUsedAt',
      'k.revoked_at as revokedAt',
      'k.revoked_by as revokedBy',
      's.id as replacedBy',
    ])
    .where((where) => where.or([where('k.demo', '=', false), where('k.revoked_at', 'is', null)]))
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id')
    .execute();

/**
 * Waits for publications under way; those that come meanwhile wait until the transaction ends, and see what it changed. The table is locked, as a
 * lock of the row alone would be overtaken again and again by the publications of a busy key.
 */
export const lockKey = async (trx: Trx, id: string) => {
  await sql`lock table publisher_key in exclusive mode`.execute(trx);
  return trx
    .selectFrom('publisher_key')
    .select(['id', 'name', 'scopes', 'demo', 'created_at as issuedAt', 'expires_at as expiresAt', 'revoked_at as revokedAt'])
    .where('id', '=', id)
    .executeTakeFirst();
};

export const findSuccessor = (trx: Trx, id: string) =>
  trx.selectFrom('publisher_key').select('id').where('replaces', '=', id).executeTakeFirst();

/** Never later than it ends already. */
export const endKeyAt = async (trx: Trx, id: string, at: Date): Promise<void> => {
  await trx
    .updateTable('publisher_key')
    .set({ expires_at: sql`least(expires_at, ${at}::timestamptz)` })
    .where('id', '=', id)
    .execute();
};

/** The key with all that it was rotated from and to. */
export const listRotations = async (db: Db, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive rotated (id) as (
      select ${id}::uuid
      union select other.id from rotated join publisher_key one on one.id = rotated.id
        join publisher_key other on other.id = one.replaces or other.replaces = one.id
    ) select id from rotated`.execute(db);
  return rows.map((row) => row.id);
};

export const revokeKey = async (trx: Trx, id: string, { at, by }: { at: Date; by: string }): Promise<void> => {
  await trx.updateTable('publisher_key').set({ revoked_at: at, revoked_by: by }).where('id', '=', id).execute();
};
