import { viewerLimits } from '@pergamin/contract';
import type { Transaction } from 'kysely';
import * as z from 'zod';
import type { Database } from '#platform/database/schema.ts';
import type { BatchJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { idOf, isOfDocument, type RenderableObject, type WithCopy } from './source-copies.ts';

interface Parts {
  readonly withCopy: WithCopy;
  readonly pdf: Pick<PdfPool, 'drawPage'>;
  readonly renditions: Pick<Renditions, 'has' | 'put'>;
  readonly jobs: Pick<BatchJobs, 'addAll'>;
  readonly onDrawn: () => void;
  readonly log: Log;
}

const payloadSchema = z.object({ objectKey: z.string(), sha256: z.string(), width: z.int(), format: z.int() });
type Payload = z.output<typeof payloadSchema>;

export const firstPageJob = 'render-first-page';
const afterOtherJobs = 100;
/** Of processor time; a page of text takes a hundredth of it. */
const cpuMs = 5_000;

/** Prefetches the first pages of publications in jobs. */
export const createFirstPages = ({ withCopy, pdf, renditions, jobs, onDrawn, log }: Parts) => ({
  /** Adds a job for each content with this transaction. */
  prepare: async (trx: Transaction<Database>, published: readonly Pick<RenderableObject, 'objectKey' | 'sha256'>[]): Promise<void> => {
    const payloads = new Map<string, Payload>();
    for (const { objectKey, sha256 } of published) {
      const payload = { objectKey, sha256, width: viewerLimits.defaultRenderWidthPx, format: renditionFormat };
      payloads.set(`first-page:${idOf(payload)}:${renditionFormat}`, payload);
    }
    // One at a time, so that many publications leave the other places of the job runner free.
    const oneByOne = { maxAttempts: 3, priority: afterOtherJobs, queue: 'first-pages' } as const;
    await jobs.addAll(firstPageJob, [...payloads.values()], { ...oneByOne, trx, jobKeys: [...payloads.keys()] });
  },
  draw: async (unchecked: unknown, signal: AbortSignal): Promise<void> => {
    const payload = payloadSchema.parse(unchecked);
    const key = { sha256: payload.sha256, width: payload.width, page: 1 };
    if (payload.format !== renditionFormat || (await renditions.has(key))) return;
    try {
      await withCopy(payload, async (path) => {
        const task = { priority: 'publication', client: firstPageJob, signal } as const;
        const image = await pdf.drawPage({ path, page: 1, width: key.width, cpuMs, task });
        await renditions.put(key, image, { aheadOfTime: true });
      });
      onDrawn();
    } catch (error) {
      if (!isOfDocument(error)) throw error;
      log.info({ err: error, sha256: key.sha256 }, 'a first page could not be prefetched');
    }
  },
});
