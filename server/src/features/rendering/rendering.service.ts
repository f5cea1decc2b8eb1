import { EventEmitter } from 'node:events';
import { viewerLimits, type PageText } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { AddOptions, JobHandlers, Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Rendition, type Renditions, type RenditionSet } from '#platform/renditions/renditions.ts';
import { createPageTexts } from './page-texts.ts';
import { createQueuePlaces } from './queue-places.ts';
import { renderDocument, renderPayload, type RenderPayload, type Turns } from './render-document.ts';
import { findRendition, insertQueued, requeue, type RenditionRow } from './rendering.store.ts';

/** A PDF to be shown. */
export interface RenderableObject {
  readonly objectKey: string;
  /** Of its bytes, lower-case hexadecimal; equal objects share their page images. */
  readonly sha256: string;
  readonly pages: number;
}

export interface Look {
  readonly width: number;
  readonly waitMs: number;
  /** Who looks, in whatever words; undefined: everybody and nobody. */
  readonly reader?: string;
}

export interface RenderProgress {
  readonly done: boolean;
  /** Pages 1 to this one can be opened. */
  readonly pagesReady: number;
  /** A request made a minute later tries again. */
  readonly failed: boolean;
}

/**
 * Page images of stored PDFs. Knows nothing of who may see what: callers authorise first, then ask by content hash.
 * Widths are those of the contract's `viewerLimits.renderWidthsPx`; any other throws RangeError.
 */
export interface Rendering {
  /** Makes sure that the page images exist or are being made: once per object and width, however many processes ask. */
  request(object: RenderableObject, width: number): Promise<RenderProgress>;
  /**
   * For whoever begins to look: as `request`, but goes before work done ahead of time, and waits up to `waitMs` for the end. A reader's second
   * document goes after everybody's first.
   */
  requestAndWait(object: RenderableObject, look: Look): Promise<RenderProgress>;
  /** Undefined when the page was not rendered (yet), or its image was deleted. */
  openPage(sha256: string, width: number, page: number): Promise<Rendition | undefined>;
  /** What a page says and where; read when first asked for. Throws RENDER_ERROR when it cannot be read. */
  readPageText(object: RenderableObject, look: { page: number; reader?: string }): Promise<PageText>;
  /** To be registered with the job runner. */
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

  async function ask(object: RenderableObject, { width, priority, reader }: Asked): Promise<RenderProgress> {
    requireKnownWidth(width);
    const set = { sha256: object.sha256, width };
    const row = await findRendition(db, set);
    const isWaitedFor = row?.state !== 'done' && row?.state !== 'failed';
    const place = reader === undefined || !isWaitedFor ? 0 : places.placeOf(reader, keyOf(set));
    if (!row) {
      await db.transaction().execute(async (trx) => {
        if (await insertQueued(trx, { ...set, pages: object.pages })) await enqueue({ object, width, priority, place, trx });
      });
      return { done: false, pagesReady: 0, failed: false };
    }
    if (await isToBeRepeated(row, object, width)) {
      await db.transaction().execute(async (trx) => {
        // Nothing done ahead of time is asked for twice: somebody is looking.
        if (await requeue(trx, { ...set, seenAt: row.updatedAt })) await enqueue({ object, width, priority: 'now', place, trx });
      });
      return { done: false, pagesReady: 0, failed: false };
    }
    // The waiting job takes its place among those that somebody waits for, by the time it was first asked for.
    if (row.state === 'queued' && priority === 'now') await enqueue({ object, width, priority, place, runAt: row.updatedAt });
    if (!isWaitedFor) places.forget(keyOf(set));
    return progressOf(row);
  }

  async function isToBeRepeated(row: RenditionRow, { sha256, pages }: RenderableObject, width: number): Promise<boolean> {
    if (row.state === 'failed') return row.idleSeconds > retryAfterSeconds;
    if (row.state !== 'done') return row.idleSeconds > lostAfterSeconds;
    // The store may be deleted at any time; its first and last page tell.
    return !((await renditions.has({ sha256, width, page: 1 })) && (await renditions.has({ sha256, width, page: pages })));
  }

  async function enqueue({ object, width, priority, place, ...when }: Enqueued): Promise<void> {
    const { objectKey, sha256, pages } = object;
    const urgency = priority === 'now' ? Math.min(place, lastPlace) : lastPlace + 1;
    await add({ objectKey, sha256, pages, width, format: renditionFormat, priority, urgency }, when);
  }

  async function add(payload: RenderPayload, when: Pick<AddOptions, 'trx' | 'runAt'> = {}): Promise<void> {
    await jobs.add(jobName, payload, { jobKey: `render:${keyOf(payload)}`, maxAttempts: 5, priority: payload.urgency, ...when });
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

  return {
    request: (object, width) => ask(object, { width, priority: 'background' }),

    async requestAndWait(object, { width, waitMs, reader }) {
      const set = { sha256: object.sha256, width };
      const deadlineMs = performance.now() + waitMs;
      let progress = await ask(object, { width, priority: 'now', ...(reader === undefined ? {} : { reader }) });
      while (!progress.done && !progress.failed && performance.now() < deadlineMs) {
        await nextSign(keyOf(set), Math.min(deadlineMs - performance.now(), pollMs));
        const row = await findRendition(db, set);
        if (row) progress = progressOf(row);
      }
      return progress;
    },

    readPageText: createPageTexts({ objects, pdf, renditions, log }),

    openPage: (sha256, width, page) => renditions.open({ sha256, width, page }),

    jobs: {
      [jobName]: (payload: unknown, signal?: AbortSignal) => {
        const turns: Turns = {
          onSettled(of) {
            places.forget(keyOf(of));
            settled.emit(keyOf(of));
          },
          isAnotherMoreUrgent: ({ urgency }) => jobs.isWaiting(jobName, { priority: urgency - 1 }),
          isAnotherAsUrgent: ({ urgency }) => jobs.isWaiting(jobName, { priority: urgency }),
          goOnLater: (of) => add(of),
        };
        return renderDocument({ db, objects, pdf, renditions, log, turns }, renderPayload.parse(payload), signal);
      },
    },
  };
}

type Priority = RenderPayload['priority'];

interface Asked {
  width: number;
  priority: Priority;
  reader?: string;
}

interface Enqueued extends Pick<AddOptions, 'trx' | 'runAt'> {
  object: RenderableObject;
  width: number;
  priority: Priority;
  place: number;
}

const jobName = 'render-document';
/** The runner takes lower numbers first; 0 is where every other job stands. Work done ahead of time comes after the last place. */
const lastPlace = 19;
const pollMs = 100;
const retryAfterSeconds = 60;
/** A page takes 20 seconds at worst, so that the job of a row as quiet as this must be gone. */
const lostAfterSeconds = 120;

function requireKnownWidth(width: number): void {
  if (!viewerLimits.renderWidthsPx.some((known) => known === width)) throw new RangeError(`pages are not rendered ${width} pixels wide`);
}

function keyOf({ sha256, width }: RenditionSet): string {
  return `${sha256}:${width}:${renditionFormat}`;
}

function progressOf({ state, pagesReady }: RenditionRow): RenderProgress {
  return { done: state === 'done', pagesReady, failed: state === 'failed' };
}
