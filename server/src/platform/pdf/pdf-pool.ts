import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { publishingLimits, type PageText } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { createPdfThread, ThreadLost, type PdfThread } from './pdf-thread.ts';
import type { PdfInspection, RenderedPage, WorkerReply, WorkerRequest } from './pdf-worker.messages.ts';
import { PdfError } from './pdf.errors.ts';
import { createTurns, type Priority } from './turns.ts';

export type { PdfInspection, RenderedPage } from './pdf-worker.messages.ts';

export interface RenderJob {
  /** Images are written beside it, with the number of the page behind its name. */
  path: string;
  /** In pixels; a page of too many pixels comes out narrower. */
  width: number;
  /** Counted from 1, drawn in this order; asked for one by one, shortly before each is drawn. */
  pages: Iterable<number>;
  /** Called in the order of pages, never twice at once; the next page is being drawn meanwhile. The file is the receiver's from now on. */
  onPage(page: RenderedPage): Promise<void> | void;
  /** Default `background`. Of what is asked for `now`, the first pages go before everything, the others follow soon. */
  priority?: Priority;
  /** For work that nobody waits for: one attempt at each page within this time. Left out: two, each within the limit of a page. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

export interface TextJob {
  path: string;
  /** How many the document has. */
  pages: number;
  /** Called in the order of pages. */
  onPage: (page: number, text: string) => void;
  signal?: AbortSignal;
}

export interface LinesJob {
  path: string;
  /** Counted from 1, read in this order. */
  pages: readonly number[];
  onPage: (page: number, text: PageText) => Promise<void> | void;
}

export interface InspectionJob {
  path: string;
  /** For what a stranger sends and waits for: one attempt within this time. Left out: two, each within the limit of a page. */
  deadlineMs?: number;
  /** Data between and behind its objects, which other programs may take for something else. Left out: it is no PDF then. */
  mayHoldForeignData?: boolean;
  /** Fails with TOO_MUCH instead of saying what was not looked at. */
  mustBeReadWhole?: boolean;
}

export interface PdfPool {
  /** Throws PdfError: NOT_A_PDF, ENCRYPTED, BROKEN, TOO_MANY_PAGES or TOO_MUCH. Goes behind what somebody looks at, before background rendering. */
  inspect(source: InspectionJob): Promise<PdfInspection>;
  /** Resolves when the last page was handed over. Throws PdfError, the signal's reason, or what onPage threw. */
  render(job: RenderJob): Promise<void>;
  /** The text of every page, in the background. Throws PdfError, or the signal's reason. */
  readText(job: TextJob): Promise<void>;
  /** The text of some pages with the place of every letter, for somebody who waits. Throws PdfError, or what onPage threw. */
  readLines(job: LinesJob): Promise<void>;
  /** Refuses what waits, ends what runs. */
  close(): Promise<void>;
}

export interface PdfPoolOptions {
  log: Pick<Log, 'warn'>;
  /** Calm ones; one more is kept for what somebody waits for now. */
  workers?: number;
  pageDeadlineMs?: number;
  /** Of one document's engine, not of a worker's own memory. */
  heapLimitBytes?: number;
  maxPages?: number;
  /** After which a calm thread that has nothing to do gives its memory back. */
  restMs?: number;
  /** That may be started while others are stuck. Each takes some 50 MB for as long. */
  spareThreads?: number;
}

