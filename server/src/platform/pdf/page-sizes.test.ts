import { expect, test } from 'vitest';
import { packPageSizes, unpackPageSizes } from './page-sizes.ts';

test('pages that are all alike are kept as one size, and told one by one', () => {
  const a4 = { width: 595, height: 842 };
  const a5 = { width: 420, height: 595 };
  expect(packPageSizes([a4, { ...a4 }, { ...a4 }])).toEqual([a4]);
  expect(unpackPageSizes([a4], 3)).toEqual([a4, a4, a4]);
  expect(unpackPageSizes(packPageSizes([a4, a5]), 2)).toEqual([a4, a5]);
});
