import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock, IdentityLog, People } from '../parts.ts';
import { subjects, type Subject, type Throttle } from '../throttle/throttle.ts';
import { type ActivationCodes, readCode } from './activation-codes.ts';
import { hashOfToken } from './link-letter.ts';
import type { PasswordLetters } from './password-letters.ts';
import type { PasswordFault, PasswordRules } from './password-rules.ts';
import * as store from './password-store.ts';
import type { Passwords } from './passwords.ts';
import { busySeconds } from './sign-in.ts';
import { askers, TooBusyError } from './hash-queue.ts';

type Refusal =
  | { readonly kind: 'unfit'; readonly fault: PasswordFault }
  /** It is the present one, or one of this many before it. */
  | { readonly kind: 'usedBefore'; readonly previous: number }
  /** Nothing was looked at. */
  | { readonly kind: 'wait'; readonly seconds: number };

export type ChangeOutcome = { readonly kind: 'changed' } | { readonly kind: 'wrongOld' } | Refusal;

/** `void`: the link was used, is too old, another one or another password came after it, or it would take a code that nobody was given. */
export type LinkOutcome =
  | { readonly kind: 'set' }
  | { readonly kind: 'void' }
  | { readonly kind: 'codeMissing' }
  | { readonly kind: 'wrongCode' }
  | Refusal;

interface Parts {
  readonly db: IdentityDatabase;
  readonly passwords: Passwords;
  readonly rules: PasswordRules;
  readonly throttle: Throttle;
  readonly letters: PasswordLetters;
  readonly codes: ActivationCodes;
  /** Whether a first password takes a code beside the link. */
  readonly isCodeNeeded: boolean;
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
export const createPasswordChange = (parts: Parts) => {
  const { db, passwords, rules, throttle, letters, codes, isCodeNeeded, people, history, clock, log } = parts;
  const findFault = async (password: string, personalId: string): Promise<PasswordFault | undefined> =>
    rules.findFault(password, { personalId, names: (await people.find(personalId))?.names ?? [] });

  /** Whether a person’s new password is one of these. */
  const isAmong = async (
    { personalId, password }: { personalId: string; password: string },
    hashes: readonly string[],
  ): Promise<boolean> => {
    for (const hash of hashes) if (await passwords.isRight(hash, password, askers.person(personalId))) return true;
    return false;
  };

  /** In one transaction with what the caller does first: of several at once, the first one's. */
  const replace = async (
    change: { personalId: string; current: string | null; password: string },
    first?: (trx: store.Trx) => Promise<void>,
  ) => {
    const { personalId, current } = change;
    const next = await passwords.hash(change.password, askers.person(personalId));
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
    const isOldRight = await passwords.isRight(hashes?.current, oldPassword, askers.person(personalId));
    if (hashes === undefined || !isOldRight) {
      log.info({ personalId }, 'identity: wrong old password');
      return { kind: 'wrongOld' };
    }
    await throttle.succeed(subjects.oldPassword(personalId));
    if (await isAmong({ personalId, password: newPassword }, [hashes.current, ...hashes.previous]))
      return { kind: 'usedBefore', previous: history };
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
    if (hashes !== undefined && (await isAmong({ personalId, password }, [hashes.current, ...hashes.previous])))
      return { kind: 'usedBefore', previous: history };
    const isSet = await replace({ personalId, current: boundTo, password }, async (trx) => {
      if (!(await store.takeLink(trx, { tokenHash, at: clock.now() }))) throw new LostRaceError('the link was used meanwhile');
      await store.forgetDevices(trx, personalId);
      // Before the password counts: no session of somebody else may outlive it.
      await people.endSessions(personalId, 'passwordSet');
    });
    if (!isSet) return { kind: 'void' };
    await throttle.succeed(subjects.account(personalId));
    log.info({ personalId, audit: boundTo === null ? 'PASSWORD_SET' : 'PASSWORD_RESET' }, 'identity: password set by a mailed link');
    return { kind: 'set' };
  };

  const unlessTooBusy = async <Outcome>(counted: readonly Subject[], work: () => Promise<Outcome>): Promise<Outcome | Refusal> => {
    try {
      return await work();
    } catch (error) {
      if (counted.length > 0) await throttle.giveBack(counted);
      return waiting(error);
    }
  };

  /** What keeps somebody with this link from going on; undefined when it needs no code, or the code is right. */
  const findCodeFault = async (
    { personalId, codeHash }: store.PasswordLink,
    code: string,
  ): Promise<Exclude<LinkOutcome, { kind: 'set' }> | undefined> => {
    if (codeHash === null) return undefined;
    if (readCode(code) === '') return { kind: 'codeMissing' };
    const counted = subjects.activationCode(personalId);
    const seconds = await throttle.take([counted]);
    if (seconds > 0) {
      log.warn({ personalId, seconds }, 'identity: too many wrong activation codes');
      return { kind: 'wait', seconds };
    }
    return unlessTooBusy([counted], async () => {
      if (await codes.isRight(codeHash, code, askers.person(personalId))) {
        await throttle.succeed(counted);
        return undefined;
      }
      log.info({ personalId }, 'identity: wrong activation code');
      return { kind: 'wrongCode' } as const;
    });
  };

  return {
    /** Wrong old passwords are counted like wrong ones at sign-in. The caller ends the person's other sessions. */
    async changePassword(personalId: string, change: { oldPassword: string; newPassword: string }): Promise<ChangeOutcome> {
      const fault = await findFault(change.newPassword, personalId);
      if (fault !== undefined) return { kind: 'unfit', fault };
      const counted = [subjects.oldPassword(personalId)];
      const seconds = await throttle.take(counted);
      if (seconds > 0) {
        log.warn({ personalId, seconds }, 'identity: too many wrong old passwords');
        return { kind: 'wait', seconds };
      }
      return unlessTooBusy(counted, async () => {
        const outcome = await changeByOwner(personalId, change);
        if (outcome.kind === 'changed') await letters.tellOfChange(personalId);
        return outcome;
      });
    },

    /** Ends all sessions of the person. `code`: what was typed as the second fact of an activation; a reset takes none. */
    async setPassword({ token, password, code }: { token: string; password: string; code: string }): Promise<LinkOutcome> {
      const tokenHash = hashOfToken(token);
      const link = await store.findLink(db, { tokenHash, at: clock.now() });
      if (link === undefined) {
        log.info({}, 'identity: a link that is void was used');
        return { kind: 'void' };
      }
      if (isCodeNeeded && link.boundTo === null && link.codeHash === null) return { kind: 'void' };
      const fault = await findFault(password, link.personalId);
      if (fault !== undefined) return { kind: 'unfit', fault };
      // Last of what can be typed wrongly: a try at the code is spent only when the rest would do.
      const codeFault = await findCodeFault(link, code);
      if (codeFault !== undefined) return codeFault;
      return unlessTooBusy([], async () => {
        const outcome = await setByLink(link, { tokenHash, password });
        if (outcome.kind === 'set' && link.boundTo !== null) await letters.tellOfChange(link.personalId);
        return outcome;
      });
    },
  };
};

export type PasswordChange = ReturnType<typeof createPasswordChange>;