/** Threads that read and draw PDFs: each document in an engine instance of its own, within limits of time and memory. */
export function createPdfPool(options: PdfPoolOptions): PdfPool {
  const {
    log,
    pageDeadlineMs = 10_000,
    heapLimitBytes = 256 * 1024 * 1024,
    maxPages = publishingLimits.maxPages,
    restMs = 60_000,
  } = options;
  const size = Math.max(1, options.workers ?? availableParallelism() - 1);
  const compiled = compileEngine();
  const makeStart = async () => ({ module: await compiled, heapLimitBytes });
  const makeThreads = (length: number, { isCalm = false } = {}) =>
    Array.from({ length }, () => createPdfThread({ makeStart, isCalm, restMs: isCalm ? restMs : undefined }));
  const [swift, calm, spares] = [makeThreads(1), makeThreads(size, { isCalm: true }), makeThreads(options.spareThreads ?? 2)];
  const turns = createTurns({ swift, calm, spares });
  let lastJob = 0;

  // The others start, and warm up, when there is work for them.
  for (const thread of swift) thread.start().catch((error: unknown) => log.warn({ error }, 'a PDF worker did not start'));

  /** A trap, a full memory or a passed deadline gets one more attempt: the thread may have been starved by its neighbours. */
  async function ask(thread: PdfThread, request: WorkerRequest, { lastResort, onlyWithinMs }: Patience): Promise<WorkerReply> {
    for (let attempt = 1; ; attempt++) {
      const detail = await callOnce(thread, request, onlyWithinMs ?? pageDeadlineMs);
      if (typeof detail !== 'string') return detail;
      turns.throwIfClosed();
      log.warn({ request, attempt, detail }, 'a PDF worker was lost');
      if (attempt === attempts || onlyWithinMs !== undefined) throw lastResort(detail);
    }
  }

  /** The reply, or in words why there is none. */
  async function callOnce(thread: PdfThread, request: WorkerRequest, deadlineMs: number): Promise<WorkerReply | string> {
    try {
      const reply = await thread.call(request, deadlineMs);
      if (reply.kind !== 'failure') return reply;
      if (reply.code === 'CRASHED') return reply.detail;
      if (reply.code === 'UNREADABLE') throw new PortalError('STORAGE_ERROR', { cause: new Error(reply.detail) });
      throw new PdfError(reply.code, reply.detail);
    } catch (error) {
      if (error instanceof ThreadLost) return error.message;
      throw error;
    }
  }

  async function renderPage(
    thread: PdfThread,
    request: { job: number; path: string; page: number; width: number },
    onlyWithinMs: number | undefined,
  ): Promise<RenderedPage> {
    const lastResort = (detail: string) => new PdfError('RENDER_FAILED', `page ${request.page}: ${detail}`);
    const reply = await ask(thread, { kind: 'page', ...request }, { lastResort, onlyWithinMs });
    if (reply.kind !== 'page') throw new Error(`a PDF worker answered a page with ${reply.kind}`);
    return reply.page;
  }

  return {
    async inspect({ path, deadlineMs, mayHoldForeignData = false, mustBeReadWhole = false }) {
      let found: PdfInspection | undefined;
      await turns.take({
        priority: 'soon',
        async onTurn(thread) {
          const lastResort = (detail: string) => new PdfError('BROKEN', detail);
          const request = { kind: 'inspect', path, maxPages, mayHoldForeignData, mustBeReadWhole } as const;
          const reply = await ask(thread, request, { lastResort, onlyWithinMs: deadlineMs });
          if (reply.kind === 'inspection') found = reply.inspection;
          return 'done';
        },
      });
      if (!found) throw new Error('a PDF worker answered an inspection with something else');
      return found;
    },

    async render(job) {
      const { path, width, signal, deadlineMs, priority = 'background' } = job;
      const number = ++lastJob;
      const rest = job.pages[Symbol.iterator]();
      await turns.take({
        priority,
        ...(signal ? { signal } : {}),
        async onTurn(thread) {
          let handedOver = Promise.resolve();
          try {
            for (let drawn = 0; ; drawn++) {
              if (turns.shouldYield({ priority }, { thread, drawnPages: drawn })) return 'again';
              const next = rest.next();
              if (next.done) return 'done';
              const page = await renderPage(thread, { job: number, path, width, page: next.value }, deadlineMs);
              try {
                signal?.throwIfAborted();
                await handedOver;
              } catch (error) {
                await rm(page.imagePath, { force: true });
                throw error;
              }
              handedOver = Promise.resolve(job.onPage(page));
              // Awaited a page later: until then a rejection must not count as one that nobody handles.
              handedOver.catch(() => undefined);
            }
          } finally {
            thread.release();
            await handedOver;
          }
        },
      });
    },

    async readText({ path, pages, onPage, signal }) {
      const job = ++lastJob;
      let page = 0;
      await turns.take({
        priority: 'background',
        ...(signal ? { signal } : {}),
        async onTurn(thread) {
          try {
            for (let read = 0; page < pages; read++) {
              if (turns.shouldYield({ priority: 'background' }, { thread, drawnPages: read })) return 'again';
              const request = { kind: 'text', job, path, page: page + 1 } as const;
              const lastResort = (detail: string) => new PdfError('RENDER_FAILED', `text of page ${page + 1}: ${detail}`);
              const reply = await ask(thread, request, { lastResort });
              if (reply.kind !== 'text') throw new Error(`a PDF worker answered a text with ${reply.kind}`);
              signal?.throwIfAborted();
              page += 1;
              onPage(page, reply.text);
            }
            return 'done';
          } finally {
            thread.release();
          }
        },
      });
    },

    async readLines({ path, pages, onPage }) {
      const job = ++lastJob;
      const rest = [...pages];
      const urgency = { priority: 'now', isNowToItsEnd: true } as const;
      await turns.take({
        ...urgency,
        async onTurn(thread) {
          try {
            for (let read = 0; ; read++) {
              if (turns.shouldYield(urgency, { thread, drawnPages: read })) return 'again';
              const page = rest.shift();
              if (page === undefined) return 'done';
              const lastResort = (detail: string) => new PdfError('RENDER_FAILED', `text of page ${page}: ${detail}`);
              const reply = await ask(thread, { kind: 'lines', job, path, page }, { lastResort });
              if (reply.kind !== 'lines') throw new Error(`a PDF worker answered the lines of a page with ${reply.kind}`);
              await onPage(page, reply.lines);
            }
          } finally {
            thread.release();
          }
        },
      });
    },

    async close() {
      turns.close();
      await Promise.all([...swift, ...calm, ...spares].map((thread) => thread.stop()));
    },
  };
}

const attempts = 2;

interface Patience {
  lastResort: (detail: string) => PdfError;
  /** One attempt instead of two. */
  onlyWithinMs?: number | undefined;
}

async function compileEngine(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')));
}
