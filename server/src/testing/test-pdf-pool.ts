import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool } from '#platform/pdf/pdf-pool.ts';

let pool: PdfPool | undefined;

/** One for all test files of a process, never closed: starting a thread costs more than reading most of their documents. */
export const testPdfPool = (): PdfPool => {
  pool ??= createPdfPool({ log: silentLog(), minThreads: 0 });
  return { ...pool, close: async () => {} };
};
