import type { DocumentQuery, DocumentRow } from '@pergamin/contract';
import { documentRowOf, type Metadata } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { QueryPool } from '#platform/database/read-pool.ts';
import { createDayOf } from './days.ts';
import { readListQuery } from './list-query.ts';
import { prepareList } from './lists.store.ts';
import { sortTerms } from './order.ts';
import { withTimeLimit } from './time-limit.ts';

export interface DocumentListParts {
  readonly pool: QueryPool;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly settings: { readonly timeZone: string };
}

/** Documents delivered to the caller, and how many there are. Criteria can only narrow what was delivered, never widen it. */
export type Lists = ReturnType<typeof createLists>;

export const createLists = ({ pool, metadata, settings }: DocumentListParts) => {
  const dayOf = createDayOf(settings.timeZone);
  return {
    /** Throws VALIDATION_ERROR, INVALID_DATE_RANGE. */
    async list(caller: ClientCaller, asked: DocumentQuery): Promise<{ items: DocumentRow[]; total: number }> {
      const definitions = await metadata.definitions();
      const query = readListQuery(asked, { definitions, reader: caller, dayOf });
      const list = prepareList(pool, { query, sort: sortTerms(asked.sort, { definitions }), reader: caller });
      const offset = asked.page * asked.size;
      const { rows, total } = await list.readPage({ offset, size: asked.size });
      // A page that is not full gives the total without a count.
      const isLast = rows.length < asked.size && (rows.length > 0 || offset === 0);
      return {
        items: rows.map((row) => documentRowOf(row, definitions, caller)),
        total: isLast ? offset + rows.length : (total ?? (await list.count())),
      };
    },
  };
};

/**
 * The ids of all documents of a search in its order, without paging: read in one snapshot, so that a list that changes is neither doubled nor
 * cut. Throws VALIDATION_ERROR when there are more than `maxIds`, CALL_NOT_PERMITTED when it takes too long, and what the list throws.
 */
export type ListIds = (caller: ClientCaller, query: DocumentQuery, maxIds: number) => Promise<string[]>;

export const createListIds =
  (lists: Pick<Lists, 'list'>): ListIds =>
  async (caller, query, maxIds) => {
    // Many rows are read only when it is known that there are not too many.
    const { total } = await withTimeLimit(lists.list(caller, { ...query, page: 0, size: 1 }));
    if (total > maxIds) throw invalidField('query', `finds ${total} documents, and at most ${maxIds} are exported`);
    const { items } = await withTimeLimit(lists.list(caller, { ...query, page: 0, size: maxIds }));
    return items.map(({ id }) => id);
  };
