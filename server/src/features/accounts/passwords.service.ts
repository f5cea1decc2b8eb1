import { passwordExistsMessage, passwordFaultWords, passwordLimits } from '@pergamin/contract';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { PasswordAccounts } from './password-accounts.ts';
import * as store from './accounts.store.ts';
import type { AccountsParts } from './parts.ts';

export type PasswordService = ReturnType<typeof createPasswordService>;

type Parts = Pick<AccountsParts, 'db' | 'passwords' | 'endSessions' | 'settings'>;

const tooMany = (seconds: number): PortalError => new PortalError('CALL_NOT_PERMITTED', { retryAfterSeconds: seconds });

export const createPasswordService = ({ db, passwords, endSessions, settings }: Parts) => {
  const faults = {
    length: `must have ${passwordLimits.minLength} to ${settings.passwordMaxLength} characters`,
    characters: 'needs a lowercase letter, an uppercase letter and a digit',
    ...passwordFaultWords,
  } as const;

  /** The service that keeps this person's password; throws when that is an outside one (K3). */
  const keeperOf = async (personalId: string): Promise<PasswordAccounts> => {
    const client = await store.findUserInfo(db, personalId);
    if (client === undefined || client.managed || passwords === undefined)
      throw new PortalError('CALL_NOT_PERMITTED', { message: 'The password is kept by an outside service' });
    return passwords;
  };

  return {
    /**
     * Ends all other sessions of the person. Throws INVALID_CREDENTIALS_ERROR for a wrong old password, VALIDATION_ERROR for a new one that
     * does not do (by its field, or by the message of the history), CALL_NOT_PERMITTED after too many tries and when the password is kept
     * elsewhere.
     */
    async change({ personalId, sessionId }: ClientCaller, change: { oldPassword: string; newPassword: string }): Promise<void> {
      const outcome = await (await keeperOf(personalId)).changePassword(personalId, change);
      if (outcome.kind === 'wait') throw tooMany(outcome.seconds);
      if (outcome.kind === 'wrongOld') throw new PortalError('INVALID_CREDENTIALS_ERROR');
      if (outcome.kind === 'unfit') throw invalidField('newPassword', faults[outcome.fault]);
      if (outcome.kind === 'usedBefore') throw new PortalError('VALIDATION_ERROR', { message: passwordExistsMessage(outcome.previous) });
      await endSessions(personalId, { except: sessionId, reason: 'PASSWORD_CHANGED' });
    },

    /** Throws VALIDATION_ERROR when no address is known, CALL_NOT_PERMITTED like `change`. */
    async requestReset({ personalId }: ClientCaller): Promise<void> {
      const outcome = await (await keeperOf(personalId)).requestReset(personalId);
      if (outcome.kind === 'wait') throw tooMany(outcome.seconds);
      if (outcome.kind === 'noAddress') throw invalidField('email', 'there is none to write to');
    },
  };
};
