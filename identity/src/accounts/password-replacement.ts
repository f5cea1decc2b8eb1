import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock, People } from '../parts.ts';
import { askers } from './hash-queue.ts';
import type { PasswordFault, PasswordRules } from './password-rules.ts';
import * as store from './password-store.ts';
import type { Passwords } from './passwords.ts';

export interface ReplacementParts {
  readonly db: IdentityDatabase;
  readonly passwords: Passwords;
  readonly rules: PasswordRules;
  readonly people: People;
  /** With how many passwords before the present one a new one is compared. */
  readonly history: number;
  readonly clock: Clock;
}

/** Thrown inside a transaction to undo it: a concurrent change won. */
export class LostRaceError extends Error {
  override readonly name = 'LostRaceError';
}

export type PasswordReplacement = ReturnType<typeof createPasswordReplacement>;

/** A person's password and the ones before it. */
export const createPasswordReplacement = ({ db, passwords, rules, people, history, clock }: ReplacementParts) => ({
  history,
  findHashes: (personalId: string) => store.findHashes(db, { personalId, history }),

  findFault: async (password: string, personalId: string): Promise<PasswordFault | undefined> =>
    rules.findFault(password, { personalId, names: (await people.find(personalId))?.names ?? [] }),

  isRight: (hash: string | undefined, password: string, personalId: string): Promise<boolean> =>
    passwords.isRight(hash, password, askers.person(personalId)),

  /** Whether a person’s new password is the present one or one of those before it. */
  wasUsed: async (
    { personalId, password }: { personalId: string; password: string },
    { current, previous }: { current: string; previous: readonly string[] },
  ): Promise<boolean> => {
    for (const hash of [current, ...previous]) if (await passwords.isRight(hash, password, askers.person(personalId))) return true;
    return false;
  },

  /** In one transaction with the caller's own changes. False when a concurrent change was first. */
  replace: async (
    { personalId, current, password }: { personalId: string; current: string | null; password: string },
    first?: (trx: store.Trx) => Promise<void>,
  ): Promise<boolean> => {
    const next = await passwords.hash(password, askers.person(personalId));
    const at = clock.now();
    try {
      await db.transaction().execute(async (trx) => {
        const isReplaced =
          current === null
            ? await store.insertHash(trx, { personalId, next, at })
            : await store.replaceHash(trx, { personalId, current, next, history, at });
        if (!isReplaced) throw new LostRaceError('the password is another one by now');
        await first?.(trx);
        await store.endSignIns(trx, personalId);
      });
      return true;
    } catch (error) {
      if (error instanceof LostRaceError) return false;
      throw error;
    }
  },
});
