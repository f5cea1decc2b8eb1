import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { copyObject, ObjectAltered } from './object-copy.ts';
import { createPageOrder } from './page-order.ts';
import { beginRendering, storageFault, updateRendition } from './rendering.store.ts';

export const renderPayload = z.object({
  objectKey: z.string(),
  sha256: z.string(),
  pages: z.int(),
  width: z.int(),
  format: z.int(),
  priority: z.enum(['now', 'background']),
  /** The job's place in the queue: lower goes first. */
  urgency: z.int(),
  /** Its line: of one reader's documents one is drawn at a time. */
  queue: z.optional(z.string()),
});
export type RenderPayload = z.output<typeof renderPayload>;

/** How a long document lets others go first. */
export interface Turns {
  /** How often somebody in this process has asked for a document that is to be drawn. */
  requests(): number;
  /** Called after the first page of a turn is there, and after the row says done or failed. */
  onNews(payload: RenderPayload, news: 'drawn' | 'settled'): void;
  isAnotherMoreUrgent(payload: RenderPayload): Promise<boolean>;
  isAnotherAsUrgent(payload: RenderPayload): Promise<boolean>;
  /** Puts the job in the queue again, behind those as urgent, and behind those of which nothing was drawn yet. */
  goOnLater(payload: RenderPayload): Promise<void>;
}

interface Parts {
  db: Kysely<Database>;
  objects: Pick<Objects, 'open'>;
  pdf: Pick<PdfPool, 'render'>;
  renditions: Renditions;
  log: Log;
  turns: Turns;
}

/**
 * Draws the pages of one document that are not there yet: the first one first, then those around the page that somebody looks at. May be run
 * again at any time, and twice at once: pages that are there stay, and an image is put in place as a whole.
 */
export async function renderDocument(parts: Parts, payload: RenderPayload, signal?: AbortSignal): Promise<void> {
  const { db, renditions, log, turns } = parts;
  // A server of an older or newer version asked: it will not find images of this format, nor we those of its.
  if (payload.format !== renditionFormat) return;
  const present = await renditions.listPages(payload);
  const missing = Array.from({ length: payload.pages }, (_, index) => index + 1).filter((page) => !present.has(page));
  const begun = await beginRendering(db, { ...payload, pagesReady: payload.pages - missing.length });
  if (begun === undefined) return;
  try {
    const turn = { missing, lookedPage: begun.lookedPage, ...(signal ? { signal } : {}) };
    const drawn = missing.length > 0 ? await renderMissing(parts, payload, turn) : 0;
    // A turn that draws nothing would be followed by another such one, without end.
    if (drawn === 0 && missing.length > 0) throw new Error(`none of ${missing.length} missing pages was drawn in a turn`);
    if (drawn < missing.length) {
      // In the queue again, where whoever asks may find it more urgent.
      await updateRendition(db, { ...payload, state: 'queued', pagesReady: payload.pages - missing.length + drawn });
      await turns.goOnLater(payload);
      return;
    }
    await updateRendition(db, { ...payload, state: 'done', pagesReady: payload.pages });
    turns.onNews(payload, 'settled');
  } catch (error) {
    // On shutdown the queue keeps the job, and whoever takes it goes on where this one stopped.
    const state = signal?.aborted ? 'queued' : 'failed';
    log.warn({ err: error, sha256: payload.sha256, width: payload.width, state }, 'a document could not be rendered');
    const why = error instanceof Error ? error.message : String(error);
    await updateRendition(db, { ...payload, state, error: isStorageFault(error) ? `${storageFault}${why}` : why });
    if (state === 'failed') turns.onNews(payload, 'settled');
    // What is wrong with the document stays wrong; anything else (a store, a disk) is worth the queue's next attempt.
    if (!(error instanceof PdfError) && !(error instanceof ObjectAltered)) throw error;
  }
}

interface Turn {
  missing: number[];
  lookedPage: number | null;
  signal?: AbortSignal;
}

/** How many pages were drawn: not all of them when others are to go first. */
async function renderMissing(parts: Parts, payload: RenderPayload, { missing, lookedPage, signal }: Turn): Promise<number> {
  const { db, objects, pdf, renditions, turns } = parts;
  const order = createPageOrder(missing, lookedPage ?? undefined);
  const path = await renditions.makeWorkPath();
  const before = payload.pages - missing.length;
  const isWaitedFor = missing[0] === 1 || (lookedPage !== null && missing.includes(lookedPage));
  let stored = 0;
  let toldAtMs = -Infinity;
  let asked = { atMs: performance.now(), requests: turns.requests() };
  let givesWay = false;
  const pages = function* (): Generator<number> {
    for (;;) {
      const page = order.next();
      if (page === undefined || givesWay) return;
      yield page;
    }
  };
  const isTimeToGiveWay = async (): Promise<boolean> => {
    if (performance.now() - asked.atMs < askEveryMs && turns.requests() === asked.requests) return false;
    asked = { atMs: performance.now(), requests: turns.requests() };
    return stored < longTurn ? turns.isAnotherMoreUrgent(payload) : turns.isAnotherAsUrgent(payload);
  };
  try {
    await copyObject(objects, { ...payload, path, ...(signal ? { signal } : {}) });
    await pdf.render({
      path,
      width: payload.width,
      pages: pages(),
      priority: payload.priority === 'now' && !isWaitedFor ? 'soon' : payload.priority,
      ...(signal ? { signal } : {}),
      async onPage({ page, ...image }) {
        await renditions.put({ ...payload, page }, image);
        stored++;
        if (stored === 1) turns.onNews(payload, 'drawn');
        givesWay = await isTimeToGiveWay();
        if (performance.now() - toldAtMs < progressEveryMs) return;
        toldAtMs = performance.now();
        const looked = await updateRendition(db, { ...payload, state: 'rendering', pagesReady: before + stored });
        if (looked !== null) order.lookAt(looked);
      },
    });
  } finally {
    await rm(path, { force: true });
  }
  return stored;
}

/** So often others are looked for that were asked for in another process; those of this one are known at once. */
const askEveryMs = 150;
/** After so many pages a document as urgent goes first, too. */
const longTurn = 24;

const progressEveryMs = 150;
