import { type Clock, personalIdPattern } from '../parts.ts';
import type { IdentityDatabase } from '../database/tables.ts';
import type { Passwords } from './passwords.ts';

/** What an installation's own rooms may do with local accounts. Signing in is not among it: that goes over OpenID Connect only. */
export interface IdentityAccounts {
  /** Gives a person without a password this one; never changes an existing one. Says whether it did. */
  readonly create: (personalId: string, password: string) => Promise<boolean>;
  readonly exists: (personalId: string) => Promise<boolean>;
  /** The account stays and can no longer sign in. Says whether it could before. */
  readonly disable: (personalId: string) => Promise<boolean>;
  /** Takes the passwords away for good. People who have none are no error. */
  readonly remove: (personalIds: readonly string[]) => Promise<void>;
}

export interface AccountService extends IdentityAccounts {
  /** Whether this person may come in with this password. Takes equally long whatever the reason of a refusal. Throws TooBusyError. */
  isRightPassword(personalId: string, password: string): Promise<boolean>;
  /** Whether tokens may be issued for this person. */
  isActive(personalId: string): Promise<boolean>;
}

export const createAccountService = ({
  db,
  passwords,
  clock,
}: {
  db: IdentityDatabase;
  passwords: Passwords;
  clock: Clock;
}): AccountService => {
  const find = (personalId: string) =>
    db.selectFrom('account').select(['password_hash', 'disabled_at']).where('personal_id', '=', personalId).executeTakeFirst();
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
      const { numUpdatedRows } = await db
        .updateTable('account')
        .set({ disabled_at: clock.now() })
        .where('personal_id', '=', personalId)
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async remove(personalIds) {
      if (personalIds.length > 0) await db.deleteFrom('account').where('personal_id', 'in', personalIds).execute();
    },

    async isRightPassword(personalId, password) {
      const account = personalIdPattern.test(personalId) ? await find(personalId) : undefined;
      const isRight = await passwords.isRight(account?.password_hash, password);
      return isRight && account?.disabled_at === null;
    },

    async isActive(personalId) {
      const account = await find(personalId);
      return account !== undefined && account.disabled_at === null;
    },
  };
};
