import type { Kysely } from 'kysely';
import { type IdentityDatabase, ownTables } from '../database/tables.ts';
import type { Clock } from '../parts.ts';
import { endSignIns } from './password-store.ts';
import type { Passwords } from './passwords.ts';
import { askers } from './hash-queue.ts';

/** A password on its way into a new account. */
export interface HashedPassword {
  readonly personalId: string;
  readonly hash: string;
}

/** The store of accounts. Signing in and replacing a password are elsewhere. */
export interface AccountStore {
  /**
   * Gives a person without a password this one; never changes an existing one. Says whether it did. The caller checks the rules for passwords:
   * accounts imported from another system keep theirs.
   */
  readonly create: (personalId: string, password: string) => Promise<boolean>;
  /** The first step of `create` for many: slow, and stores nothing. Leaves out people who have a password. */
  readonly hashFirstPasswords: (people: readonly { personalId: string; password: string }[]) => Promise<HashedPassword[]>;
  /** The second step: part of the transaction `within`. */
  readonly createHashed: <Schema>(people: readonly HashedPassword[], within: Kysely<Schema>) => Promise<void>;
  readonly exists: (personalId: string) => Promise<boolean>;
  /**
   * Part of the transaction `within`: the account stays and can no longer sign in, what it has open here ends, and mailed links are void and not
   * replaced. A person without a password cannot get one until `enable`.
   */
  readonly disable: <Schema>(personalId: string, within: Kysely<Schema>) => Promise<void>;
  /** Part of the transaction `within`: the account has its password again; a person who had none may be invited again. */
  readonly enable: <Schema>(personalId: string, within: Kysely<Schema>) => Promise<void>;
  /** Deletes the accounts with everything that belongs to them. People without one are no error. */
  readonly remove: (personalIds: readonly string[]) => Promise<void>;
}

/** `remove` without the rest of the service: for a program that runs where no portal does. */
export const removeAccounts = async <Schema>(db: Kysely<Schema>, personalIds: readonly string[]): Promise<void> => {
  if (personalIds.length === 0) return;
  await ownTables(db)
    .transaction()
    .execute(async (trx) => {
      for (const table of ['account', 'password_link', 'known_device', 'sign_in_record'] as const)
        await trx.deleteFrom(table).where('personal_id', 'in', personalIds).execute();
    });
};

/** Of an account that was disabled before its first password. It is never compared: the account is disabled as long as it is there. */
const noPassword = '';

interface Parts {
  readonly db: IdentityDatabase;
  readonly passwords: Passwords;
  readonly clock: Clock;
}

export const createAccountStore = ({ db, passwords, clock }: Parts): AccountStore => {
  const find = (personalId: string) =>
    db.selectFrom('account').select('disabled_at').where('personal_id', '=', personalId).executeTakeFirst();

  /** Looks them up only to spare the hashes; the insert decides. Sequential, so that sign-ins get the threads in between. */
  const hashFirstPasswords: AccountStore['hashFirstPasswords'] = async (newcomers) => {
    if (newcomers.length === 0) return [];
    const personalIds = newcomers.map(({ personalId }) => personalId);
    const present = await db.selectFrom('account').select('personal_id').where('personal_id', 'in', personalIds).execute();
    const known = new Set(present.map((row) => row.personal_id));
    const hashed: HashedPassword[] = [];
    for (const { personalId, password } of newcomers)
      if (!known.has(personalId)) hashed.push({ personalId, hash: await passwords.hash(password, askers.records) });
    return hashed;
  };

  return {
    hashFirstPasswords,

    create: async (personalId, password) =>
      (await insertHashed(db, await hashFirstPasswords([{ personalId, password }]), clock.now())) === 1,

    async createHashed(hashed, within) {
      await insertHashed(ownTables(within), hashed, clock.now());
    },

    exists: async (personalId) => (await find(personalId)) !== undefined,

    async disable(personalId, within) {
      const trx = ownTables(within);
      const now = clock.now();
      await trx
        .insertInto('account')
        .values({ personal_id: personalId, password_hash: noPassword, created_at: now, changed_at: now, disabled_at: now })
        .onConflict((conflict) => conflict.column('personal_id').doUpdateSet({ disabled_at: now }).where('account.disabled_at', 'is', null))
        .execute();
      await endSignIns(trx, personalId);
    },

    async enable(personalId, within) {
      const trx = ownTables(within);
      await trx.deleteFrom('account').where('personal_id', '=', personalId).where('password_hash', '=', noPassword).execute();
      await trx.updateTable('account').set({ disabled_at: null }).where('personal_id', '=', personalId).execute();
    },

    remove: (personalIds) => removeAccounts(db, personalIds),
  };
};

/** Gives how many had no password. */
const insertHashed = async (db: IdentityDatabase, hashed: readonly HashedPassword[], now: Date): Promise<number> => {
  if (hashed.length === 0) return 0;
  const rows = hashed.map(({ personalId, hash }) => ({ personal_id: personalId, password_hash: hash, created_at: now, changed_at: now }));
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('account')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n);
};
