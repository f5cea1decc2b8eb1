import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { viewerLimits, type PageText } from '@pergamin/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { AddOptions, JobHandlers, Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Rendition, type Renditions, type RenditionSet } from '#platform/renditions/renditions.ts';
import { firstPagePayload, renderFirstPage, type FirstPagePayload } from './first-page.ts';
import { createPageTexts } from './page-texts.ts';
import { createQueuePlaces } from './queue-places.ts';
import { renderDocument, renderPayload, type RenderPayload, type Turns } from './render-document.ts';
import { deleteRenditions, findRendition, insertQueued, lookAtPage, requeue, type RenditionRow, storageFault } from './rendering.store.ts';

/** A PDF to be shown. */
export interface RenderableObject {
  readonly objectKey: string;
  /** Of its bytes, lower-case hexadecimal; equal objects share their page images. */
  readonly sha256: string;
  readonly pages: number;
}

/** Who looks at what. */
export interface PageLook {
  readonly width: number;
  /** Drawn next, after the first page. */
  readonly page?: number | undefined;
  /** Who looks, in whatever words; undefined: everybody and nobody. */
  readonly reader?: string;
}

export interface Look extends PageLook {
  readonly waitMs: number;
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
 * Page images of stored PDFs. Knows nothing of who may see what: callers authorise first, then ask by content hash.
 * Widths are those of the contract's `viewerLimits.renderWidthsPx`; any other throws RangeError.
 */
export interface Rendering {
  /** Makes sure that the page images exist or are being made: once per object and width, however many processes ask. */
  request(object: RenderableObject, width: number): Promise<RenderProgress>;
  /**
   * For whoever begins to look: as `request`, but goes before work done ahead of time, and waits up to `waitMs` for the end; hardly longer than
   * for the page that is looked at, when there is more to come. A reader's second document goes after everybody's first.
   */
  requestAndWait(object: RenderableObject, look: Look): Promise<RenderProgress>;
  /**
   * Undefined when nobody asked for the document's images, or the page could not be drawn. One that is still to be drawn, or whose image was
   * removed, is drawn next, and waited for a moment. Throws STORAGE_ERROR when it could not be drawn for want of a store or disk.
   */
  openPage(object: RenderableObject, look: PageLook & { readonly page: number }): Promise<Rendition | undefined>;
  /** The page as it was drawn before, and nothing more: nothing is asked for, and nothing waited for. */
  openDrawn(object: Pick<RenderableObject, 'sha256'>, look: { width: number; page: number }): Promise<Rendition | undefined>;
  /** Ahead of the first reader, with the transaction that publishes the object: its first page. */
  prepare(trx: Transaction<Database>, object: RenderableObject): Promise<void>;
  /** What a page says and where; read when first asked for. Throws RENDER_ERROR when it cannot be read, STORAGE_ERROR for want of a store or disk. */
  readPageText(object: RenderableObject, look: { page: number; reader?: string }): Promise<PageText>;
  /** Contents that nobody has any more: their images and texts go. */
  forget(sha256s: readonly string[]): Promise<void>;
  /** To be registered with the job runner; `renditions:sweep` keeps the images within their limit, and is to be run now and then. */
  readonly jobs: JobHandlers;
}

export interface RenderingParts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly pdf: Pick<PdfPool, 'render' | 'readLines'>;
  readonly renditions: Renditions;
  readonly jobs: Jobs;
  readonly log: Log;
}

