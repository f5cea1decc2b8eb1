import type { Route } from '#platform/http/route.ts';
import { accountRoutes } from './accounts.routes.ts';
import { type AccountService, createAccountService } from './accounts.service.ts';
import { type ClientRecords, createClientRecords } from './client-records.ts';
import { createGroups, type Groups } from './groups.ts';
import { type ClientStates, createClientStates } from './client-states.ts';
import type { AccountsParts } from './parts.ts';
import { createPasswordService } from './passwords.service.ts';

/** For the statement that begins a session: shown to the client as the previous successful login from the next one on. */
export { recordSignInsText } from './accounts.store.ts';

export type Accounts = AccountService & ClientRecords & ClientStates & Groups;

interface Given extends Pick<AccountsParts, 'db' | 'passwords' | 'endSessions' | 'settings'> {
  /** Tells clients of changes. */
  readonly post: Pick<AccountsParts, 'mail' | 'notifications' | 'languages'>;
  readonly running: Pick<AccountsParts, 'clock' | 'log'>;
}

/** The clients: personal id, customer numbers, names, address and phone, groups. Keeps neither passwords nor sessions. */
export const createAccounts = ({ post, running, ...given }: Given): Accounts & { readonly routes: readonly Route[] } => {
  const parts = { ...given, ...post, ...running };
  const accounts = createAccountService(parts);
  return {
    ...accounts,
    ...createClientRecords(parts),
    ...createClientStates(parts),
    ...createGroups(parts),
    routes: accountRoutes(accounts, createPasswordService(parts)),
  };
};
