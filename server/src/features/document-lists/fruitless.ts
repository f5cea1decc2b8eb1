const maxRemembered = 5_000;

/**
 * For what it is of no use to ask the blocks, as long as the revision stays: that a word is in most of them, or that there are none. Nothing
 * depends on it but how long a search takes.
 */
export interface Fruitless {
  has(key: string): boolean;
  add(key: string): void;
}

export const createFruitless = (): Fruitless => {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      // Now and then all of them are tried again.
      if (keys.size >= maxRemembered) keys.clear();
      keys.add(key);
    },
  };
};
