import { type DocumentRow, listOwnDocuments, listPublicDocuments } from '@pergamin/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { findDocumentRow, markDamagedRow, newsOfCheck } from './document-rows.ts';

const rowOf = (id: string): DocumentRow => ({
  id,
  state: 'ACTIVE',
  metadata: { FILE_NAME: `${id}.pdf` },
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
});

const cacheWithLists = (): QueryClient => {
  const queries = new QueryClient();
  queries.setQueryData([listOwnDocuments.name, 'received'], { items: [rowOf('a'), rowOf('b')], total: 2 });
  queries.setQueryData([listOwnDocuments.name, 'newest'], { items: [rowOf('b')], total: 1 });
  queries.setQueryData([listPublicDocuments.name, {}], { items: [rowOf('c')], total: 1 });
  return queries;
};

test('the row of a document is found in any list that was fetched, and in none that was not', () => {
  const queries = cacheWithLists();
  expect(['a', 'c', 'd'].map((id) => findDocumentRow(queries, id)?.id)).toEqual(['a', 'c', undefined]);
});

test('a damaged document is marked in every list that shows it; other rows and lists stay as they are', () => {
  const queries = cacheWithLists();
  const dataOf = (...key: readonly unknown[]) => queries.getQueryData<{ readonly items: readonly DocumentRow[] }>(key);
  const others = dataOf(listPublicDocuments.name, {});
  markDamagedRow(queries, 'b');
  expect(dataOf(listOwnDocuments.name, 'received')).toEqual({ items: [rowOf('a'), { ...rowOf('b'), corrupted: true }], total: 2 });
  expect(dataOf(listOwnDocuments.name, 'newest')?.items.map(({ corrupted }) => corrupted)).toEqual([true]);
  expect(dataOf(listPublicDocuments.name, {})).toBe(others);
});

test('a check that finds other bytes tells lists of damage; one that finds another owner, or nothing wrong, has them read again', () => {
  const told = (['SHA_NOT_EQUAL', 'SHA_CIF_NOK', 'CIF_NOT_EQUAL', 'SHA_CIF_OK', 'DOCUMENT_NOT_EXIST'] as const).map((status) =>
    newsOfCheck({ status, differences: [] }),
  );
  expect(told).toEqual(['documentDamaged', 'documentDamaged', 'documentUpdated', 'documentUpdated', 'documentUpdated']);
  expect(newsOfCheck({ status: 'SHA_CIF_NOK', differences: ['TIME'] })).toBe('documentUpdated');
});
