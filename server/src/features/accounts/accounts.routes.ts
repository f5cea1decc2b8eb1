import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { Accounts } from './accounts.service.ts';

export const accountRoutes = (accounts: Accounts): readonly Route[] => [
  route(calls.getSelf, async ({ caller }) => accounts.getSelf(caller.personalId)),
];
