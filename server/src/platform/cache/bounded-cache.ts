import { LRUCache } from 'lru-cache';

/**
 * Keeps at most `maxEntries`, evicting the least recently used; with `ttl` (ms) each for so long. lru-cache's own `max` would allocate room for all
 * of them at each start.
 */
export const createBoundedCache = <Value extends object | number | true>(
  maxEntries: number,
  options: { readonly ttl?: number } = {},
): LRUCache<string, Value> => new LRUCache<string, Value>({ maxSize: maxEntries, sizeCalculation: () => 1, ...options });
