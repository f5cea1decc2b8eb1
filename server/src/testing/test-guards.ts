import { type PublisherScope, publisherScopes } from '@pergamin/contract';
import type { ClientCaller, PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { AreaGuards } from '#platform/http/mount-routes.ts';

const client: ClientCaller = {
  sessionId: 'session',
  sessionBeganAt: new Date(0),
  personalId: '10000001',
  cif: 'cif-1',
  cif2: null,
  state: 'ACTIVE',
};
const scopes: readonly PublisherScope[] = publisherScopes;
const publisher: PublisherCaller = { keyId: 'key', name: 'tests', scopes, demo: false };

/** Guards for tests of the HTTP layer alone: `authorization: yes` is a caller, everything else is anonymous. */
export const createTestGuards = (): AreaGuards => {
  const requireCaller = (authorization: string | undefined): void => {
    if (authorization !== 'yes') throw new PortalError('ACCESS_DENIED');
  };
  return {
    async protected({ headers }) {
      requireCaller(headers.authorization);
      return client;
    },
    async publisher({ headers }) {
      requireCaller(headers.authorization);
      return publisher;
    },
    open: async () => undefined,
    auth: async () => undefined,
    system: async () => undefined,
  };
};
