import { type CheckedPart, type CheckStatus, type DocumentRow, listOwnDocuments, listPublicDocuments } from '@pergamin/contract';
import type { QueryClient } from '@tanstack/react-query';

interface Rows {
  readonly items?: readonly DocumentRow[];
}

const lists = [listOwnDocuments.name, listPublicDocuments.name];

/** The row of a document in a list that was fetched here: what is known of it before it is opened. */
export const findDocumentRow = (queries: QueryClient, id: string): DocumentRow | undefined =>
  lists
    .flatMap((name) => queries.getQueriesData<Rows>({ queryKey: [name] }))
    .flatMap(([, rows]) => rows?.items ?? [])
    .find((row) => row.id === id);

/** What lists are told after a check: of a damaged file, or to be read again. A wrong owner is no damage of the file, nor is a wrong date or name. */
export const newsOfCheck = ({
  status,
  differences = [],
}: {
  readonly status: CheckStatus;
  readonly differences?: readonly CheckedPart[] | undefined;
}): 'documentDamaged' | 'documentUpdated' =>
  status === 'SHA_NOT_EQUAL' || (status === 'SHA_CIF_NOK' && differences.length === 0) ? 'documentDamaged' : 'documentUpdated';

/** Marks the rows of a document as damaged in every list that was fetched here, until the lists are read again. */
export const markDamagedRow = (queries: QueryClient, id: string): void => {
  for (const name of lists)
    queries.setQueriesData<Rows>({ queryKey: [name] }, (rows) =>
      rows?.items?.some((row) => row.id === id) === true
        ? { ...rows, items: rows.items.map((row) => (row.id === id ? { ...row, corrupted: true } : row)) }
        : rows,
    );
};
