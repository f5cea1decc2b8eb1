import type { LanguageCode, UserInfo } from '@pergamin/contract';
import type { Pool } from 'pg';
import type { Clock } from '#platform/clock/clock.ts';
import type { Listen } from '#platform/database/listener.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { ServiceClient } from './identity-service.ts';
import type { SignInCookies } from './sign-in.cookies.ts';

/** What this room needs of the room accounts. */
export interface SignInAccounts {
  find(personalId: string): Promise<UserInfo | undefined>;
  welcome(
    personalId: string,
    arrival: { readonly language: LanguageCode; readonly managed: boolean },
    through: Pool,
  ): Promise<{ readonly personalId: string; readonly managed: boolean } | undefined>;
}

/** What the room is made with. */
export interface SignInParts {
  readonly db: Db;
  /** Statements of every sign-in are prepared once per connection. */
  readonly pool: Pool;
  /** Subscribes to notifications of sessions that other processes ended. */
  readonly listen: Listen;
  readonly settings: Pick<Settings, 'publicUrl' | 'sessionIdleMs' | 'sessionAbsoluteMs' | 'identityServices'>;
  readonly accounts: SignInAccounts;
  /** By id, in the order in which a personal id is tried against their patterns. */
  readonly clients: ReadonlyMap<string, ServiceClient>;
  readonly cookies: SignInCookies;
  readonly metrics: Pick<Metrics, 'countSignIn' | 'expectSignIns'>;
  readonly clock: Clock;
  readonly log: Log;
}
