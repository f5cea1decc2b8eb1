import { calls } from '@pergamin/contract';
import type { Pool } from 'pg';
import { route, type Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { createMakeBlocks } from './blocks.service.ts';
import { blocksJob, createDocumentListService, type DocumentListParts } from './document-lists.service.ts';
import { inTime } from './in-time.ts';
import { createListIds, type ListIds } from './list-ids.ts';
import { createListValues } from './own-values.service.ts';
import { publicListRoutes } from './public-lists.routes.ts';

export { createMakeBlocks } from './blocks.service.ts';
export type { ListIds } from './list-ids.ts';
export { inTime } from './in-time.ts';
export { documentRowOf } from './document-lists.service.ts';
export { markColumns, rowColumns, type ListedRow } from './lists.store.ts';

/** The lists of documents that a client sees, and what other rooms may ask them. */
export interface DocumentListRoom {
  readonly routes: readonly Route[];
  readonly listIds: ListIds;
  readonly jobs: JobHandlers;
}

export const createDocumentLists = (parts: DocumentListParts & { readonly pool: Pool }): DocumentListRoom => {
  const lists = createDocumentListService(parts);
  const listValues = createListValues(parts);
  return {
    routes: [
      route(calls.listOwnDocuments, ({ caller, body }) => inTime(lists.list(caller, body))),
      route(calls.listOwnValues, ({ caller, body }) => inTime(listValues(caller, body))),
      ...publicListRoutes(lists),
    ],
    listIds: createListIds(lists),
    jobs: { [blocksJob]: createMakeBlocks(parts.pool) },
  };
};
