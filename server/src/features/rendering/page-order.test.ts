import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPage } from './page-order.ts';

const pages = Array.from({ length: 10 }, (_, index) => index + 1);

/** In the order of drawing, while the viewer stays at a page. */
const orderOf = (missing: readonly number[], viewed = 1): number[] => {
  const left = new Set(missing);
  const taken = [];
  for (let page = nextPage(left, viewed); page !== undefined; page = nextPage(left, viewed)) {
    left.delete(page);
    taken.push(page);
  }
  return taken;
};

test('a document that is opened is drawn from its beginning', () => {
  expect(orderOf(pages)).toEqual(pages);
});

test('what is around the page that is viewed comes first, wherever that is', () => {
  expect(orderOf(pages, 7)).toEqual([7, 8, 6, 9, 5, 10, 4, 3, 2, 1]);
});

test('the page in the viewport is rendered next', () => {
  expect(nextPage(new Set([4, 5, 6, 7, 8, 9, 10]), 9)).toBe(9);
  expect(nextPage(new Set([4, 5, 6, 7, 8]), 2)).toBe(4);
});

test('pages that are there already are left out', () => {
  expect(orderOf([2, 5, 6], 6)).toEqual([6, 5, 2]);
  expect(orderOf([])).toEqual([]);
});

test('behind the end of the document the last pages are nearest', () => {
  expect(orderOf(pages, 99)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(orderOf([1, 2, 3], 39)).toEqual([3, 2, 1]);
});

test('wherever anybody looks, every missing page is drawn, once', () => {
  const missing = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 50 });
  fc.assert(
    fc.property(missing, fc.integer({ min: -2, max: 60 }), (left, viewed) => {
      const ascending = (one: number, other: number): number => one - other;
      expect(orderOf(left, viewed).toSorted(ascending)).toEqual(left.toSorted(ascending));
    }),
  );
});
