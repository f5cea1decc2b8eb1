import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { Search } from './search.service.ts';

export const documentSearchRoutes = (search: Search): readonly Route[] => [
  route(calls.searchOwnDocuments, async ({ caller, body }) => search(caller, body)),
];
