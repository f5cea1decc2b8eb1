/** Tells the server which pages were reached, while the reader goes on reading. */
export interface PageMarks {
  /** `isShown`: false when the viewer said in its place that the page cannot be shown. */
  readonly reach: (page: number, isShown?: boolean) => void;
  /** Once every page is marked; what failed on the way is tried again. Throws what the last try threw. */
  readonly settle: () => Promise<void>;
}

/** What a call that marks a page of this document is asked. */
export const pageMark = (id: string, page: number, isShown: boolean) => ({
  params: { id, page: String(page) },
  ...(isShown ? {} : { query: { shown: 'false' as const } }),
});

export type MarkPage = (page: number, isShown: boolean) => Promise<unknown>;

/** Sends marks of a page one after another; one whose call failed is sent again by `settle`. */
export const createPageMarks = (mark: MarkPage = async () => undefined): PageMarks => {
  const underWay = new Map<number, Promise<unknown>>();
  const failed = new Map<number, boolean>();

  const send = async (page: number, isShown: boolean): Promise<void> => {
    await underWay.get(page);
    try {
      await mark(page, isShown);
      failed.delete(page);
    } catch {
      failed.set(page, isShown);
    }
  };

  return {
    reach(page, isShown = true) {
      underWay.set(page, send(page, isShown));
    },
    async settle() {
      await Promise.all(underWay.values());
      await Promise.all([...failed].map(([page, isShown]) => mark(page, isShown)));
      failed.clear();
    },
  };
};
