import { type Log, silentLog } from '#platform/log/log.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import { createPdfPool, type PdfPool } from '#platform/pdf/pdf-pool.ts';

/** As on the smallest machine: one thread, and the one reserved for pages that a client waits for. They start with their first tasks. */
export const openPdfPool = (log: Log): PdfPool => createPdfPool({ log, workers: 1, minThreads: 0 });

let pool: PdfPool | undefined;

/** One for all test files of a process, never closed: starting a thread costs more than reading most of their documents. */
export const testPdfPool = (): PdfPool => {
  pool ??= openPdfPool(silentLog());
  return { ...pool, close: async () => {} };
};

/** A pool for which every first page takes too long to be prefetched: drawing it costs more than the rest of a publication. */
export const withoutFirstPages = (drawing: PdfPool): PdfPool => ({
  ...drawing,
  async drawPage(job) {
    if (job.task.priority === 'publication') throw new PdfError('RENDER_FAILED', 'this test draws no first pages');
    return drawing.drawPage(job);
  },
});
