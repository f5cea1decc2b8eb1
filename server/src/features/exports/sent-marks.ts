import type { Log } from '#platform/log/log.ts';

/** The size of the buffers between an archive and the network: earlier bytes were sent. */
const inFlightBytes = 256 * 1_024;
const marksAtOnce = 50;

export type SentMarks = ReturnType<typeof createSentMarks>;

/** Marks documents of an archive in batches once their bytes were sent: a reader who leaves in the middle has the ones before marked. */
export const createSentMarks = (mark: (ids: readonly string[]) => Promise<void>, log: Log) => {
  const waiting: { readonly id: string; readonly endsAt: number }[] = [];
  let takenBytes = 0;

  const markUntil = async (bytes: number, minCount: number): Promise<void> => {
    const gone = waiting.findIndex(({ endsAt }) => endsAt > bytes);
    const count = gone === -1 ? waiting.length : gone;
    if (count < minCount) return;
    const ids = waiting.splice(0, count).map(({ id }) => id);
    try {
      await mark(ids);
    } catch (error) {
      // The bytes are right and on their way; a missing mark only keeps the rows bold.
      log.error({ err: error, documents: ids.length }, 'downloads could not be marked');
    }
  };

  return {
    /** The last byte of this document was given out. */
    ended(id: string): void {
      waiting.push({ id, endsAt: takenBytes + inFlightBytes });
    },
    /** The reader came back for more after so many bytes. */
    async taken(bytes: number): Promise<void> {
      takenBytes += bytes;
      await markUntil(takenBytes, marksAtOnce);
    },
    /** The reader has everything but the very end. */
    takenAll: (): Promise<void> => markUntil(Number.POSITIVE_INFINITY, 1),
    /** The reader left or is done: what has surely gone out is marked. */
    close: (): Promise<void> => markUntil(takenBytes, 1),
  };
};
