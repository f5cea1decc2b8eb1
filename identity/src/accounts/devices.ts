import { createHash, randomBytes } from 'node:crypto';
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
      const token_hash = hashOf(next);
      const used_at = clock.now();
      await db.transaction().execute(async (trx) => {
        if (token !== undefined)
          await trx.updateTable('known_device').set({ token_hash }).where('token_hash', '=', hashOf(token)).execute();
        await trx
          .insertInto('known_device')
          .values({ token_hash, personal_id: personalId, used_at })
          .onConflict((conflict) => conflict.columns(['token_hash', 'personal_id']).doUpdateSet({ used_at }))
          .execute();
      });
      return next;
    },

    async sweep() {
      await db.deleteFrom('known_device').where('used_at', '<', forgottenBefore()).execute();
    },
  };
};
