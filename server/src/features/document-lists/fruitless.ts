import type { Whereabouts } from './spans.ts';

const maxRemembered = 5_000;

/**
 * For what it is of no use to ask the blocks again, as long as the revision stays: that a word is in most of them, or that there are none, and of
 * two words that stand for the same where the other can be. Nothing depends on it but how long a search takes.
 */
export interface Fruitless {
  find(key: string): ReadonlyMap<string, Whereabouts> | undefined;
  add(key: string, whereabouts: ReadonlyMap<string, Whereabouts>): void;
}

export const createFruitless = (): Fruitless => {
  const remembered = new Map<string, ReadonlyMap<string, Whereabouts>>();
  return {
    find: (key) => remembered.get(key),
    add(key, whereabouts) {
      // Now and then all of them are tried again.
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(key, whereabouts);
    },
  };
};
