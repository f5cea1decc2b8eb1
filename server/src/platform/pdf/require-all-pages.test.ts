import { expect, test } from 'vitest';
import { missingPages } from './require-all-pages.ts';

test.each([
  [1, [], '1'],
  [1, [1], ''],
  [3, [], '1-3'],
  [3, [2], '1, 3'],
  [3, [3, 1, 2], ''],
  [9, [4, 8], '1-3, 5-7, 9'],
  [9, [1, 9], '2-8'],
  // Of a page that the document does not have nothing is missing, and it stands for no other.
  [2, [2, 7], '1'],
] as const)('of %i pages, of which %j were reached, these are missing: “%s”', (pageCount, pages, missing) => {
  expect(missingPages({ pageCount, pages })).toBe(missing);
});

test('a list of missing pages that would be very long ends with an ellipsis', () => {
  const pages = Array.from({ length: 5_000 }, (_, at) => 2 * at + 1);
  expect(missingPages({ pageCount: 10_000, pages })).toMatch(/^2, 4, 6,.* 200, …$/);
});
