import { documentSearchRoutes } from './document-search.routes.ts';
import { createTextReading, type TextParts } from './document-texts.ts';
import { createSearch, type SearchParts } from './search.service.ts';

/** The search of one's own documents by what is written in them. */
export const createDocumentSearch = (parts: SearchParts & TextParts) => ({
  routes: documentSearchRoutes(createSearch(parts)),
  /** `document-search:read`, to be run every minute. */
  jobs: { 'document-search:read': createTextReading(parts) },
});
