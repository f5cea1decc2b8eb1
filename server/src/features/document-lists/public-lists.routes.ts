import { calls, type Criterion } from '@pergamin/contract';
import type { ClientCaller } from '#platform/http/caller.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { DocumentLists } from './document-lists.service.ts';
import { withTimeLimit } from './time-limit.ts';

/** People without a session have no customer number: only what was delivered to everybody can be found. */
const everybody: ClientCaller = { sessionId: '', personalId: '', cif: '', cif2: null, state: 'ACTIVE' };

const onlyPublic: Criterion = { id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' };

/** The list of public documents for people without a session (A13). That it holds no others does not depend on the criteria. */
export const publicListRoutes = (lists: DocumentLists): readonly Route[] => [
  route(calls.listPublicDocuments, async ({ body }) => {
    const { metadata, period } = body.criteria;
    const rest = metadata.filter(({ id, operator, value }) => !(id === 'TYPE' && operator === 'EQUALS' && value === 'PUBLIC'));
    return withTimeLimit(lists.list(everybody, { ...body, criteria: { metadata: [onlyPublic, ...rest], period } }));
  }),
];
