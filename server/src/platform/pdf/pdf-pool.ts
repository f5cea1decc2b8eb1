import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { publishingLimits, type PageText } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { createPageScheduler, type PageScheduler, type TaskOptions } from './page-scheduler.ts';
import { createPdfThreads, WorkerLost } from './pdf-threads.ts';
import type { PdfInspection, RenderedPage, SealJob, WorkerReply, WorkerRequest } from './pdf-worker.messages.ts';
import { PdfError } from './pdf.errors.ts';

export type { TaskOptions } from './page-scheduler.ts';
export type { PdfInspection, RenderedPage } from './pdf-worker.messages.ts';

export interface PageJob {
  /** The image is written beside it. */
  path: string;
  /** Counted from 1. */
  page: number;
  /** In pixels; a page of too many pixels comes out narrower. */
  width: number;
  task: TaskOptions;
  /** One attempt within this processor time. Left out: within that of a page, and a second one when the worker was lost for another reason. */
  cpuMs?: number;
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
  client?: string | undefined;
  onPage: (page: number, text: PageText) => Promise<void> | void;
  /** Of a page that could not be read within the limits; the others are read all the same. Left out: the call throws. */
  onLost?: (page: number, error: PdfError) => void;
}

export interface InspectionJob {
  path: string;
  client?: string | undefined;
  /** Left out: a person waits for it. */
  priority?: TaskOptions['priority'];
  /** As that of a page. */
  cpuMs?: number;
  /** Data between and behind its objects, which other programs may take for something else. Left out: it is no PDF then. */
  mayHoldForeignData?: boolean;
  /** Fails with TOO_MUCH instead of saying what was not inspected. */
  mustBeReadWhole?: boolean;
  /** Looks for words that nobody sees (HIDDEN_CONTENT), unless that takes too long. */
  findsHidden?: boolean;
  /** Whose documents may be inspected by one engine, one after the other: of one owner, who answers for all of them. Left out: it has its own. */
  engineOf?: string;
  /** Verifies its seal, too. */
  seal?: SealJob | undefined;
}

/** Each call throws PdfError, PdfPoolClosed, STORAGE_ERROR when the file cannot be read, or the signal's reason. */
export type PdfPool = ReturnType<typeof createPdfPool>;

export interface PdfPoolOptions {
  log: Pick<Log, 'warn'>;
  /** One more is reserved for pages that a client waits for. */
  workers?: number;
  /** Processor time of a page: a busy machine does not shorten it. */
  pageCpuMs?: number;
  /** Of one document's engine, not of a worker's own memory. */
  heapLimitBytes?: number;
  /** A folder with fonts of scripts that the bundled ones lack. */
  fontDir?: string | undefined;
  maxPages?: number;
  /** Started at once, and kept. */
  minThreads?: number;
  /** After which a thread without work ends. */
  idleTimeoutMs?: number;
  /** Started while others run slow pages. Each takes some 50 MB. */
  spareThreads?: number;
  /** Told how long each task took, without its wait for a thread. */
  onDone?: (kind: WorkerRequest['kind'], ms: number) => void;
}

/**
 * Threads that read and draw PDFs, within limits of time and memory (decision 0018): each document in an engine instance of its own, but those of
 * `engineOf` (decision 0043).
 */
export function createPdfPool(options: PdfPoolOptions) {
  const { log, pageCpuMs = 10_000, heapLimitBytes = 256 * 1024 * 1024, maxPages = publishingLimits.maxPages } = options;
  const { idleTimeoutMs = 60_000, minThreads = 1, fontDir } = options;
  const threads = Math.max(1, options.workers ?? availableParallelism() - 1) + 1;
  const spareThreads = options.spareThreads ?? Math.max(2, threads - 1);
  const scheduler = createPageScheduler({ threads, spareThreads });
  const workers = createPdfThreads({ log, heapLimitBytes, fontDir, maxThreads: threads + spareThreads, minThreads, idleTimeoutMs });
  const ask = createAsk({ scheduler, workers, pageCpuMs, log, onDone: options.onDone ?? (() => {}) });

  return {
    inspect: (job: InspectionJob): Promise<PdfInspection> => inspectBy(ask, { maxPages, ...job }),
    /** The image file belongs to the caller. */
    async drawPage({ path, page, width, task, cpuMs }: PageJob): Promise<RenderedPage> {
      const reply = await ask({ kind: 'page', path, page, width }, { task, cpuMs });
      if (task.signal?.aborted !== true) return reply.page;
      await rm(reply.page.imagePath, { force: true });
      throw task.signal.reason;
    },
    /** Gives a page the priority of another request. */
    raise: (task: TaskOptions, to: TaskOptions): void => scheduler.raise(task, to),
    /** The text of every page, with the priority of prefetching. A few pages that cannot be read within the limits are left out. */
    async readText({ path, pages, onPage, signal }: TextJob): Promise<void> {
      let lostPages = 0;
      for (let page = 1; page <= pages; page++) {
        const task = { priority: 'prefetch', signal } as const;
        const reply = await ask({ kind: 'text', path, page }, { task }).catch((error: unknown) => {
          if (!isLostPage(error) || ++lostPages >= Math.min(maxLostPages, pages)) throw error;
        });
        if (reply !== undefined) onPage(page, reply.text);
        signal?.throwIfAborted();
      }
    },
    /** The text of some pages with the place of every letter, for a person who waits. Throws what onPage throws, too. */
    async readLines({ path, pages, client, onPage, onLost }: LinesJob): Promise<void> {
      for (const page of pages) {
        const task = { priority: 'waiting', client } as const;
        const reply = await ask({ kind: 'lines', path, page }, { task }).catch((error: unknown) => {
          if (onLost === undefined || !isLostPage(error)) throw error;
          onLost(page, error);
        });
        if (reply !== undefined) await onPage(page, reply.lines);
      }
    },
    /** Refuses tasks that wait, terminates those that run. */
    async close(): Promise<void> {
      scheduler.close();
      await workers.close();
    },
  };
}

