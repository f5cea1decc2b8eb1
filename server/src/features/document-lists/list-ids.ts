import type { DocumentQuery } from '@pergamin/contract';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { DocumentLists } from './document-lists.service.ts';
import { withTimeLimit } from './time-limit.ts';

/**
 * The documents of a search in its order, whatever page it names: of one moment, so that a list that changes meanwhile is neither doubled nor
 * cut. Throws VALIDATION_ERROR when there are more than `most`, CALL_NOT_PERMITTED when it takes too long, and what the list throws.
 */
export type ListIds = (caller: ClientCaller, query: DocumentQuery, most: number) => Promise<string[]>;

export const createListIds =
  (lists: Pick<DocumentLists, 'list'>): ListIds =>
  async (caller, query, most) => {
    // Many rows are read only when it is known that there are not too many.
    const { total } = await withTimeLimit(lists.list(caller, { ...query, page: 0, size: 1 }));
    if (total > most) throw invalidField('query', `finds ${total} documents, and at most ${most} are exported`);
    const { items } = await withTimeLimit(lists.list(caller, { ...query, page: 0, size: most }));
    return items.map(({ id }) => id);
  };
