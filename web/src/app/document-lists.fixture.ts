import { documentQuery, type DocumentRow } from '@pergamin/contract';

/** What a list call answers of these documents: narrowed to the unread ones as the server does, and by nothing else. */
export const listOf = (items: readonly DocumentRow[]) => async (request: Request) => {
  const { criteria } = documentQuery.parse(await request.json());
  const found = criteria.unread === true ? items.filter(({ read }) => read === null) : items;
  return { items: found, total: found.length };
};
