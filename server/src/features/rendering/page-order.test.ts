import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPageOrder, type PageOrder } from './page-order.ts';

const pages = Array.from({ length: 10 }, (_, index) => index + 1);
const rest = (order: PageOrder): number[] => {
  const taken = [];
  for (let page = order.next(); page !== undefined; page = order.next()) taken.push(page);
  return taken;
};

test('a document that is opened is drawn from its beginning', () => {
  expect(rest(createPageOrder(pages))).toEqual(pages);
});

test('the first page comes first, then what is around the page that is looked at', () => {
  expect(rest(createPageOrder(pages, 7))).toEqual([1, 7, 8, 6, 9, 5, 10, 4, 3, 2]);
});

test('whoever turns to another page finds it drawn next, and no page is drawn twice', () => {
  const order = createPageOrder(pages);
  expect([order.next(), order.next(), order.next()]).toEqual([1, 2, 3]);
  order.lookAt(9);
  expect([order.next(), order.next()]).toEqual([9, 10]);
  order.lookAt(2);
  expect(rest(order)).toEqual([4, 5, 6, 7, 8]);
});

test('pages that are there already are left out', () => {
  expect(rest(createPageOrder([2, 5, 6], 6))).toEqual([6, 5, 2]);
  expect(rest(createPageOrder([]))).toEqual([]);
});

test('a page that the document does not have is looked at as its last one', () => {
  const order = createPageOrder(pages);
  order.lookAt(99);
  expect(rest(order)).toEqual([1, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});

test('a document that gave way while its end was looked at goes on with its beginning', () => {
  expect(rest(createPageOrder([1, 2, 3], 39))).toEqual([1, 3, 2]);
  expect(rest(createPageOrder([3], 39))).toEqual([3]);
});

test('wherever anybody looks, and turns meanwhile, every missing page is drawn, once', () => {
  const page = fc.integer({ min: -2, max: 60 });
  const missing = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 50 });
  fc.assert(
    fc.property(missing, fc.option(page, { nil: undefined }), fc.array(fc.option(page)), (pagesLeft, lookedAt, turned) => {
      const order = createPageOrder(pagesLeft, lookedAt);
      const taken: number[] = [];
      for (const turn of turned) {
        const next = order.next();
        if (next !== undefined) taken.push(next);
        if (turn !== null) order.lookAt(turn);
      }
      taken.push(...rest(order));
      expect(taken.toSorted((one, other) => one - other)).toEqual(pagesLeft.toSorted((one, other) => one - other));
    }),
  );
});
