import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool } from '#platform/pdf/pdf-pool.ts';

let pool: PdfPool | undefined;

/**
 * One for all test files of a process, never closed: starting a thread costs more than reading most of their documents. As on the smallest
 * machine: one thread, and the one reserved for pages that a client waits for.
 */
export const testPdfPool = (): PdfPool => {
  pool ??= createPdfPool({ log: silentLog(), workers: 1, minThreads: 0 });
  return { ...pool, close: async () => {} };
};
