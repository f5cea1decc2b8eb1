import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import { createDocumentListService, createListIds, type DocumentListParts, type ListIds } from './document-lists.service.ts';
import { createListValues } from './own-values.service.ts';
import { publicListRoutes } from './public-lists.routes.ts';
import { withTimeLimit } from './time-limit.ts';

export type { ListIds } from './document-lists.service.ts';
export { withTimeLimit } from './time-limit.ts';
export { documentRowOf } from './document-lists.service.ts';
export { markColumns, rowColumns, type ListedRow } from './lists.store.ts';

/** The lists of documents that a client sees, and what other rooms may ask them. */
export interface DocumentListRoom {
  readonly routes: readonly Route[];
  readonly listIds: ListIds;
}

export const createDocumentLists = (parts: DocumentListParts): DocumentListRoom => {
  const lists = createDocumentListService(parts);
  const listValues = createListValues(parts);
  return {
    routes: [
      route(calls.listOwnDocuments, ({ caller, body }) => withTimeLimit(lists.list(caller, body))),
      route(calls.listOwnValues, ({ caller, body }) => withTimeLimit(listValues(caller, body))),
      ...publicListRoutes(lists),
    ],
    listIds: createListIds(lists),
  };
};
