import { viewerLimits } from '@pergamin/contract';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { BatchJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import type { Rendition, Renditions } from '#platform/renditions/renditions.ts';
import { createFirstPages, firstPageJob } from './first-pages.ts';
import { createPageDrawing, type PageDrawing } from './page-drawing.ts';
import { type FailedPage, isFinal } from './page-failures.ts';
import { createPageTexts } from './page-texts.ts';
import { createPrefetching, pagesOf } from './prefetching.ts';
import { createSourceCopies, isOfDocument, type RenderableObject } from './source-copies.ts';
import { createSweeping } from './sweeping.ts';

export type { RenderableObject } from './source-copies.ts';

export interface View {
  readonly width: number;
  readonly page?: number | undefined;
  /** Clients share the threads fairly. Left out: one client for all. */
  readonly client?: string;
}

export interface RenderProgress {
  /** Each page can be opened or has failed. */
  readonly done: boolean;
  /** Pages that can be opened, in their order. */
  readonly pagesReady: readonly number[];
  /** Pages that could not be drawn, in their order. A request for one that may succeed tries again. */
  readonly pagesFailed: readonly FailedPage[];
  /** Nothing of the document can be drawn. A request made a minute or two later tries again. Pages that only took too long are no failure. */
  readonly failed: boolean;
  /** It failed for a store or disk, not for the document. */
  readonly isStoreAtFault?: true;
}

/**
 * Page images of stored PDFs. Without authorisation: callers authorise first, then ask by content hash.
 * Widths are those of the contract's `viewerLimits.renderWidthsPx`; any other throws RangeError.
 */
export type Rendering = ReturnType<typeof createRendering>;

export interface RenderingParts {
  readonly objects: Pick<Objects, 'open'>;
  readonly pdf: Pick<PdfPool, 'drawPage' | 'raise' | 'readLines'>;
  readonly renditions: Renditions;
  readonly jobs: Pick<BatchJobs, 'addAll'>;
  readonly log: Log;
}

export function createRendering({ objects, pdf, renditions, jobs, log }: RenderingParts) {
  const withCopy = createSourceCopies({ objects, renditions });
  const { sweep, sweepIfDue, settled } = createSweeping({ renditions, log });
  const pages = createPageDrawing({ withCopy, pdf, renditions, onDrawn: sweepIfDue, log });
  const prefetching = createPrefetching({ pages, renditions, log });
  const texts = createPageTexts({ withCopy, pdf, renditions, log });
  const firstPages = createFirstPages({ withCopy, pdf, renditions, jobs, onDrawn: sweepIfDue, log });
  return {
    /** Draws all pages in the background, with the lowest priority. A process that ends leaves the rest to the next request. */
    prefetch(object: RenderableObject, width: number): void {
      requireKnownWidth(width);
      void prefetching.prefetch(object, { width });
    },
    /**
     * Answers from what there is. Draws the viewed page (left out: the first one), or when it is there the page after it, for the person who waits,
     * and prefetches the others; waits for the viewed page up to `waitMs`, and a moment longer when few others are missing.
     */
    poll: createPoll({ renditions, pages, prefetch: prefetching.prefetch }),
    /** Draws the page when it is not stored. Undefined when it cannot be drawn. Throws STORAGE_ERROR when a store or disk is at fault. */
    openPage: createOpenPage({ renditions, pages }),
    /** The stored page, if there is one. Draws nothing. */
    openDrawn: (
      { sha256 }: Pick<RenderableObject, 'sha256'>,
      { width, page }: { width: number; page: number },
    ): Promise<Rendition | undefined> => renditions.open({ sha256, width, page }),
    /** What a page says and where. Throws as `createPageTexts` says. */
    readPageText: texts.read,
    /** Removes images and texts of contents that no document has any more. */
    async forget(sha256s: readonly string[]): Promise<void> {
      for (const sha256 of sha256s) await renditions.remove(sha256);
    },
    /** Adds a job that draws the first page, with the transaction that publishes the object. */
    prepare: firstPages.prepare,
    /** Stops prefetching and resolves when nothing is written to disk any more. To be called after the threads are closed. Never rejects. */
    async close(): Promise<void> {
      await prefetching.close();
      await pages.settled();
      await texts.settled();
      await settled();
    },
    /** To be registered with the job runner; `renditions:sweep` is to be run now and then. */
    jobs: { [firstPageJob]: firstPages.draw, 'renditions:sweep': sweep },
  };
}

interface OpenPageParts {
  readonly renditions: Pick<Renditions, 'open'>;
  readonly pages: Pick<PageDrawing, 'draw' | 'failures'>;
}

const createOpenPage =
  ({ renditions, pages: { draw, failures } }: OpenPageParts) =>
  async (object: RenderableObject, { width, page, client }: View & { readonly page: number }): Promise<Rendition | undefined> => {
    requireKnownWidth(width);
    if (page > object.pages) return undefined;
    const key = { sha256: object.sha256, width, page };
    const stored = await renditions.open(key);
    if (stored !== undefined) return stored;
    try {
      const failure = failures.findOfDocument(key);
      if (failure !== undefined) throw failure.error;
      const reason = failures.findOfPage(key);
      if (isFinal(reason)) throw reason;
      await draw(object, key, { priority: 'waiting', client });
    } catch (error) {
      if (isStorageFault(error)) throw new PortalError('STORAGE_ERROR', { cause: error });
      if (isOfDocument(error)) return undefined;
      throw error;
    }
    return renditions.open(key);
  };

interface PollParts {
  readonly renditions: Pick<Renditions, 'listPages'>;
  readonly pages: Pick<PageDrawing, 'draw' | 'failures'>;
  readonly prefetch: (object: RenderableObject, view: View) => Promise<void>;
}

const createPoll = ({ renditions, pages, prefetch }: PollParts) => {
  const progressOf = async (object: RenderableObject, width: number): Promise<RenderProgress> => {
    const set = { sha256: object.sha256, width };
    const present = await renditions.listPages(set);
    const pagesReady = pagesOf(object).filter((page) => present.has(page));
    const pagesFailed = pages.failures.listPages(set).filter(({ page }) => !present.has(page));
    const progress = { done: pagesReady.length + pagesFailed.length === object.pages, failed: false, pagesReady, pagesFailed };
    if (pagesReady.length === object.pages) return progress;
    const failure = pages.failures.findOfDocument(set);
    if (failure !== undefined)
      return { ...progress, done: false, failed: true, ...(isStorageFault(failure.error) ? { isStoreAtFault: true } : {}) };
    // One of which another attempt may succeed is offered to the reader, also where there is no other page.
    const isHopeless = pagesFailed.length === object.pages && pagesFailed.every((failed) => failed.isFinal);
    return isHopeless ? { ...progress, done: false, failed: true } : progress;
  };

  return async (object: RenderableObject, { waitMs, ...view }: View & { readonly waitMs: number }): Promise<RenderProgress> => {
    const { width, client } = view;
    requireKnownWidth(width);
    const before = await progressOf(object, width);
    if (before.done || before.failed) return before;
    const page = view.page !== undefined && view.page <= object.pages ? view.page : 1;
    const startedAtMs = performance.now();
    const known = new Set([...before.pagesReady, ...before.pagesFailed.map((failed) => failed.page)]);
    // Below the viewed page the reader sees the beginning of the next one, and turns to it.
    const awaited = [page, page + 1].find((each) => each <= object.pages && !known.has(each));
    const drawn = awaited === undefined ? undefined : pages.draw(object, { width, page: awaited }, { priority: 'waiting', client });
    // Its failure is remembered by `draw`.
    drawn?.catch(() => undefined);
    const all = prefetch(object, { ...view, page });
    if (drawn !== undefined && awaited === page) await settledWithin(drawn, waitMs);
    const restMs = Math.min(graceMs, waitMs - (performance.now() - startedAtMs));
    if (object.pages - known.size <= fewPages && restMs > 0) await settledWithin(all, restMs);
    return progressOf(object, width);
  };
};

/** After the viewed page: so few others are drawn in it. */
const graceMs = 150;
const fewPages = 4;

function requireKnownWidth(width: number): void {
  if (!viewerLimits.renderWidthsPx.some((known) => known === width)) throw new RangeError(`pages are not rendered ${width} pixels wide`);
}

/** Waits for the end of `work`, good or bad, but not longer. */
async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  work.then(resolve, () => resolve());
  await promise;
  clearTimeout(timer);
}
