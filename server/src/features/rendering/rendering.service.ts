import { viewerLimits, type PageText } from '@pergamin/contract';
import type { Transaction } from 'kysely';
import * as z from 'zod';
import type { Database } from '#platform/database/schema.ts';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PortalError } from '#platform/http/errors.ts';
import { createFairQueue } from '#platform/http/fair-queue.ts';
import type { JobHandlers, Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { PdfError, PdfPoolClosed } from '#platform/pdf/pdf.errors.ts';
import type { PdfPool, TaskOptions } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Rendition, type RenditionKey, type Renditions } from '#platform/renditions/renditions.ts';
import { createPageFailures } from './page-failures.ts';
import { nextPage } from './page-order.ts';
import { createPageTexts } from './page-texts.ts';
import { createSourceCopies, ObjectAltered, type RenderableObject } from './source-copies.ts';

export type { RenderableObject } from './source-copies.ts';

export interface View {
  readonly width: number;
  readonly page?: number | undefined;
  /** Clients share the threads fairly. Left out: one client for all. */
  readonly client?: string;
}

export interface RenderProgress {
  readonly done: boolean;
  /** Pages that can be opened, in their order. */
  readonly pagesReady: readonly number[];
  /** A request made a minute later tries again. */
  readonly failed: boolean;
  /** It failed for a store or disk, not for the document. */
  readonly isStoreAtFault?: true;
}

/**
 * Page images of stored PDFs. Knows nothing of permissions: callers authorise first, then ask by content hash.
 * Widths are those of the contract's `viewerLimits.renderWidthsPx`; any other throws RangeError.
 */
export interface Rendering {
  /** Draws all pages in the background, with the lowest priority. A process that ends leaves the rest to the next request. */
  prefetch(object: RenderableObject, width: number): void;
  /**
   * Answers from what there is. Draws the viewed page (left out: the first one) for somebody who waits and prefetches the others; waits for the
   * viewed page up to `waitMs`, and a moment longer when few others are missing.
   */
  poll(object: RenderableObject, view: View & { readonly waitMs: number }): Promise<RenderProgress>;
  /** Draws the page when it is not stored. Undefined when it cannot be drawn. Throws STORAGE_ERROR when a store or disk is at fault. */
  openPage(object: RenderableObject, view: View & { readonly page: number }): Promise<Rendition | undefined>;
  /** The stored page, if there is one. Draws nothing. */
  openDrawn(object: Pick<RenderableObject, 'sha256'>, view: { width: number; page: number }): Promise<Rendition | undefined>;
  /** Adds a job that draws the first page, with the transaction that publishes the object. */
  prepare(trx: Transaction<Database>, object: RenderableObject): Promise<void>;
  /** What a page says and where. Throws RENDER_ERROR when it cannot be read, STORAGE_ERROR when a store or disk is at fault. */
  readPageText(object: RenderableObject, view: { page: number; client?: string }): Promise<PageText>;
  /** Removes images and texts of contents that no document has any more. */
  forget(sha256s: readonly string[]): Promise<void>;
  /** Stops prefetching and resolves when nothing is written to disk any more. To be called after the threads are closed. Never rejects. */
  close(): Promise<void>;
  /** To be registered with the job runner; `renditions:sweep` is to be run now and then. */
  readonly jobs: JobHandlers;
}

interface Prefetch {
  viewed: number;
  readonly client: string;
  done: Promise<void>;
}

export interface RenderingParts {
  readonly objects: Pick<Objects, 'open'>;
  readonly pdf: Pick<PdfPool, 'drawPage' | 'raise' | 'readLines'>;
  readonly renditions: Renditions;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly log: Log;
}

