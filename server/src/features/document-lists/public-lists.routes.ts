import { calls, type Criterion, openCallLimits } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { createCallLimit } from '#platform/http/call-limit.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { DocumentLists } from './document-lists.service.ts';
import { inTime } from './in-time.ts';

/** Whoever has no session: has no customer number, so that nothing but what was delivered to everybody can be found. */
const everybody: ClientCaller = { sessionId: '', personalId: '', cif: '', cif2: null, state: 'ACTIVE' };

const onlyPublic: Criterion = { id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' };

/** The list of public documents for people without a session (A13). That it holds no others does not depend on the criteria. */
export const publicListRoutes = ({ lists, clock }: { lists: DocumentLists; clock: Clock }): readonly Route[] => {
  const limit = createCallLimit({ perMinute: openCallLimits.listsPerMinute, clock });
  return [
    route(calls.listPublicDocuments, async ({ body, request }) => {
      limit(request.ip);
      const { metadata, period } = body.criteria;
      const rest = metadata.filter(({ id, operator, value }) => !(id === 'TYPE' && operator === 'EQUALS' && value === 'PUBLIC'));
      return inTime(lists.list(everybody, { ...body, criteria: { metadata: [onlyPublic, ...rest], period } }));
    }),
  ];
};
