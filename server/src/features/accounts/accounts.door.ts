import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { Log } from '#platform/log/log.ts';
import { accountRoutes } from './accounts.routes.ts';
import { createAccountService, type Accounts } from './accounts.service.ts';

export type { Accounts } from './accounts.service.ts';

/**
 * The port to whoever keeps passwords. With an outside identity service there is none, and its clients are `managed`. Each method says
 * whether it changed anything.
 */
export interface PasswordAccounts {
  /** Gives a person without a password this one; never changes an existing one. */
  create(personalId: string, password: string): Promise<boolean>;
}

/** Who the clients are: personal id, customer numbers, names, address and phone, groups. Does not know passwords or sessions. */
export const createAccounts = (parts: {
  db: Kysely<Database>;
  passwords: PasswordAccounts | undefined;
  clock: Clock;
  log: Log;
}): Accounts & { readonly routes: readonly Route[] } => {
  const accounts = createAccountService(parts);
  return { ...accounts, routes: accountRoutes(accounts) };
};
