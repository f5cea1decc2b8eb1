import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { copyObject, ObjectAltered } from './object-copy.ts';

export const firstPagePayload = z.object({ objectKey: z.string(), sha256: z.string(), width: z.int(), format: z.int() });
export type FirstPagePayload = z.output<typeof firstPagePayload>;

interface Parts {
  objects: Pick<Objects, 'open'>;
  pdf: Pick<PdfPool, 'render'>;
  renditions: Renditions;
  log: Log;
}

/** A page of text takes a fortieth of it. What takes longer is left to whoever wants to see it. */
const deadlineMs = 1_000;

/** Draws the first page of a document that nobody has opened yet. May be run again at any time; what cannot be drawn is left alone. */
export async function renderFirstPage(
  { objects, pdf, renditions, log }: Parts,
  payload: FirstPagePayload,
  signal?: AbortSignal,
): Promise<void> {
  if (payload.format !== renditionFormat || (await renditions.has({ ...payload, page: 1 }))) return;
  const path = await renditions.makeWorkPath();
  const stoppable = signal ? { signal } : {};
  try {
    await copyObject(objects, { ...payload, path, ...stoppable });
    await pdf.render({
      path,
      width: payload.width,
      pages: [1],
      priority: 'background',
      deadlineMs,
      ...stoppable,
      onPage: (image) => renditions.put({ ...payload, page: 1 }, image, { aheadOfTime: true }),
    });
  } catch (error) {
    if (!(error instanceof PdfError) && !(error instanceof ObjectAltered)) throw error;
    log.info({ err: error, sha256: payload.sha256 }, 'a first page was not drawn ahead of time');
  } finally {
    await rm(path, { force: true });
  }
}
