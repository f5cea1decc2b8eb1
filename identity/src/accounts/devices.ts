import { createHash } from 'node:crypto';
import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock } from '../parts.ts';

const dayMs = 24 * 3_600_000;
/** Browsers keep no cookie for longer than 400 days. */
export const deviceLifetimeMs = 365 * dayMs;

export const deviceHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Known devices: browsers of an earlier sign-in, which wrong passwords from elsewhere do not lock out (B20). */
export interface Devices {
  isKnown(token: string, personalId: string): Promise<boolean>;
  sweep(): Promise<void>;
}

export const createDevices = ({ db, clock }: { db: IdentityDatabase; clock: Clock }): Devices => {
  const forgottenBefore = (): Date => new Date(clock.now().getTime() - deviceLifetimeMs);
  return {
    async isKnown(token, personalId) {
      const row = await db
        .selectFrom('known_device')
        .select('used_at')
        .where('token_hash', '=', deviceHash(token))
        .where('personal_id', '=', personalId)
        .executeTakeFirst();
      return row !== undefined && row.used_at > forgottenBefore();
    },

    async sweep() {
      await db.deleteFrom('known_device').where('used_at', '<', forgottenBefore()).execute();
    },
  };
};
