import type { LanguageCode } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import type { Mail } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import { accountRoutes } from './accounts.routes.ts';
import { type AccountService, createAccountService } from './accounts.service.ts';
import { type ClientRecords, createClientRecords } from './client-records.ts';
import type { PasswordAccounts } from './password-accounts.ts';
import { createPasswordService } from './passwords.service.ts';

/** For the statement that begins a session: shown to the client as the previous successful login from the next one on. */
export { recordSignInsText } from './accounts.store.ts';

export type Accounts = AccountService & ClientRecords;

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
