import type { Pool } from 'pg';
import { recordSignInsText } from '#features/accounts/accounts.door.ts';
import { namedQuery } from '#platform/database/database.ts';
import type { Db } from '#platform/database/schema.ts';

export type EndReason =
  | 'LOGOUT'
  | 'REPLACED'
  | 'BINDING_MISMATCH'
  | 'TOKEN_REUSED'
  | 'SERVICE_LOGOUT'
  | 'PASSWORD_CHANGED'
  | 'ACCOUNT_DISABLED';

/** A session and whose it is, as every protected call needs them. */
export interface SessionRow {
  readonly personal_id: string;
  readonly secret_hash: Buffer;
  readonly generation: number;
  readonly refreshed_at_ms: number | null;
  readonly idle_expires_at_ms: number;
  readonly absolute_expires_at_ms: number;
  readonly created_at_ms: number;
  /** Also when its client is disabled. */
  readonly is_ended: boolean;
  readonly cif: string;
  readonly cif2: string | null;
  readonly state: 'ACTIVE' | 'CLOSED';
}

/** Numbers are read in a third of the time that dates take. */
const inMs = (column: string): string => `(extract(epoch from s.${column}) * 1000)::float8 as ${column}_ms`;

const findStatement = {
  name: 'sign-in-session',
  text: `select s.personal_id, s.secret_hash, s.generation, s.ended_at is not null or c.state = 'DISABLED' as is_ended, ${inMs('refreshed_at')},
      ${inMs('idle_expires_at')}, ${inMs('absolute_expires_at')}, ${inMs('created_at')}, c.cif, c.cif2, c.state
    from session s join client c on c.personal_id = s.personal_id
    where s.id = $1`,
};

/** The one query of every protected call. */
export const findSession = async (pool: Pool, id: string): Promise<SessionRow | undefined> => {
  const [row] = await namedQuery<SessionRow>(pool, findStatement, [id]);
  return row;
};

export const slideSession = async (db: Db, { id, until }: { id: string; until: Date }): Promise<void> => {
  await db
    .updateTable('session')
    .set({ idle_expires_at: until })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('idle_expires_at', '<', until)
    .execute();
};

/** Of several concurrent refreshes of one generation, one succeeds. */
export const refreshSession = async (
  db: Db,
  { id, generation, at, until }: { id: string; generation: number; at: Date; until: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ generation: generation + 1, refreshed_at: at, idle_expires_at: until })
    .where('id', '=', id)
    .where('generation', '=', generation)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

export interface Ended {
  readonly id: string;
  readonly personal_id: string;
  readonly service_id: string;
  readonly service_session: string | null;
  readonly id_token: Buffer | null;
}

const endSessions = (db: Db, { reason, at }: { reason: EndReason; at: Date }) =>
  db
    .updateTable('session')
    .set({ ended_at: at, end_reason: reason })
    .where('ended_at', 'is', null)
    .returning(['id', 'personal_id', 'service_id', 'service_session', 'id_token']);

/** Ends a session once; undefined when it has ended already. */
export const endSession = (db: Db, { id, ...end }: { id: string; reason: EndReason; at: Date }): Promise<Ended | undefined> =>
  endSessions(db, end).where('id', '=', id).executeTakeFirst();

/** The code that a browser brings, and the session that it becomes. */
interface NewSession {
  readonly code: { readonly hash: Buffer; readonly challenge: string; readonly browserHashes: readonly Buffer[] };
  readonly id: string;
  readonly secretHash: Buffer;
  /** Of the browser's cookie: the session that it belongs to is replaced. */
  readonly previousSecretHash: Buffer | undefined;
  readonly at: Date;
  readonly idleEnd: Date;
  readonly absoluteEnd: Date;
}

export interface Begun {
  readonly personal_id: string;
  readonly browser_hash: Buffer;
  readonly service_session: string | null;
  /** Sealed with the code. */
  readonly id_token: Buffer | null;
  readonly replaced_id: string | null;
  readonly replaced_service_id: string | null;
  readonly replaced_service_session: string | null;
}

