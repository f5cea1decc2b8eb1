import type { LanguageCode } from '@pergamin/contract';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Mail } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { PasswordAccounts } from './password-accounts.ts';

/** What the room is made with. */
export interface AccountsParts {
  readonly db: Db;
  readonly passwords: PasswordAccounts | undefined;
  /** Ends what this person has open, after a change of password all but one session. */
  readonly endSessions: (
    personalId: string,
    options: { readonly except: string; readonly reason: 'PASSWORD_CHANGED' } | { readonly reason: 'ACCOUNT_DISABLED' },
  ) => Promise<void>;
  readonly mail: Mail;
  readonly notifications: Pick<Notifications, 'tellOfAccountUpdates'>;
  /** Languages of mail to clients; the first is the default. */
  readonly languages: readonly LanguageCode[];
  readonly settings: Pick<Settings, 'passwordMaxLength' | 'timeZone' | 'identityServices' | 'contactQuietMs'>;
  readonly clock: Clock;
  readonly log: Log;
}
