/** Tells the server which pages were reached, each once, while the reader goes on reading. */
export interface PageMarks {
  readonly reach: (page: number) => void;
  /** Once every page is marked; what failed on the way is tried again. Throws what the last try threw. */
  readonly settle: () => Promise<void>;
}

/** Sends each page once; one whose call failed is sent again by `settle`. */
export const createPageMarks = (mark: (page: number) => Promise<unknown>): PageMarks => {
  const underWay = new Map<number, Promise<unknown>>();
  const failed = new Set<number>();

  const send = async (page: number): Promise<void> => {
    try {
      await mark(page);
    } catch {
      failed.add(page);
    } finally {
      underWay.delete(page);
    }
  };

  return {
    reach(page) {
      if (!underWay.has(page)) underWay.set(page, send(page));
    },
    async settle() {
      await Promise.all(underWay.values());
      const again = [...failed];
      await Promise.all(again.map((page) => mark(page)));
      failed.clear();
    },
  };
};
