import { sql } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../parts.ts';
import { type Statement, type Statements, asyncCommit } from '../database/statements.ts';
import type { IdentityDatabase } from '../database/tables.ts';

type Row = { payload: AdapterPayload; consumed_at: Date | null };

const asPayload = (row: Row | undefined): AdapterPayload | undefined => {
  if (row === undefined) return undefined;
  return row.consumed_at === null ? row.payload : { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1_000) };
};

/** Ids of the provider are base64url. Others are not looked up: PostgreSQL refuses NUL, for one. */
const madeUpId = /^[\w-]{1,255}$/;

const codeKind = 'AuthorizationCode';
const payloads = 'identity.oidc_payload';

const upsert: Statement = {
  name: 'identity-payload-upsert',
  text: `insert into ${payloads} (kind, id, payload, grant_id, uid, expires_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (kind, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      expires_at = excluded.expires_at
    returning ${asyncCommit}`,
};
const find: Statement = {
  name: 'identity-payload-find',
  text: `select payload, consumed_at from ${payloads} where kind = $1 and id = $2`,
};
const findByUid: Statement = {
  name: 'identity-payload-find-by-uid',
  text: `select payload, consumed_at from ${payloads} where kind = $1 and uid = $2`,
};
/** Single use: of two concurrent requests the second finds nothing. Says whether its owner may still sign in. */
const take: Statement = {
  name: 'identity-payload-take',
  text: `update ${payloads} set consumed_at = $3 where kind = $1 and id = $2 and consumed_at is null
    returning payload, exists (
      select from identity.account where personal_id = payload ->> 'accountId' and disabled_at is null) as is_open, ${asyncCommit}`,
};
const consume: Statement = {
  name: 'identity-payload-consume',
  text: `update ${payloads} set consumed_at = $3 where kind = $1 and id = $2 and consumed_at is null`,
};
const destroy: Statement = { name: 'identity-payload-destroy', text: `delete from ${payloads} where kind = $1 and id = $2` };
const revokeBySession: Statement = {
  name: 'identity-payload-revoke-by-session',
  text: `delete from ${payloads} where kind = $1 and uid = $2`,
};
const revoke: Statement = { name: 'identity-payload-revoke', text: `delete from ${payloads} where kind = $1 and grant_id = $2` };

interface Parts {
  readonly statements: Statements;
  readonly clock: Clock;
}

/** A parameter of a caller may hold a NUL, which PostgreSQL keeps in no text. */
const writePayload = async (payload: AdapterPayload): Promise<string> => {
  let holdsNul = false;
  const written = JSON.stringify(payload, (_name, value: unknown) => {
    holdsNul ||= typeof value === 'string' && value.includes('\0');
    return value;
  });
  if (holdsNul) throw new (await loadErrors()).InvalidRequest('a parameter cannot be kept');
  return written;
};

/** The provider has asked, so that its code is there. */
const loadErrors = async () => (await import('oidc-provider')).errors;

/** Stores the provider's state in PostgreSQL, so that sign-ins in progress survive a restart and may use another process. */
export const createRowAdapter = ({ statements, clock }: Parts, kind: string): Adapter => {
  const findRow = async (statement: Statement, by: string): Promise<AdapterPayload | undefined> => {
    const { rows } = await statements.run<Row>(statement, [kind, by]);
    return asPayload(rows[0]);
  };
  return {
    async upsert(id, payload, expiresInSeconds) {
      const expiresAt = expiresInSeconds === undefined ? null : new Date(clock.now().getTime() + expiresInSeconds * 1_000);
      await statements.run(upsert, [kind, id, await writePayload(payload), payload.grantId ?? null, payload.uid ?? null, expiresAt]);
    },

    find: async (id) => (madeUpId.test(id) ? findRow(find, id) : undefined),

    findByUid: (uid) => findRow(findByUid, uid),

    // Only the device flow, which is off, has user codes.
    findByUserCode: async () => undefined,

    async consume(id) {
      const { changed } = await statements.run(consume, [kind, id, clock.now()]);
      // The provider reads first and consumes later; of two concurrent requests only one may get it.
      if (changed !== 1) throw new (await loadErrors()).InvalidGrant('already consumed');
    },

    async destroy(id) {
      await statements.run(destroy, [kind, id]);
    },

    async revokeByGrantId(grantId) {
      await statements.run(revoke, [kind, grantId]);
    },
  };
};

/** Reading a code consumes it, even when the request then fails. */
const createCodeAdapter = ({ statements, clock }: Parts, kind: string): Adapter => {
  const rows = createRowAdapter({ statements, clock }, kind);
  return {
    ...rows,
    upsert: (id, payload, expiresInSeconds) => rows.upsert(id, { ...payload, uid: payload.sessionUid }, expiresInSeconds),
    async find(id) {
      if (!madeUpId.test(id)) return undefined;
      const [row] = (await statements.run<{ payload: AdapterPayload; is_open: boolean }>(take, [kind, id, clock.now()])).rows;
      return row?.is_open === true ? row.payload : undefined;
    },
    consume: async () => {},
  };
};

/** The codes of a sign-in, by the `sid` of its ID token. */
export const revokeCodes = async (statements: Statements, sid: string): Promise<void> => {
  await statements.run(revokeBySession, [codeKind, sid]);
};

/**
 * Stores nothing that is never read again. The portal only needs the person's identity, and drops the access token; and it wants the password
 * each time, so that a session here would only be one more that an intruder could find open.
 */
const forgetful: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** `findGrant`: the id of a grant is all its state, see provider.ts. */
export const createAdapter =
  (parts: Parts & { readonly interactions: Adapter; readonly findGrant: (id: string) => AdapterPayload | undefined }) =>
  (kind: string): Adapter => {
    if (kind === 'AccessToken' || kind === 'Session') return forgetful;
    if (kind === 'Interaction') return parts.interactions;
    if (kind === 'Grant') return { ...forgetful, find: async (id) => parts.findGrant(id) };
    return kind === codeKind ? createCodeAdapter(parts, kind) : createRowAdapter(parts, kind);
  };

/** Removes what has expired, a portion at a time. */
export const sweepPayloads = async ({ db, clock }: { db: IdentityDatabase; clock: Clock }): Promise<void> => {
  const portion = 1_000;
  let removed = portion;
  while (removed === portion) {
    const result = await db
      .deleteFrom('oidc_payload')
      .where(sql<boolean>`(kind, id) in (
        select kind, id from identity.oidc_payload where expires_at < ${clock.now()} limit ${portion})`)
      .executeTakeFirst();
    removed = Number(result.numDeletedRows);
  }
};