export function createRendering({ objects, pdf, renditions, jobs, log }: RenderingParts): Rendering {
  const withCopy = createSourceCopies({ objects, renditions });
  const failures = createPageFailures();
  /** Single flight: one drawing per content, width and page. */
  const drawing = new Map<string, { readonly task: TaskOptions; readonly done: Promise<void> }>();
  const prefetching = new Map<string, Prefetch>();
  const prefetchQueue = createFairQueue(prefetchLimits);
  let sweeping = Promise.resolve();
  let isClosed = false;

  function draw(object: RenderableObject, { width, page }: { width: number; page: number }, task: TaskOptions): Promise<void> {
    const key = { sha256: object.sha256, width, page };
    const present = drawing.get(idOf(key));
    if (present !== undefined) {
      pdf.raise(present.task, task);
      return present.done;
    }
    const done = drawNow(object, key, task).finally(() => drawing.delete(idOf(key)));
    drawing.set(idOf(key), { task, done });
    return done;
  }

  async function drawNow(object: RenderableObject, key: RenditionKey, task: TaskOptions): Promise<void> {
    try {
      // Another process may have drawn it meanwhile.
      if (await renditions.has(key)) return;
      await withCopy(object, async (path) => {
        const image = await pdf.drawPage({ path, page: key.page, width: key.width, task });
        await renditions.put(key, image);
      });
      sweepIfDue();
    } catch (error) {
      if (!(error instanceof PdfPoolClosed)) {
        failures.add(key, error);
        log.warn({ err: error, ...key }, 'a page could not be drawn');
      }
      throw error;
    }
  }

  async function drawMissing(object: RenderableObject, width: number, wanted: Omit<Prefetch, 'done'>): Promise<void> {
    if (isClosed) return;
    const { sha256 } = object;
    const present = await renditions.listPages({ sha256, width });
    const missing = new Set(pagesOf(object).filter((page) => !present.has(page)));
    const drawOneByOne = async (): Promise<void> => {
      for (let page = nextPage(missing, wanted.viewed); page !== undefined && !isClosed; page = nextPage(missing, wanted.viewed)) {
        missing.delete(page);
        await draw(object, { width, page }, { priority: 'prefetch', client: wanted.client }).catch((error: unknown) => {
          missing.clear();
          throw error;
        });
      }
    };
    // Two at once: a thread draws while the image before it is stored, and the copy of the document stays.
    await Promise.all([drawOneByOne(), drawOneByOne()]);
  }

  /** Never rejects: `draw` remembers what fails. */
  function prefetch(object: RenderableObject, { width, page = 1, client = '' }: View): Promise<void> {
    const id = idOf({ sha256: object.sha256, width });
    const present = prefetching.get(id);
    if (present !== undefined) {
      present.viewed = page;
      return present.done;
    }
    const own: Prefetch = { viewed: page, client, done: Promise.resolve() };
    own.done = prefetchQueue
      .pass(client, () => drawMissing(object, width, own))
      .catch((error: unknown) => log.info({ err: error, sha256: object.sha256, width }, 'prefetching a document ended early'))
      .finally(() => prefetching.delete(id));
    prefetching.set(id, own);
    return own.done;
  }

  async function progressOf(object: RenderableObject, width: number): Promise<RenderProgress> {
    const set = { sha256: object.sha256, width };
    const present = await renditions.listPages(set);
    const pagesReady = pagesOf(object).filter((page) => present.has(page));
    const failure = failures.find(set);
    if (pagesReady.length === object.pages) return { done: true, failed: false, pagesReady };
    if (failure === undefined) return { done: false, failed: false, pagesReady };
    return { done: false, failed: true, pagesReady, ...(isStorageFault(failure.error) ? { isStoreAtFault: true } : {}) };
  }

  async function poll(object: RenderableObject, { waitMs, ...view }: View & { waitMs: number }): Promise<RenderProgress> {
    const { width, client } = view;
    requireKnownWidth(width);
    const before = await progressOf(object, width);
    if (before.done || before.failed) return before;
    const page = view.page !== undefined && view.page <= object.pages ? view.page : 1;
    const startedAtMs = performance.now();
    const viewed = before.pagesReady.includes(page) ? undefined : draw(object, { width, page }, { priority: 'waiting', client });
    const all = prefetch(object, { ...view, page });
    if (viewed !== undefined) await settledWithin(viewed, waitMs);
    const restMs = Math.min(graceMs, waitMs - (performance.now() - startedAtMs));
    if (object.pages - before.pagesReady.length <= fewPages && restMs > 0) await settledWithin(all, restMs);
    return progressOf(object, width);
  }

  async function openPage(object: RenderableObject, { width, page, client }: View & { page: number }): Promise<Rendition | undefined> {
    requireKnownWidth(width);
    if (page > object.pages) return undefined;
    const key = { sha256: object.sha256, width, page };
    const stored = await renditions.open(key);
    if (stored !== undefined) return stored;
    try {
      const failure = failures.find(key);
      if (failure !== undefined) throw failure.error;
      await draw(object, key, { priority: 'waiting', client });
    } catch (error) {
      if (isStorageFault(error)) throw new PortalError('STORAGE_ERROR', { cause: error });
      if (isOfDocument(error)) return undefined;
      throw error;
    }
    return renditions.open(key);
  }

  async function drawFirstPage(payload: FirstPagePayload, signal: AbortSignal): Promise<void> {
    const key = { sha256: payload.sha256, width: payload.width, page: 1 };
    if (payload.format !== renditionFormat || (await renditions.has(key))) return;
    try {
      await withCopy(payload, async (path) => {
        const task = { priority: 'publication', client: firstPageJobName, signal } as const;
        const image = await pdf.drawPage({ path, page: 1, width: key.width, deadlineMs: firstPageDeadlineMs, task });
        await renditions.put(key, image, { aheadOfTime: true });
      });
      sweepIfDue();
    } catch (error) {
      if (!isOfDocument(error)) throw error;
      log.info({ err: error, sha256: key.sha256 }, 'a first page was not drawn ahead of time');
    }
  }

  async function sweep(): Promise<void> {
    const swept = await renditions.sweep();
    if (swept.removedSets > 0) log.info(swept, 'the page images that were not used for the longest time were removed');
    if (!swept.isWithinLimit) log.warn(swept, 'the page images in use take more than RENDITIONS_MAX_BYTES or DISK_RESERVE_PERCENT allow');
  }

  function sweepIfDue(): void {
    if (renditions.isSweepDue()) sweeping = sweep().catch((error: unknown) => log.warn({ err: error }, 'page images could not be swept'));
  }

  return {
    prefetch(object, width) {
      requireKnownWidth(width);
      void prefetch(object, { width });
    },
    poll,
    openPage,
    openDrawn: ({ sha256 }, { width, page }) => renditions.open({ sha256, width, page }),
    readPageText: createPageTexts({ withCopy, pdf, renditions, log }),
    async forget(sha256s) {
      for (const sha256 of sha256s) await renditions.remove(sha256);
    },
    async prepare(trx, { objectKey, sha256 }) {
      const payload: FirstPagePayload = { objectKey, sha256, width: viewerLimits.defaultRenderWidthPx, format: renditionFormat };
      const jobKey = `first-page:${idOf(payload)}:${renditionFormat}`;
      // One at a time, so that many publications leave the other places of the job runner free.
      await jobs.add(firstPageJobName, payload, { trx, jobKey, maxAttempts: 3, priority: afterOtherJobs, queue: 'first-pages' });
    },
    async close() {
      isClosed = true;
      await Promise.all([...prefetching.values()].map(({ done }) => done));
      await Promise.allSettled([...drawing.values()].map(({ done }) => done));
      await sweeping;
    },
    jobs: {
      [firstPageJobName]: (payload, signal) => drawFirstPage(firstPagePayload.parse(payload), signal),
      'renditions:sweep': sweep,
    },
  };
}

const firstPagePayload = z.object({ objectKey: z.string(), sha256: z.string(), width: z.int(), format: z.int() });
type FirstPagePayload = z.output<typeof firstPagePayload>;

const firstPageJobName = 'render-first-page';
const afterOtherJobs = 100;
/** A page of text takes a hundredth of it. */
const firstPageDeadlineMs = 5_000;
/** Each document needs a copy of its file: few at once, one of each client. */
const prefetchLimits = { atOnce: 3, perCaller: 1, countsForMs: 60_000 };
/** After the viewed page: so few others are drawn in it. */
const graceMs = 150;
const fewPages = 4;

const isOfDocument = (error: unknown): boolean => error instanceof PdfError || error instanceof ObjectAltered;

const pagesOf = ({ pages }: RenderableObject): number[] => Array.from({ length: pages }, (_, index) => index + 1);

const idOf = ({ sha256, width, page = 0 }: { sha256: string; width: number; page?: number }): string => `${sha256}:${width}:${page}`;

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
