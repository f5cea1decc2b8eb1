import type { Count } from './search.store.ts';

/** Lists remembered per process; more are forgotten, the longest unused first. */
const maxRemembered = 20_000;

/** Exact totals, counted once and remembered until something is delivered to one of the client's principals: until their revision changes. */
export interface Totals {
  /** Undefined when it has to be counted (again). Without a revision: also what may have changed since. */
  peek(key: string, revision?: string): (Count & { readonly revision: string }) | undefined;
  remember(key: string, count: Count & { readonly revision: string }): void;
}

export const createTotals = (): Totals => {
  const remembered = new Map<string, Count & { readonly revision: string }>();
  return {
    peek(key, revision) {
      const known = remembered.get(key);
      if (known === undefined || (revision !== undefined && known.revision !== revision)) return undefined;
      remembered.delete(key);
      remembered.set(key, known);
      return known;
    },
    remember(key, count) {
      remembered.delete(key);
      remembered.set(key, count);
      if (remembered.size <= maxRemembered) return;
      const [oldest] = remembered.keys();
      if (oldest !== undefined) remembered.delete(oldest);
    },
  };
};
