import type { Insertable, Kysely } from 'kysely';
import type { Pool } from 'pg';
import { namedQuery } from '#platform/database/database.ts';
import type { Database, SessionTable } from '#platform/database/schema.ts';

type Db = Kysely<Database>;

export type EndReason = 'LOGOUT' | 'REPLACED' | 'BINDING_MISMATCH';

/** A session and whose it is, as every protected call needs them. */
export interface SessionRow {
  readonly personal_id: string;
  readonly secret_hash: Buffer;
  readonly service_id: string;
  readonly service_session: string | null;
  readonly idle_expires_at: Date;
  readonly absolute_expires_at: Date;
  readonly ended_at: Date | null;
  readonly cif: string;
  readonly cif2: string | null;
  readonly state: 'ACTIVE' | 'CLOSED';
}

const findStatement = {
  name: 'sign-in-session',
  text: `select s.personal_id, s.secret_hash, s.service_id, s.service_session, s.idle_expires_at, s.absolute_expires_at, s.ended_at,
      c.cif, c.cif2, c.state
    from session s join client c on c.personal_id = s.personal_id
    where s.id = $1`,
};

/** The one query of every protected call. */
export const findSession = async (pool: Pool, id: string): Promise<SessionRow | undefined> => {
  const [row] = await namedQuery<SessionRow>(pool, findStatement, [id]);
  return row;
};

export const insertSession = async (db: Db, row: Insertable<SessionTable>): Promise<void> => {
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

interface Ended {
  readonly service_id: string;
  readonly service_session: string | null;
}

/** Ends a session once; undefined when it has ended already. */
export const endSession = (db: Db, { id, reason, at }: { id: string; reason: EndReason; at: Date }): Promise<Ended | undefined> =>
  db
    .updateTable('session')
    .set({ ended_at: at, end_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['service_id', 'service_session'])
    .executeTakeFirst();

/** Ends the session that this browser's cookie belongs to, if there is one. */
export const endSessionOfSecret = (db: Db, { secretHash, at }: { secretHash: Buffer; at: Date }): Promise<Ended | undefined> =>
  db
    .updateTable('session')
    .set({ ended_at: at, end_reason: 'REPLACED' satisfies EndReason })
    .where('secret_hash', '=', secretHash)
    .where('ended_at', 'is', null)
    .returning(['service_id', 'service_session'])
    .executeTakeFirst();
