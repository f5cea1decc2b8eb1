import type { LanguageCode } from '@pergamin/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { Mail, MailMessage } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import { accountRoutes } from './accounts.routes.ts';
import { type AccountService, createAccountService } from './accounts.service.ts';
import { type ClientRecords, createClientRecords } from './client-records.ts';
import { createPasswordService } from './passwords.service.ts';

/** For the statement that begins a session: shown to the client as the previous successful login from the next one on. */
export { recordSignInsText } from './accounts.store.ts';

export type Accounts = AccountService & ClientRecords;

interface HashedPassword {
  readonly personalId: string;
  readonly hash: string;
}

type Refusal =
  | { readonly kind: 'unfit'; readonly fault: 'length' | 'characters' | 'personalId' | 'common' }
  /** The present one, or one of this many before it. */
  | { readonly kind: 'usedBefore'; readonly previous: number }
  | { readonly kind: 'wait'; readonly seconds: number };

/** The port to whoever keeps passwords. With an outside identity service there is none, and its clients are `managed`. */
export interface PasswordAccounts {
  /** Slow, and keeps nothing. Leaves out people who have a password. */
  hashFirstPasswords(people: readonly { personalId: string; password: string }[]): Promise<readonly HashedPassword[]>;
  /** Gives people without a password these; never changes an existing one. */
  createHashed(people: readonly HashedPassword[], within: Transaction<Database>): Promise<void>;
  /**
   * A link that sets the first password, for each of these people who has none and was not invited before (`again`: or was). The letters are
   * to be mailed by the same transaction. `code`: what the organisation has to tell the person by another way.
   */
  invite(
    people: readonly { readonly personalId: string; readonly email: string; readonly language: LanguageCode }[],
    options: { within: Transaction<Database>; again: boolean },
  ): Promise<readonly { readonly personalId: string; readonly letter: MailMessage; readonly code: string | undefined }[]>;
  changePassword(
    personalId: string,
    change: { oldPassword: string; newPassword: string },
  ): Promise<{ readonly kind: 'changed' } | { readonly kind: 'wrongOld' } | Refusal>;
  /** `noAddress`: nobody knows where to write to. */
  requestReset(
    personalId: string,
  ): Promise<{ readonly kind: 'sent' } | { readonly kind: 'noAddress' } | { readonly kind: 'wait'; readonly seconds: number }>;
  signInHistory(personalId: string): Promise<{ readonly lastFailureAt: Date | null }>;
}

/** Who the clients are: personal id, customer numbers, names, address and phone, groups. Keeps neither passwords nor sessions. */
export const createAccounts = ({
  post,
  running,
  ...ports
}: {
  db: Kysely<Database>;
  passwords: PasswordAccounts | undefined;
  /** Ends what else this person has open, after a change of password. */
  endOtherSessions: (personalId: string, options: { except: string }) => Promise<void>;
  /** How clients are told of what changed, and in which languages; the first is the one of the house. */
  post: { mail: Mail; notifications: Pick<Notifications, 'tellOfAccountUpdates'>; languages: readonly LanguageCode[] };
  settings: Pick<Settings, 'passwordMaxLength' | 'timeZone' | 'identityServices'>;
  running: { clock: Clock; log: Log };
}): Accounts & { readonly routes: readonly Route[] } => {
  const parts = { ...ports, ...post, ...running };
  const accounts = createAccountService(parts);
  const passwords = createPasswordService(parts);
  return { ...accounts, ...createClientRecords(parts), routes: accountRoutes(accounts, passwords) };
};
