import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock } from '../parts.ts';
import type { Passwords } from './passwords.ts';

/** Who has an account. Knows nothing of how somebody comes in, or of how a password is replaced. */
export interface AccountStore {
  /**
   * Gives a person without a password this one; never changes an existing one. Says whether it did. Whoever calls answers for the password:
   * accounts that are brought along from elsewhere keep the ones they have.
   */
  readonly create: (personalId: string, password: string) => Promise<boolean>;
  readonly exists: (personalId: string) => Promise<boolean>;
  /** The account stays and can no longer sign in; links that were mailed are void. Says whether it could before. */
  readonly disable: (personalId: string) => Promise<boolean>;
  /** Takes the passwords away for good, with all that was kept beside them. People who have none are no error. */
  readonly remove: (personalIds: readonly string[]) => Promise<void>;
  /** Whether tokens may be issued for this person. */
  readonly isActive: (personalId: string) => Promise<boolean>;
}

export const createAccountStore = ({
  db,
  passwords,
  clock,
}: {
  db: IdentityDatabase;
  passwords: Passwords;
  clock: Clock;
}): AccountStore => {
  const find = (personalId: string) =>
    db.selectFrom('account').select('disabled_at').where('personal_id', '=', personalId).executeTakeFirst();
  return {
    async create(personalId, password) {
      // Looked up first only to spare the hash; the insert decides.
      if ((await find(personalId)) !== undefined) return false;
      const now = clock.now();
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('account')
        .values({ personal_id: personalId, password_hash: await passwords.hash(password), created_at: now, changed_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    exists: async (personalId) => (await find(personalId)) !== undefined,

    async disable(personalId) {
      await db.deleteFrom('password_link').where('personal_id', '=', personalId).execute();
      const { numUpdatedRows } = await db
        .updateTable('account')
        .set({ disabled_at: clock.now() })
        .where('personal_id', '=', personalId)
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async remove(personalIds) {
      if (personalIds.length === 0) return;
      await db.transaction().execute(async (trx) => {
        for (const table of ['account', 'password_link', 'known_device', 'sign_in_record'] as const)
          await trx.deleteFrom(table).where('personal_id', 'in', personalIds).execute();
      });
    },

    async isActive(personalId) {
      const account = await find(personalId);
      return account !== undefined && account.disabled_at === null;
    },
  };
};
