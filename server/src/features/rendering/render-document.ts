import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { copyObject, ObjectAltered } from './object-copy.ts';
import { beginRendering, updateRendition } from './rendering.store.ts';

export const renderPayload = z.object({
  objectKey: z.string(),
  sha256: z.string(),
  pages: z.int(),
  width: z.int(),
  format: z.int(),
  priority: z.enum(['now', 'background']),
  /** The job's place in the queue: lower goes first. */
  urgency: z.int(),
});
export type RenderPayload = z.output<typeof renderPayload>;

/** How a long document lets others go first. */
export interface Turns {
  /** Called after the row says done or failed. */
  onSettled(payload: RenderPayload): void;
  isAnotherMoreUrgent(payload: RenderPayload): Promise<boolean>;
  isAnotherAsUrgent(payload: RenderPayload): Promise<boolean>;
  /** Puts the job in the queue again, behind those as urgent. */
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
 * Draws the pages of one document that are not there yet, the first one first. May be run again at any time, and twice at once: pages that
 * are there stay, and an image is put in place as a whole.
 */
export async function renderDocument(parts: Parts, payload: RenderPayload, signal?: AbortSignal): Promise<void> {
  const { db, renditions, log, turns } = parts;
  // A server of an older or newer version asked: it will not find images of this format, nor we those of its.
  if (payload.format !== renditionFormat) return;
  const present = await renditions.listPages(payload);
  const missing = range(payload.pages).filter((page) => !present.has(page));
  if (!(await beginRendering(db, { ...payload, pagesReady: readyBefore(missing[0], payload) }))) return;
  try {
    const drawn = missing.length > 0 ? await renderMissing(parts, payload, { missing, ...(signal ? { signal } : {}) }) : 0;
    if (drawn < missing.length) {
      await updateRendition(db, { ...payload, state: 'rendering', pagesReady: readyBefore(missing[drawn], payload) });
      await turns.goOnLater(payload);
      return;
    }
    await updateRendition(db, { ...payload, state: 'done', pagesReady: payload.pages });
    turns.onSettled(payload);
  } catch (error) {
    // On shutdown the queue keeps the job, and whoever takes it goes on where this one stopped.
    const state = signal?.aborted ? 'queued' : 'failed';
    log.warn({ err: error, sha256: payload.sha256, width: payload.width, state }, 'a document could not be rendered');
    await updateRendition(db, { ...payload, state, error: error instanceof Error ? error.message : String(error) });
    if (state === 'failed') turns.onSettled(payload);
    // What is wrong with the document stays wrong; anything else (a store, a disk) is worth the queue's next attempt.
    if (!(error instanceof PdfError) && !(error instanceof ObjectAltered)) throw error;
  }
}

/** How many pages were drawn: not all of them when others are to go first. */
async function renderMissing(
  parts: Parts,
  payload: RenderPayload,
  { missing, signal }: { missing: number[]; signal?: AbortSignal },
): Promise<number> {
  const { db, objects, pdf, renditions, turns } = parts;
  const path = await renditions.makeWorkPath();
  let stored = 0;
  let toldAtMs = -Infinity;
  let givesWay = false;
  const pages = function* (): Generator<number> {
    for (const page of missing) {
      if (givesWay) return;
      yield page;
    }
  };
  try {
    await copyObject(objects, { ...payload, path, ...(signal ? { signal } : {}) });
    await pdf.render({
      path,
      width: payload.width,
      pages: pages(),
      priority: payload.priority,
      ...(signal ? { signal } : {}),
      async onPage({ page, bytes }) {
        await renditions.put({ ...payload, page }, bytes);
        stored++;
        if (stored % pagesPerTurn === 0)
          givesWay = await (stored < longTurn ? turns.isAnotherMoreUrgent(payload) : turns.isAnotherAsUrgent(payload));
        if (performance.now() - toldAtMs < progressEveryMs) return;
        toldAtMs = performance.now();
        await updateRendition(db, { ...payload, state: 'rendering', pagesReady: readyBefore(missing[stored], payload) });
      },
    });
  } finally {
    await rm(path, { force: true });
  }
  return stored;
}

/** After so many pages a more urgent document goes first, after a long turn one as urgent too. */
const pagesPerTurn = 4;
const longTurn = 24;

const progressEveryMs = 150;

/** Readers are told of the pages up to the first one that is missing. */
function readyBefore(firstMissing: number | undefined, { pages }: RenderPayload): number {
  return (firstMissing ?? pages + 1) - 1;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}
