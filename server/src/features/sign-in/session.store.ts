import type { Insertable, Kysely } from 'kysely';
import type { Pool } from 'pg';
import { namedQuery } from '#platform/database/database.ts';
import type { Database, SessionTable } from '#platform/database/schema.ts';

type Db = Kysely<Database>;

export type EndReason = 'LOGOUT' | 'REPLACED' | 'BINDING_MISMATCH' | 'SERVICE_LOGOUT' | 'PASSWORD_CHANGED' | 'ACCOUNT_CLOSED';

/** A session and whose it is, as every protected call needs them. */
export interface SessionRow {
  readonly personal_id: string;
  readonly secret_hash: Buffer;
  readonly generation: number;
  readonly refreshed_at_ms: number | null;
  readonly idle_expires_at_ms: number;
  readonly absolute_expires_at_ms: number;
  readonly is_ended: boolean;
  readonly cif: string;
  readonly cif2: string | null;
  readonly state: 'ACTIVE' | 'CLOSED';
}

/** Numbers are read in a third of the time that dates take. */
const inMs = (column: string): string => `(extract(epoch from s.${column}) * 1000)::float8 as ${column}_ms`;

const findStatement = {
  name: 'sign-in-session',
  text: `select s.personal_id, s.secret_hash, s.generation, s.ended_at is not null as is_ended, ${inMs('refreshed_at')},
      ${inMs('idle_expires_at')}, ${inMs('absolute_expires_at')}, c.cif, c.cif2, c.state
    from session s join client c on c.personal_id = s.personal_id
    where s.id = $1`,
};

/** The one query of every protected call. */
export const findSession = async (pool: Pool, id: string): Promise<SessionRow | undefined> => {
  const [row] = await namedQuery<SessionRow>(pool, findStatement, [id]);
  return row;
};

const insertSession = async (db: Db, row: Insertable<SessionTable>): Promise<void> => {
  await db.insertInto('session').values(row).execute();
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

/** Of several refreshes of one generation at once, one succeeds. */
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

/** Begins a session, and ends the one that this browser's cookie belongs to, if there is one: both or neither. */
export const replaceSession = async (
  db: Db,
  row: Insertable<SessionTable> & { readonly created_at: Date },
  previousSecretHash: Buffer | undefined,
): Promise<Ended | undefined> => {
  // One statement needs no transaction around it, and most browsers come without a session.
  if (previousSecretHash === undefined) {
    await insertSession(db, row);
    return undefined;
  }
  return db.transaction().execute(async (trx) => {
    const ended = await endSessions(trx, { reason: 'REPLACED', at: row.created_at })
      .where('secret_hash', '=', previousSecretHash)
      .executeTakeFirst();
    await insertSession(trx, row);
    return ended;
  });
};

/** All sessions of a person but one; codes that would still become sessions are burnt as well. */
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
