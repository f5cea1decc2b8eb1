import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { Mail } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import { accountRoutes } from './accounts.routes.ts';
import { createAccountService, type Accounts } from './accounts.service.ts';
import { createPasswordService } from './passwords.service.ts';

export type { Accounts } from './accounts.service.ts';

type Refusal =
  | { readonly kind: 'unfit'; readonly fault: 'length' | 'characters' | 'personalId' | 'common' }
  /** The present one, or one of this many before it. */
  | { readonly kind: 'usedBefore'; readonly previous: number }
  | { readonly kind: 'wait'; readonly seconds: number };

/** The port to whoever keeps passwords. With an outside identity service there is none, and its clients are `managed`. */
export interface PasswordAccounts {
  /** Gives a person without a password this one; never changes an existing one. Says whether it did. */
  create(personalId: string, password: string): Promise<boolean>;
  /** Mails a person without a password a link that sets the first one, once. Says whether it did. */
  invite(personalId: string): Promise<boolean>;
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
  /** How clients are told of what changed. */
  post: { mail: Mail; notifications: Pick<Notifications, 'tellOfAccountUpdates'> };
  settings: Pick<Settings, 'passwordMaxLength' | 'timeZone' | 'identityServices'>;
  running: { clock: Clock; log: Log };
}): Accounts & { readonly routes: readonly Route[] } => {
  const parts = { ...ports, ...post, ...running };
  const accounts = createAccountService(parts);
  const passwords = createPasswordService(parts);
  return { ...accounts, routes: accountRoutes(accounts, passwords) };
};
