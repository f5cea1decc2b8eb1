import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock, IdentityLog, People } from '../parts.ts';
import { subjects, type Throttle } from '../throttle/throttle.ts';
import { type ActivationCodes, readCode } from './activation-codes.ts';
import { askers } from './hash-queue.ts';
import { hashOfToken } from './link-letter.ts';
import type { PasswordLetters } from './password-letters.ts';
import { createUnlessTooBusy, type LinkOutcome } from './password-outcomes.ts';
import { LostRaceError, type PasswordReplacement } from './password-replacement.ts';
import * as store from './password-store.ts';

interface Parts {
  readonly db: IdentityDatabase;
  readonly replacement: PasswordReplacement;
  readonly throttle: Throttle;
  readonly letters: PasswordLetters;
  readonly codes: ActivationCodes;
  /** Whether a first password takes a code beside the link. */
  readonly isCodeNeeded: boolean;
  readonly people: People;
  readonly clock: Clock;
  readonly log: IdentityLog;
}

/** Sets a password for the holder of a mailed link. */
export const createPasswordByLink = (parts: Parts) => {
  const { db, replacement, throttle, letters, isCodeNeeded, people, clock, log } = parts;
  const unlessTooBusy = createUnlessTooBusy(throttle);
  const findCodeFault = createCodeCheck(parts);

  const set = async (
    { personalId, boundTo }: store.PasswordLink,
    { tokenHash, password }: { tokenHash: Buffer; password: string },
  ): Promise<LinkOutcome> => {
    const hashes = await replacement.findHashes(personalId);
    if (hashes?.current !== (boundTo ?? undefined)) return { kind: 'void' };
    if (hashes !== undefined && (await replacement.wasUsed({ personalId, password }, hashes)))
      return { kind: 'usedBefore', previous: replacement.history };
    const isSet = await replacement.replace({ personalId, current: boundTo, password }, async (trx) => {
      if (!(await store.takeLink(trx, { tokenHash, at: clock.now() }))) throw new LostRaceError('the link was used meanwhile');
      await store.forgetDevices(trx, personalId);
      // Before the password is valid: no other session may outlive it.
      await people.endSessions(personalId);
    });
    if (!isSet) return { kind: 'void' };
    await throttle.succeed(subjects.account(personalId));
    log.info({ personalId, audit: boundTo === null ? 'PASSWORD_SET' : 'PASSWORD_RESET' }, 'identity: password set by a mailed link');
    return { kind: 'set', isFirst: boundTo === null };
  };

  /** Ends all sessions of the person. `code`: what was typed as the second fact of an activation; a reset takes none. */
  return async ({ token, password, code }: { token: string; password: string; code: string }): Promise<LinkOutcome> => {
    const tokenHash = hashOfToken(token);
    const link = await store.findLink(db, { tokenHash, at: clock.now() });
    if (link === undefined) {
      log.info({}, 'identity: a void link was used');
      return { kind: 'void' };
    }
    if (isCodeNeeded && link.boundTo === null && link.codeHash === null) return { kind: 'void' };
    const fault = await replacement.findFault(password, link.personalId);
    if (fault !== undefined) return { kind: 'unfit', fault };
    // Last of what can be typed wrongly: a try at the code is spent only when the rest would do.
    const codeFault = await findCodeFault(link, code);
    if (codeFault !== undefined) return codeFault;
    return unlessTooBusy([], async () => {
      const outcome = await set(link, { tokenHash, password });
      if (outcome.kind === 'set' && link.boundTo !== null) await letters.tellOfChange(link.personalId);
      return outcome;
    });
  };
};

/** Why this link does not suffice; undefined when it needs no code, or the code is right. */
const createCodeCheck =
  ({ throttle, codes, log }: Pick<Parts, 'throttle' | 'codes' | 'log'>) =>
  async ({ personalId, codeHash }: store.PasswordLink, code: string): Promise<Exclude<LinkOutcome, { kind: 'set' }> | undefined> => {
    if (codeHash === null) return undefined;
    if (readCode(code) === '') return { kind: 'codeMissing' };
    const counted = subjects.activationCode(personalId);
    const seconds = await throttle.take([counted]);
    if (seconds > 0) {
      log.warn({ personalId, seconds }, 'identity: too many wrong activation codes');
      return { kind: 'wait', seconds };
    }
    return createUnlessTooBusy(throttle)([counted], async () => {
      if (await codes.isRight(codeHash, code, askers.person(personalId))) {
        await throttle.succeed(counted);
        return undefined;
      }
      log.info({ personalId }, 'identity: wrong activation code');
      return { kind: 'wrongCode' } as const;
    });
  };
