import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock, IdentityLog, People } from '../parts.ts';
import { subjects, type Throttle } from '../throttle/throttle.ts';
import type { PasswordLetters } from './password-letters.ts';
import type { PasswordFault, PasswordRules } from './password-rules.ts';
import * as store from './password-store.ts';
import type { Passwords } from './passwords.ts';
import { busySeconds } from './sign-in.ts';
import { TooBusyError } from './turns.ts';

type Refusal =
  | { readonly kind: 'unfit'; readonly fault: PasswordFault }
  /** It is the present one, or one of this many before it. */
  | { readonly kind: 'usedBefore'; readonly previous: number }
  /** Nothing was looked at. */
  | { readonly kind: 'wait'; readonly seconds: number };

export type ChangeOutcome = { readonly kind: 'changed' } | { readonly kind: 'wrongOld' } | Refusal;

/** `void`: the link was used, is too old, or another one or another password came after it. */
export type LinkOutcome = { readonly kind: 'set' } | { readonly kind: 'void' } | Refusal;

interface Parts {
  readonly db: IdentityDatabase;
  readonly passwords: Passwords;
  readonly rules: PasswordRules;
  readonly throttle: Throttle;
  readonly letters: PasswordLetters;
  readonly people: People;
  /** How many passwords before the present one are looked at. */
  readonly history: number;
  readonly clock: Clock;
  readonly log: IdentityLog;
}

/** Thrown inside a transaction to undo it: somebody else was first. */
class LostRaceError extends Error {
  override readonly name = 'LostRaceError';
}

const waiting = (error: unknown): Refusal => {
  if (error instanceof TooBusyError) return { kind: 'wait', seconds: busySeconds };
  throw error;
};

/** Replaces passwords: by their owner who is signed in, and by whoever holds a mailed link. */
export const createPasswordChange = ({ db, passwords, rules, throttle, letters, people, history, clock, log }: Parts) => {
  const isAmong = async (password: string, hashes: readonly string[]): Promise<boolean> => {
    for (const hash of hashes) if (await passwords.isRight(hash, password)) return true;
    return false;
  };

  /** In one transaction with what the caller does first: of several at once, the first one's. */
  const replace = async (
    change: { personalId: string; current: string | null; password: string },
    first?: (trx: store.Trx) => Promise<void>,
  ) => {
    const { personalId, current } = change;
    const next = await passwords.hash(change.password);
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
  };

  const changeByOwner = async (
    personalId: string,
    { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  ): Promise<ChangeOutcome> => {
    const hashes = await store.findHashes(db, { personalId, history });
    const isOldRight = await passwords.isRight(hashes?.current, oldPassword);
    if (hashes === undefined || !isOldRight) {
      log.info({ personalId }, 'identity: wrong old password');
      return { kind: 'wrongOld' };
    }
    await throttle.succeed(subjects.oldPassword(personalId));
    if (await isAmong(newPassword, [hashes.current, ...hashes.previous])) return { kind: 'usedBefore', previous: history };
    // Whoever lost against a change at the same time has an old password that is wrong by now.
    if (!(await replace({ personalId, current: hashes.current, password: newPassword }))) return { kind: 'wrongOld' };
    log.info({ personalId, audit: 'PASSWORD_CHANGED' }, 'identity: password changed');
    return { kind: 'changed' };
  };

  const setByLink = async (
    link: store.PasswordLink,
    { tokenHash, password }: { tokenHash: Buffer; password: string },
  ): Promise<LinkOutcome> => {
    const { personalId, boundTo } = link;
    const hashes = await store.findHashes(db, { personalId, history });
    if (hashes?.current !== (boundTo ?? undefined)) return { kind: 'void' };
    if (hashes !== undefined && (await isAmong(password, [hashes.current, ...hashes.previous])))
      return { kind: 'usedBefore', previous: history };
    const isSet = await replace({ personalId, current: boundTo, password }, async (trx) => {
      if (!(await store.takeLink(trx, { tokenHash, at: clock.now() }))) throw new LostRaceError('the link was used meanwhile');
      await store.forgetDevices(trx, personalId);
      // Before the password counts: no session of somebody else may outlive it.
      await people.endSessions(personalId);
    });
    if (!isSet) return { kind: 'void' };
    await throttle.succeed(subjects.account(personalId));
    log.info({ personalId, audit: boundTo === null ? 'PASSWORD_SET' : 'PASSWORD_RESET' }, 'identity: password set by a mailed link');
    return { kind: 'set' };
  };

  return {
    /** Wrong old passwords are counted like wrong ones at sign-in. The caller ends the person's other sessions. */
    async changePassword(personalId: string, change: { oldPassword: string; newPassword: string }): Promise<ChangeOutcome> {
      const fault = rules.findFault(change.newPassword, personalId);
      if (fault !== undefined) return { kind: 'unfit', fault };
      const counted = [subjects.oldPassword(personalId)];
      const seconds = await throttle.take(counted);
      if (seconds > 0) return { kind: 'wait', seconds };
      try {
        const outcome = await changeByOwner(personalId, change);
        if (outcome.kind === 'changed') await letters.tellOfChange(personalId);
        return outcome;
      } catch (error) {
        await throttle.giveBack(counted);
        return waiting(error);
      }
    },

    /** Ends all sessions of the person. */
    async setPassword(token: string, password: string): Promise<LinkOutcome> {
      const tokenHash = letters.hashOf(token);
      const link = await store.findLink(db, { tokenHash, at: clock.now() });
      if (link === undefined) return { kind: 'void' };
      const fault = rules.findFault(password, link.personalId);
      if (fault !== undefined) return { kind: 'unfit', fault };
      try {
        const outcome = await setByLink(link, { tokenHash, password });
        if (outcome.kind === 'set' && link.boundTo !== null) await letters.tellOfChange(link.personalId);
        return outcome;
      } catch (error) {
        return waiting(error);
      }
    },
  };
};

export type PasswordChange = ReturnType<typeof createPasswordChange>;
