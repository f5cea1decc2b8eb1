import { createFairQueue } from '#platform/http/fair-queue.ts';
import type { Log } from '#platform/log/log.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';
import type { PageDrawing } from './page-drawing.ts';
import { isFinal, isOfPage } from './page-failures.ts';
import { nextPage } from './page-order.ts';
import { idOf, type RenderableObject } from './source-copies.ts';

interface Parts {
  readonly pages: Pick<PageDrawing, 'draw' | 'failures'>;
  readonly renditions: Pick<Renditions, 'listPages'>;
  readonly log: Log;
}

interface Wanted {
  readonly width: number;
  readonly page?: number | undefined;
  readonly client?: string;
}

interface Prefetch {
  viewed: number;
  readonly client: string;
  done: Promise<void>;
}

/** Each document needs a copy of its file, so the concurrency is low: one document of each client at a time. */
const limits = { atOnce: 3, perCaller: 1, countsForMs: 60_000 };
/** A document all of whose pages are too slow would keep a place for hours: after so many of them the next poll goes on. */
const maxLostPages = 3;

export const pagesOf = ({ pages }: RenderableObject): number[] => Array.from({ length: pages }, (_, index) => index + 1);

/** Draws the missing pages of documents in the background, those around the viewed page first. */
export const createPrefetching = ({ pages: { draw, failures }, renditions, log }: Parts) => {
  const prefetching = new Map<string, Prefetch>();
  const queue = createFairQueue(limits);
  const closing = new AbortController();

  const drawMissing = async (object: RenderableObject, width: number, wanted: Omit<Prefetch, 'done'>): Promise<void> => {
    if (closing.signal.aborted) return;
    const set = { sha256: object.sha256, width };
    const present = await renditions.listPages(set);
    const missing = new Set(pagesOf(object).filter((page) => !present.has(page)));
    for (const { page } of failures.listPages(set)) missing.delete(page);
    let lostPages = 0;
    const goOnAfter = (error: unknown): void => {
      if (isOfPage(error) && (isFinal(error) || ++lostPages < maxLostPages)) return;
      missing.clear();
      throw error;
    };
    const drawOneByOne = async (): Promise<void> => {
      for (
        let page = nextPage(missing, wanted.viewed);
        page !== undefined && !closing.signal.aborted;
        page = nextPage(missing, wanted.viewed)
      ) {
        missing.delete(page);
        await draw(object, { width, page }, { priority: 'prefetch', client: wanted.client }).catch(goOnAfter);
      }
    };
    // Two at once: a thread renders while the image before it is stored, and the copy of the document stays.
    await Promise.all([drawOneByOne(), drawOneByOne()]);
  };

  /** Never rejects: `draw` remembers what fails. */
  const prefetch = (object: RenderableObject, { width, page = 1, client = '' }: Wanted): Promise<void> => {
    const id = idOf({ sha256: object.sha256, width });
    const present = prefetching.get(id);
    if (present !== undefined) {
      present.viewed = page;
      return present.done;
    }
    const own: Prefetch = { viewed: page, client, done: Promise.resolve() };
    own.done = queue
      .pass(client, () => drawMissing(object, width, own))
      .catch((error: unknown) => log.info({ err: error, sha256: object.sha256, width }, 'prefetching a document ended early'))
      .finally(() => prefetching.delete(id));
    prefetching.set(id, own);
    return own.done;
  };

  return {
    prefetch,
    async close(): Promise<void> {
      closing.abort();
      await Promise.all([...prefetching.values()].map(({ done }) => done));
    },
  };
};
