import type { Route } from '#platform/http/route.ts';
import { documentListRoutes } from './document-lists.routes.ts';
import { createListIds, createLists, type DocumentListParts, type ListIds } from './document-lists.service.ts';
import { createListValues } from './own-values.service.ts';

export type { ListIds } from './document-lists.service.ts';
export { markColumns, rowColumns } from './lists.store.ts';
export { withTimeLimit } from './time-limit.ts';

/** The lists of documents of a client, and their use by other rooms. */
export interface DocumentLists {
  readonly routes: readonly Route[];
  readonly listIds: ListIds;
}

/** Lists of received and public documents and the values of their columns. `listIds` serves exports with the same query, in the same order. */
export const createDocumentLists = (parts: DocumentListParts): DocumentLists => {
  const lists = createLists(parts);
  return { routes: documentListRoutes({ lists, listValues: createListValues(parts) }), listIds: createListIds(lists) };
};
