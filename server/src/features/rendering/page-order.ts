/** In which order the missing pages of a document are drawn. */
export interface PageOrder {
  /** Undefined when none is missing any more. */
  next(): number | undefined;
  /** What is near to this page is drawn next. */
  lookAt(page: number): void;
}

/** The first page first, then those nearest to the page that is looked at, the next one before the one before it. */
export function createPageOrder(missing: readonly number[], lookedAt?: number): PageOrder {
  const left = new Set(missing);
  const last = missing.reduce((most, page) => Math.max(most, page), 0);
  // One that is there already may lie beyond the last missing one: from its own place not all of these would be reached.
  const within = (page: number): number => Math.min(Math.max(page, 1), last);
  let looked = within(lookedAt ?? 1);
  /** How far everything around the page that is looked at has been taken. */
  let reach = 0;

  const take = (page: number): number | undefined => (left.delete(page) ? page : undefined);

  return {
    next() {
      const first = take(1);
      if (first !== undefined || left.size === 0) return first;
      for (; reach <= last; reach++) {
        const found = take(looked + reach) ?? take(looked - reach);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    lookAt(page) {
      const next = within(page);
      if (next === looked) return;
      looked = next;
      reach = 0;
    },
  };
}