/**
 * Finds the replaced session by its secret and its id alone: with `ended_at is null` as well, a plan made while there are few
 * sessions scans the index of all living ones, each time and for long.
 */
const beginStatement = {
  name: 'sign-in-session-begin',
  text: `with taken as (delete from sign_in_code where code_hash = $1 returning *),
      fitting as (select * from taken where challenge = $2 and browser_hash = any($3::bytea[]) and expires_at > $4
        and exists (select from client c where c.personal_id = taken.personal_id and c.state <> 'DISABLED')),
      recorded as (${recordSignInsText('select personal_id from fitting', '$4')}),
      replaced as (update session set ended_at = $4, end_reason = 'REPLACED'
        where id = (select id from session where secret_hash = $9) and coalesce(ended_at, 'infinity') = 'infinity'
          and exists (select from fitting)
        returning id, service_id, service_session),
      begun as (insert into session
          (id, personal_id, secret_hash, service_id, service_session, service_subject, created_at, idle_expires_at, absolute_expires_at)
        select $5, personal_id, $6, service_id, service_session, service_subject, $4, $7, $8 from fitting)
    select fitting.personal_id, fitting.browser_hash, fitting.service_session, fitting.id_token,
      replaced.id as replaced_id, replaced.service_id as replaced_service_id, replaced.service_session as replaced_service_session
    from fitting left join replaced on true`,
};

/**
 * Turns a code into a session, records the sign-in, and ends the session that this browser had, atomically, except that the code is
 * consumed either way. Undefined when the code does not fit.
 */
export const beginSession = async (pool: Pool, session: NewSession): Promise<Begun | undefined> => {
  const { code, id, secretHash, previousSecretHash, at, idleEnd, absoluteEnd } = session;
  const values = [code.hash, code.challenge, code.browserHashes, at, id, secretHash, idleEnd, absoluteEnd, previousSecretHash ?? null];
  const [row] = await namedQuery<Begun>(pool, beginStatement, values);
  return row;
};

export const keepIdToken = async (db: Db, id: string, sealed: Buffer): Promise<void> => {
  await db.updateTable('session').set({ id_token: sealed }).where('id', '=', id).execute();
};

/** All sessions of a person but one; codes that could still become sessions are consumed as well. */
export const endSessionsOfPerson = async (
  db: Db,
  { personalId, except, ...end }: { personalId: string; except: string | undefined; reason: EndReason; at: Date },
): Promise<Ended[]> => {
  await db.deleteFrom('sign_in_code').where('personal_id', '=', personalId).execute();
  const all = endSessions(db, end).where('personal_id', '=', personalId);
  return (except === undefined ? all : all.where('id', '<>', except)).execute();
};

/** What an identity service calls a session or a person, or both; at least one. */
export type ServiceMark = { readonly sid: string; readonly sub: string | undefined } | { readonly sid: undefined; readonly sub: string };

/** All sessions that began with this session of an identity service, or with this person there, and the codes that would become such. */
export const endSessionsOfService = async (
  db: Db,
  { serviceId, mark, at }: { serviceId: string; mark: ServiceMark; at: Date },
): Promise<Ended[]> => {
  let codes = db.deleteFrom('sign_in_code').where('service_id', '=', serviceId);
  let sessions = endSessions(db, { reason: 'SERVICE_LOGOUT', at }).where('service_id', '=', serviceId);
  if (mark.sid !== undefined) {
    codes = codes.where('service_session', '=', mark.sid);
    sessions = sessions.where('service_session', '=', mark.sid);
  }
  if (mark.sub !== undefined) {
    codes = codes.where('service_subject', '=', mark.sub);
    sessions = sessions.where('service_subject', '=', mark.sub);
  }
  await codes.execute();
  return sessions.execute();
};
