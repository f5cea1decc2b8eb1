import type { AnswerOf, BodyOf, calls } from '@pergamin/contract';
import { listPrincipals } from '#features/deliveries/deliveries.door.ts';
import { withTimeLimit } from '#features/document-lists/document-lists.door.ts';
import { documentRowOf, type Metadata } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { QueryPool } from '#platform/database/read-pool.ts';
import { countTexts, searchTexts, type FoundRow } from './search.store.ts';
import { countTerms, fragmentOf, termsOf, tsqueryOf, type Term } from './words.rules.ts';

export interface SearchParts {
  readonly pool: QueryPool;
  readonly metadata: Pick<Metadata, 'definitions'>;
}

type Call = typeof calls.searchOwnDocuments;

/** The caller's own documents by what is written in them. Throws CALL_NOT_PERMITTED when it takes too long. */
export type Search = (caller: ClientCaller, query: BodyOf<Call>) => Promise<AnswerOf<Call>>;

export const createSearch =
  ({ pool, metadata }: SearchParts): Search =>
  async (caller, { text, page, size }) => {
    const terms = termsOf(text);
    if (terms.length === 0) return { items: [], total: 0 };
    const principals = await listPrincipals(pool, caller);
    const asked = { principals, personalId: caller.personalId, tsquery: tsqueryOf(terms), offset: page * size, size };
    const { rows, total } = await withTimeLimit(searchTexts(pool, asked));
    const definitions = await metadata.definitions();
    const items = [...Map.groupBy(rows, ({ id }) => id).values()].map((pages) => {
      const row = bestPage(pages, terms);
      return { document: documentRowOf(row, definitions, caller), page: row.page, fragment: fragmentOf(row.text, terms) };
    });
    return { items, total: rows.length === 0 && page > 0 ? await withTimeLimit(countTexts(pool, asked)) : total };
  };

/** Of the pages of one document that were looked through, the first of those with most of the words. */
const bestPage = (pages: readonly FoundRow[], terms: readonly Term[]): FoundRow =>
  pages.reduce((best, page) => (countTerms(page.text, terms) > countTerms(best.text, terms) ? page : best));