export function createRendering({ db, objects, pdf, renditions, jobs, log }: RenderingParts): Rendering {
  // A short cut within this process; the row is what counts, because another process may do the work.
  const settled = new EventEmitter().setMaxListeners(0);

  const places = createQueuePlaces();
  /** Of documents that are to be drawn; what is being drawn looks who they are. */
  let requests = 0;

  async function ask(object: RenderableObject, { width, page, priority, reader }: Asked): Promise<RenderProgress> {
    requireKnownWidth(width);
    const set = { sha256: object.sha256, width };
    const row = await findRendition(db, set);
    const isWaitedFor = row?.state !== 'done' && row?.state !== 'failed';
    const place = reader === undefined || !isWaitedFor ? 0 : places.placeOf(reader, keyOf(set));
    const progress = await progressOf(row, object, set);
    const enqueued = { object, width, place, reader, isBegun: progress.pagesReady.length > 0 };
    if (!row) {
      await db.transaction().execute(async (trx) => {
        if (await insertQueued(trx, { ...set, pages: object.pages })) await enqueue({ ...enqueued, priority }, { trx });
      });
      requests += 1;
    } else if (await isToBeRepeated(row, object, width)) {
      await db.transaction().execute(async (trx) => {
        // Nothing done ahead of time is asked for twice: somebody is looking.
        if (await requeue(trx, { ...set, seenAt: row.updatedAt })) await enqueue({ ...enqueued, priority: 'now' }, { trx });
      });
      requests += 1;
      return { ...progress, done: false, failed: false };
    }
    // The waiting job takes its place among those that somebody waits for, by the time it was first asked for.
    else if (row.state === 'queued' && priority === 'now') {
      await enqueue({ ...enqueued, priority }, { runAt: row.updatedAt, onlyIfMoreUrgent: true });
      requests += 1;
    }
    if (!isWaitedFor) places.forget(keyOf(set));
    else if (page !== undefined && page <= object.pages && !progress.pagesReady.includes(page)) await lookAtPage(db, { ...set, page });
    return progress;
  }

  async function progressOf(row: RenditionRow | undefined, { pages }: RenderableObject, set: RenditionSet): Promise<RenderProgress> {
    if (row?.state === 'done') return { done: true, failed: false, pagesReady: Array.from({ length: pages }, (_, index) => index + 1) };
    const present = await renditions.listPages(set);
    const pagesReady = [...present].filter((page) => page <= pages).toSorted((one, other) => one - other);
    return { done: false, failed: row?.state === 'failed', pagesReady, ...(isOfStore(row) ? { isStoreAtFault: true } : {}) };
  }

  async function isToBeRepeated(row: RenditionRow, { sha256, pages }: RenderableObject, width: number): Promise<boolean> {
    if (row.state === 'failed') return row.idleSeconds > retryAfterSeconds;
    if (row.state !== 'done') return row.idleSeconds > lostAfterSeconds;
    // The store may be deleted at any time; its first and last page tell.
    return !((await renditions.has({ sha256, width, page: 1 })) && (await renditions.has({ sha256, width, page: pages })));
  }

  async function enqueue({ object, width, priority, place, reader, isBegun }: Enqueued, when: When): Promise<void> {
    const { objectKey, sha256, pages } = object;
    const urgency = (priority === 'now' ? Math.min(place, lastPlace) : background) + (isBegun ? begun : 0);
    const line = reader === undefined ? {} : { queue: lineOf(reader) };
    await add({ objectKey, sha256, pages, width, format: renditionFormat, priority, urgency, ...line }, when);
  }

  async function add(payload: RenderPayload, when: When = {}): Promise<void> {
    const { urgency: priority, queue } = payload;
    const line = queue === undefined ? {} : { queue };
    await jobs.add(jobName, payload, { jobKey: `render:${keyOf(payload)}`, maxAttempts: 5, priority, ...line, ...when });
  }

  /** Resolves when this process has settled the rendition, or when it is time to look at the row. */
  function nextSign(key: string, withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    settled.once(key, resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      settled.off(key, resolve);
    });
  }

  async function requestAndWait(object: RenderableObject, { waitMs, ...look }: Look): Promise<RenderProgress> {
    const set = { sha256: object.sha256, width: look.width };
    const deadlineMs = performance.now() + waitMs;
    let readyAtMs: number | undefined;
    let progress = await ask(object, { ...look, priority: 'now' });
    for (;;) {
      if (progress.done || progress.failed || performance.now() >= deadlineMs) return progress;
      if (progress.pagesReady.includes(look.page ?? 1)) readyAtMs ??= performance.now();
      // Whoever looks has something to look at: only what takes a moment more is waited for.
      const restMs = object.pages - progress.pagesReady.length <= fewPages ? graceMs : 0;
      const untilMs = Math.min(deadlineMs, readyAtMs === undefined ? Infinity : readyAtMs + restMs);
      if (performance.now() >= untilMs) return progress;
      await nextSign(keyOf(set), Math.min(untilMs - performance.now(), pollMs));
      const row = await findRendition(db, set);
      if (row) progress = await progressOf(row, object, set);
    }
  }

  async function openPage(object: RenderableObject, look: PageLook & { readonly page: number }): Promise<Rendition | undefined> {
    const key = { sha256: object.sha256, width: look.width, page: look.page };
    const image = await renditions.open(key);
    const row = image === undefined ? await findRendition(db, key) : undefined;
    if (image === undefined && isOfStore(row)) throw new PortalError('STORAGE_ERROR', { cause: new Error(row?.error ?? '') });
    if (row === undefined || row.state === 'failed') return image;
    // One page of a document that is done was removed or torn: the others are there, and this one is drawn again.
    if (row.state === 'done') await requeueOne(object, { ...look, row });
    else await ask(object, { ...look, priority: 'now' });
    const deadlineMs = performance.now() + viewerLimits.firstAnswerWaitMs;
    for (;;) {
      const drawn = await renditions.open(key);
      if (drawn !== undefined || performance.now() >= deadlineMs) return drawn;
      await nextSign(keyOf(key), pollMs);
    }
  }

  async function requeueOne(object: RenderableObject, { row, width, page, reader }: PageLook & { row: RenditionRow }): Promise<void> {
    const set = { sha256: object.sha256, width };
    await db.transaction().execute(async (trx) => {
      if (!(await requeue(trx, { ...set, seenAt: row.updatedAt }))) return;
      if (page !== undefined) await lookAtPage(trx, { ...set, page });
      await enqueue({ object, width, place: 0, reader, isBegun: false, priority: 'now' }, { trx });
    });
    requests += 1;
  }

  async function sweep(): Promise<void> {
    const swept = await renditions.sweep();
    if (swept.removedSets > 0) log.info(swept, 'page images that nobody used for the longest time were removed');
    if (!swept.isWithinLimit) log.warn(swept, 'the page images in use take more than RENDITIONS_MAX_BYTES or DISK_RESERVE_PERCENT allow');
  }

  return {
    request: (object, width) => ask(object, { width, priority: 'background' }),
    requestAndWait,
    openPage,
    openDrawn: ({ sha256 }, { width, page }) => renditions.open({ sha256, width, page }),
    readPageText: createPageTexts({ objects, pdf, renditions, log }),

    async forget(sha256s) {
      await deleteRenditions(db, sha256s);
      for (const sha256 of sha256s) await renditions.remove(sha256);
    },

    async prepare(trx, { objectKey, sha256 }) {
      const payload: FirstPagePayload = { objectKey, sha256, width: viewerLimits.defaultRenderWidthPx, format: renditionFormat };
      const jobKey = `first-page:${keyOf(payload)}`;
      // In one line, so that however many are published, others' jobs never wait for all of these.
      await jobs.add(firstPageJobName, payload, { trx, jobKey, maxAttempts: 3, priority: afterEverything, queue: 'first-pages' });
    },

    jobs: {
      async [jobName](payload, signal) {
        const turns: Turns = {
          requests: () => requests,
          onNews(of, news) {
            if (news === 'settled') places.forget(keyOf(of));
            settled.emit(keyOf(of));
          },
          isAnotherMoreUrgent: ({ urgency, queue }) => jobs.isWaiting(jobName, { priority: goingOn(urgency) - 1, queue }),
          isAnotherAsUrgent: ({ urgency, queue }) => jobs.isWaiting(jobName, { priority: goingOn(urgency), queue }),
          goOnLater: (of) => add({ ...of, urgency: goingOn(of.urgency) }),
        };
        await renderDocument({ db, objects, pdf, renditions, log, turns }, renderPayload.parse(payload), signal);
        if (renditions.isSweepDue()) await jobs.add(sweepJobName, {}, sweepOptions);
      },
      async [firstPageJobName](payload, signal) {
        await renderFirstPage({ objects, pdf, renditions, log }, firstPagePayload.parse(payload), signal);
        if (renditions.isSweepDue()) await jobs.add(sweepJobName, {}, sweepOptions);
      },
      [sweepJobName]: sweep,
    },
  };
}

