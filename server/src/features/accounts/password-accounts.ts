import type { LanguageCode } from '@pergamin/contract';
import type { Trx } from '#platform/database/schema.ts';
import type { MailMessage } from '#platform/mail/mail.ts';

interface HashedPassword {
  readonly personalId: string;
  readonly hash: string;
}

type Refusal =
  | { readonly kind: 'unfit'; readonly fault: 'length' | 'characters' | 'personalId' | 'common' }
  /** The present one, or one of this many before it. */
  | { readonly kind: 'usedBefore'; readonly previous: number }
  | { readonly kind: 'wait'; readonly seconds: number };

/** The port to the service that keeps passwords. With an outside identity service there is none, and its clients are `managed`. */
export interface PasswordAccounts {
  /** Slow, and stores nothing. Leaves out people who have a password. */
  hashFirstPasswords(people: readonly { personalId: string; password: string }[]): Promise<readonly HashedPassword[]>;
  /** Gives people without a password these; never changes an existing one. */
  createHashed(people: readonly HashedPassword[], within: Trx): Promise<void>;
  /**
   * A link that sets the first password, for each of these people who has none and was not invited before (`again`: or was). The letters are
   * to be mailed by the same transaction. `code`: what the organisation has to tell the person by another way.
   */
  invite(
    people: readonly { readonly personalId: string; readonly email: string; readonly language: LanguageCode }[],
    options: { within: Trx; again: boolean },
  ): Promise<readonly { readonly personalId: string; readonly letter: MailMessage; readonly code: string | undefined }[]>;
  changePassword(
    personalId: string,
    change: { oldPassword: string; newPassword: string },
  ): Promise<{ readonly kind: 'changed' } | { readonly kind: 'wrongOld' } | Refusal>;
  /** `noAddress`: no address is known. */
  requestReset(
    personalId: string,
  ): Promise<{ readonly kind: 'sent' } | { readonly kind: 'noAddress' } | { readonly kind: 'wait'; readonly seconds: number }>;
  /** The person can neither sign in nor set a password, by no link mailed before or after; what is open there ends. */
  disable(personalId: string, within: Trx): Promise<void>;
  /** Undoes `disable`: the password is the one of before. */
  enable(personalId: string, within: Trx): Promise<void>;
  signInHistory(personalId: string): Promise<{ readonly lastFailureAt: Date | null }>;
}
