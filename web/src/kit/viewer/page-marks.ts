export type PageMarks = ReturnType<typeof createPageMarks>;

/** What a call that marks a page of this document is asked. */
export const pageMark = (id: string, page: number, isShown: boolean) => ({
  params: { id, page: String(page) },
  ...(isShown ? {} : { query: { shown: 'false' as const } }),
});

export type MarkPage = (page: number, isShown: boolean) => Promise<unknown>;

/** Tells the server which pages were reached, while the reader goes on reading: marks of a page one after another. */
export const createPageMarks = (mark: MarkPage = async () => undefined) => {
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
    /** `isShown`: false when the viewer said in its place that the page cannot be shown. */
    reach: (page: number, isShown = true): void => void underWay.set(page, send(page, isShown)),
    /** Once every page is marked; what failed on the way is tried again. Throws what the last try threw. */
    settle: async (): Promise<void> => {
      await Promise.all(underWay.values());
      await Promise.all([...failed].map(([page, isShown]) => mark(page, isShown)));
      failed.clear();
    },
  };
};
