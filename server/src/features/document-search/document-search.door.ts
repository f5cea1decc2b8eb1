import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { documentSearchRoutes } from './document-search.routes.ts';
import { createTextReading, type TextParts } from './document-texts.ts';
import { createSearch, type SearchParts } from './search.service.ts';

export interface DocumentSearch {
  readonly routes: readonly Route[];
  /** `document-search:read`, to be run every minute. */
  readonly jobs: JobHandlers;
}

/** The search of one's own documents by what is written in them. */
export const createDocumentSearch = (parts: SearchParts & TextParts): DocumentSearch => ({
  routes: documentSearchRoutes(createSearch(parts)),
  jobs: { 'document-search:read': createTextReading(parts) },
});