type Priority = RenderPayload['priority'];
type When = Pick<AddOptions, 'trx' | 'runAt' | 'onlyIfMoreUrgent'>;

interface Asked extends PageLook {
  priority: Priority;
}

interface Enqueued {
  object: RenderableObject;
  width: number;
  priority: Priority;
  place: number;
  reader: string | undefined;
  isBegun: boolean;
}

const jobName = 'render-document';
const firstPageJobName = 'render-first-page';
const sweepJobName = 'renditions:sweep';
/** Any number of processes may ask: one waits at a time, and one works. */
const sweepOptions = { jobKey: sweepJobName, queue: sweepJobName, maxAttempts: 3 };
/**
 * The runner takes lower numbers first; 0 is where every other job stands. First come the documents of which nothing is there yet, by their
 * readers' places, then those that go on, likewise; then work done ahead of time.
 */
const lastPlace = 19;
const begun = 20;
const background = 40;
const afterEverything = 100;
const goingOn = (urgency: number): number => (urgency % background < begun ? urgency + begun : urgency);
const pollMs = 100;
/** After the page that is looked at is there: so few more are done in it. */
const graceMs = 150;
const fewPages = 4;
const retryAfterSeconds = 60;
/** A page takes 20 seconds at worst, so that the job of a row as quiet as this must be gone. */
const lostAfterSeconds = 120;

function requireKnownWidth(width: number): void {
  if (!viewerLimits.renderWidthsPx.some((known) => known === width)) throw new RangeError(`pages are not rendered ${width} pixels wide`);
}

function isOfStore(row: RenditionRow | undefined): boolean {
  return row?.state === 'failed' && row.error?.startsWith(storageFault) === true;
}

function keyOf({ sha256, width }: RenditionSet): string {
  return `${sha256}:${width}:${renditionFormat}`;
}

/** Readers are spread over so many lines; two in the same one give way to each other as two lines do, but do not run at once. */
const lines = 1_024;

function lineOf(reader: string): string {
  return `reader-${createHash('sha256').update(reader).digest().readUInt32BE() % lines}`;
}
