import type { IdentityLog } from '../parts.ts';
import { subjects, type Throttle } from '../throttle/throttle.ts';
import type { ActivationCodes } from './activation-codes.ts';
import { createPasswordByLink } from './password-by-link.ts';
import type { PasswordLetters } from './password-letters.ts';
import { createUnlessTooBusy, type ChangeOutcome } from './password-outcomes.ts';
import { createPasswordReplacement, type PasswordReplacement, type ReplacementParts } from './password-replacement.ts';

interface Parts extends ReplacementParts {
  readonly throttle: Throttle;
  readonly letters: PasswordLetters;
  readonly codes: ActivationCodes;
  /** Whether a first password takes a code beside the link. */
  readonly isCodeNeeded: boolean;
  readonly log: IdentityLog;
}

/** Replaces passwords: for their owner who is signed in, and for the holder of a mailed link. */
export const createPasswordChange = (parts: Parts) => {
  const replacement = createPasswordReplacement(parts);
  return { changePassword: createChangeByOwner({ ...parts, replacement }), setPassword: createPasswordByLink({ ...parts, replacement }) };
};

export type PasswordChange = ReturnType<typeof createPasswordChange>;

type OwnersParts = Pick<Parts, 'throttle' | 'letters' | 'log'> & { readonly replacement: PasswordReplacement };

/** Wrong old passwords are counted like wrong ones at sign-in. The caller ends the person's other sessions. */
const createChangeByOwner = ({ replacement, throttle, letters, log }: OwnersParts) => {
  const change = async (
    personalId: string,
    { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  ): Promise<ChangeOutcome> => {
    const hashes = await replacement.findHashes(personalId);
    const isOldRight = await replacement.isRight(hashes?.current, oldPassword, personalId);
    if (hashes === undefined || !isOldRight) {
      log.info({ personalId }, 'identity: wrong old password');
      return { kind: 'wrongOld' };
    }
    await throttle.succeed(subjects.oldPassword(personalId));
    if (await replacement.wasUsed({ personalId, password: newPassword }, hashes))
      return { kind: 'usedBefore', previous: replacement.history };
    // A concurrent change won: by now the old password that was typed is wrong.
    if (!(await replacement.replace({ personalId, current: hashes.current, password: newPassword }))) return { kind: 'wrongOld' };
    log.info({ personalId, audit: 'PASSWORD_CHANGED' }, 'identity: password changed');
    return { kind: 'changed' };
  };

  return async (personalId: string, wanted: { oldPassword: string; newPassword: string }): Promise<ChangeOutcome> => {
    const fault = await replacement.findFault(wanted.newPassword, personalId);
    if (fault !== undefined) return { kind: 'unfit', fault };
    const counted = [subjects.oldPassword(personalId)];
    const seconds = await throttle.take(counted);
    if (seconds > 0) {
      log.warn({ personalId, seconds }, 'identity: too many wrong old passwords');
      return { kind: 'wait', seconds };
    }
    return createUnlessTooBusy(throttle)(counted, async () => {
      const outcome = await change(personalId, wanted);
      if (outcome.kind === 'changed') await letters.tellOfChange(personalId);
      return outcome;
    });
  };
};
