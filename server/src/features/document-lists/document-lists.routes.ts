import { calls, type Criterion } from '@pergamin/contract';
import type { ClientCaller } from '#platform/http/caller.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Lists } from './document-lists.service.ts';
import type { ListValues } from './own-values.service.ts';
import { withTimeLimit } from './time-limit.ts';

/** People without a session have no customer number: only what was delivered to everybody can be found. */
const everybody: ClientCaller = { sessionId: '', sessionBeganAt: new Date(0), personalId: '', cif: '', cif2: null, state: 'ACTIVE' };

const onlyPublic: Criterion = { id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' };

export const documentListRoutes = ({ lists, listValues }: { readonly lists: Lists; readonly listValues: ListValues }): readonly Route[] => [
  route(calls.listOwnDocuments, async ({ caller, body }) => withTimeLimit(lists.list(caller, body))),

  route(calls.listOwnValues, async ({ caller, body }) => withTimeLimit(listValues(caller, body))),

  // The list of public documents for people without a session (A13). That it holds no others does not depend on the criteria.
  route(calls.listPublicDocuments, async ({ body }) => {
    const { metadata, period } = body.criteria;
    const rest = metadata.filter(({ id, operator, value }) => !(id === 'TYPE' && operator === 'EQUALS' && value === 'PUBLIC'));
    return withTimeLimit(lists.list(everybody, { ...body, criteria: { metadata: [onlyPublic, ...rest], period } }));
  }),
];
