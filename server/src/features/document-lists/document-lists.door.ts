import { calls } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import { route, type Route } from '#platform/http/route.ts';
import { createDocumentListService, type DocumentListParts } from './document-lists.service.ts';
import { publicListRoutes } from './public-lists.ts';

/** The lists of documents that a client sees. Nobody asks this room for anything but its calls. */
export const createDocumentLists = (parts: DocumentListParts & { readonly clock: Clock }): { readonly routes: readonly Route[] } => {
  const lists = createDocumentListService(parts);
  return {
    routes: [
      route(calls.listOwnDocuments, async ({ caller, body }) => lists.list(caller, body)),
      ...publicListRoutes({ lists, clock: parts.clock }),
    ],
  };
};
