import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock } from '../parts.ts';

const dayMs = 24 * 3_600_000;
/** Browsers keep no cookie for longer than 400 days. */
export const deviceLifetimeMs = 365 * dayMs;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Browsers in which somebody has signed in before: wrong passwords from elsewhere do not keep them out (B20). */
export interface Devices {
  isKnown(token: string, personalId: string): Promise<boolean>;
  /** After a sign-in. Gives the browser's new token: one that somebody planted before is worth nothing. Others who use this browser stay known. */
  remember(token: string | undefined, personalId: string): Promise<string>;
  sweep(): Promise<void>;
}

export const createDevices = ({ db, clock }: { db: IdentityDatabase; clock: Clock }): Devices => {
  const forgottenBefore = (): Date => new Date(clock.now().getTime() - deviceLifetimeMs);
  return {
    async isKnown(token, personalId) {
      const row = await db
        .selectFrom('known_device')
        .select('used_at')
        .where('token_hash', '=', hashOf(token))
        .where('personal_id', '=', personalId)
        .executeTakeFirst();
      return row !== undefined && row.used_at > forgottenBefore();
    },

    async remember(token, personalId) {
      const next = randomBytes(32).toString('base64url');
      // One statement: who else uses this browser keeps being known by the new token, and this person's old one is gone.
      await sql`with others as (
          update identity.known_device set token_hash = ${hashOf(next)}
          where token_hash = ${hashOf(token ?? next)} and personal_id <> ${personalId}
        ), own as (
          delete from identity.known_device where token_hash = ${hashOf(token ?? next)} and personal_id = ${personalId}
        )
        insert into identity.known_device (token_hash, personal_id, used_at) values (${hashOf(next)}, ${personalId}, ${clock.now()})`.execute(
        db,
      );
      return next;
    },

    async sweep() {
      await db.deleteFrom('known_device').where('used_at', '<', forgottenBefore()).execute();
    },
  };
};