/** After so many pages without an answer a document is given up. */
const maxLostPages = 3;
const isLostPage = (error: unknown): error is PdfError => error instanceof PdfError && error.code === 'RENDER_FAILED';

async function inspectBy(
  ask: ReturnType<typeof createAsk>,
  { path, client, priority = 'waiting', cpuMs, findsHidden = false, ...checks }: InspectionJob & { maxPages: number },
): Promise<PdfInspection> {
  const request = { kind: 'inspection', path, mayHoldForeignData: false, mustBeReadWhole: false, ...checks } as const;
  const limits = { task: { priority, client }, failsAs: 'BROKEN' } as const;
  if (findsHidden) {
    const asked = ask({ ...request, findsHidden }, { ...limits, cpuMs: hiddenCpuMs, failsAs: 'RENDER_FAILED' });
    const found = await asked.catch(unlessLost);
    if (found !== undefined) return found.inspection;
  }
  return (await ask(request, { ...limits, cpuMs })).inspection;
}

/** Reading pages may take longer than a publication can wait: such a file is inspected without. */
const hiddenCpuMs = 3_000;
const unlessLost = (error: unknown): undefined => {
  if (!isLostPage(error)) throw error;
};

const maxAttempts = 2;

interface AskParts {
  readonly scheduler: PageScheduler;
  readonly workers: ReturnType<typeof createPdfThreads>;
  readonly pageCpuMs: number;
  readonly log: Pick<Log, 'warn'>;
  readonly onDone: NonNullable<PdfPoolOptions['onDone']>;
}

interface Limits {
  task: TaskOptions;
  cpuMs?: number | undefined;
  failsAs?: 'BROKEN' | 'RENDER_FAILED';
}

/**
 * Repeats an attempt whose worker was lost once, unless the work itself took too long or the caller sets a limit. One that is to hurry goes on in
 * another thread.
 */
const createAsk =
  ({ scheduler, workers, pageCpuMs, log, onDone }: AskParts) =>
  async <Kind extends WorkerRequest['kind']>(
    request: Extract<WorkerRequest, { kind: Kind }>,
    { task, cpuMs, failsAs = 'RENDER_FAILED' }: Limits,
  ): Promise<Extract<WorkerReply, { kind: Kind }>> => {
    const reply = await scheduler.run(task, async (onStart, hurry) => {
      const begunAtMs = performance.now();
      for (let attempts = 1; ;) {
        const { priority } = task;
        const stop = priority === 'waiting' ? undefined : hurry;
        const outcome = await readReply(workers.run(request, { priority, cpuMs: cpuMs ?? pageCpuMs, onStart, stop }));
        if (!(outcome instanceof WorkerLost)) {
          onDone(request.kind, performance.now() - begunAtMs);
          return outcome;
        }
        if (stop?.aborted === true) continue;
        const { message, isOfWork } = outcome;
        log.warn({ request, attempts, detail: message }, 'a PDF worker was lost');
        const detail = 'page' in request ? `${request.kind} ${request.page}: ${message}` : message;
        if (attempts === maxAttempts || isOfWork || cpuMs !== undefined) throw new PdfError(failsAs, detail);
        attempts += 1;
      }
    });
    if (!isOfKind(reply, request.kind)) throw new Error(`a PDF worker answered ${request.kind} with ${reply.kind}`);
    return reply;
  };

/** Returns how the worker was lost: another attempt may succeed. */
async function readReply(answer: Promise<WorkerReply>): Promise<WorkerReply | WorkerLost> {
  const reply = await answer.catch((error: unknown) => {
    if (error instanceof WorkerLost) return error;
    throw error;
  });
  if (reply instanceof WorkerLost || reply.kind !== 'failure') return reply;
  if (reply.code === 'UNREADABLE') throw new PortalError('STORAGE_ERROR', { cause: new Error(reply.detail) });
  if (reply.code !== 'CRASHED') throw new PdfError(reply.code, reply.detail);
  return new WorkerLost(reply.detail);
}

const isOfKind = <Kind extends WorkerReply['kind']>(reply: WorkerReply, kind: Kind): reply is Extract<WorkerReply, { kind: Kind }> =>
  reply.kind === kind;
