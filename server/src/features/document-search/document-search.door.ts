import { calls } from '@pergamin/contract';
import type { Pool } from 'pg';
import { listPrincipals } from '#features/deliveries/deliveries.door.ts';
import { documentRowOf, withTimeLimit } from '#features/document-lists/document-lists.door.ts';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { createTextReading, type TextParts } from './document-texts.ts';
import { countTexts, searchTexts, type FoundRow } from './search.store.ts';
import { countTerms, fragmentOf, termsOf, tsqueryOf, type Term } from './words.rules.ts';

export interface DocumentSearch {
  readonly routes: readonly Route[];
  /** `document-search:read`, to be run every minute. */
  readonly jobs: JobHandlers;
}

/** Of the pages of one document that were looked through, the first of those with most of the words. */
const bestPage = (pages: readonly FoundRow[], terms: readonly Term[]): FoundRow | undefined => {
  const [first] = pages;
  return pages.slice(1).reduce((best, page) => {
    if (best === undefined || countTerms(page.text, terms) > countTerms(best.text, terms)) return page;
    return best;
  }, first);
};

/** The search of one's own documents by what is written in them. */
export const createDocumentSearch = ({
  pool,
  metadata,
  ...parts
}: TextParts & { readonly pool: Pick<Pool, 'query'>; readonly metadata: Pick<Metadata, 'definitions'> }): DocumentSearch => ({
  routes: [
    route(calls.searchOwnDocuments, async ({ caller, body }) => {
      const terms = termsOf(body.text);
      if (terms.length === 0) return { items: [], total: 0 };
      const principals = await listPrincipals(pool, caller);
      const { personalId } = caller;
      const asked = { principals, personalId, tsquery: tsqueryOf(terms), offset: body.page * body.size, size: body.size };
      const { rows, total } = await withTimeLimit(searchTexts(pool, asked));
      const definitions = await metadata.definitions();
      const items = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((pages) => {
        const row = bestPage(pages, terms);
        if (row === undefined) return [];
        return [{ document: documentRowOf(row, definitions, caller), page: row.page, fragment: fragmentOf(row.text, terms) }];
      });
      return { items, total: rows.length === 0 && body.page > 0 ? await withTimeLimit(countTexts(pool, asked)) : total };
    }),
  ],
  jobs: { 'document-search:read': createTextReading(parts) },
});
