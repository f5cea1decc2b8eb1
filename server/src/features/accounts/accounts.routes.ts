import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { AccountService } from './accounts.service.ts';
import type { PasswordService } from './passwords.service.ts';

export const accountRoutes = (accounts: AccountService, passwords: PasswordService): readonly Route[] => [
  route(calls.getSelf, async ({ caller }) => accounts.getSelf(caller.personalId)),
  route(calls.getAccount, async ({ caller }) => accounts.getAccount(caller.personalId)),
  route(calls.setupChannel, async ({ caller, params }) => accounts.setupChannel(caller.personalId, params.channel)),
  route(calls.setupLanguage, async ({ caller, params }) => accounts.setupLanguage(caller.personalId, params.language)),
  route(calls.changePassword, async ({ caller, body }) => passwords.change(caller, body)),
  route(calls.requestPasswordReset, async ({ caller }) => passwords.requestReset(caller)),
];
