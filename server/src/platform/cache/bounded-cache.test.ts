import { expect, test } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

test('a bounded cache evicts what was used least recently', () => {
  const cache = createBoundedCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(Object.fromEntries(cache.entries())).toEqual({ a: 1, c: 3 });
});
