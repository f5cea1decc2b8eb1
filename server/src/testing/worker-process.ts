import { flushCompileCache } from 'node:module';
import { openDatabase } from '#platform/database/database.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';

/*
 * A program for tests: runs the jobs named `work` of the database that its argument names, says `taken` for each as a line, and finishes none.
 */
const [, , url = ''] = process.argv;
const log = silentLog();
const { pool } = openDatabase({ url, maxConnections: 5, log });
await startWorker({
  pool,
  handlers: {
    work: () => {
      process.stdout.write('taken\n');
      return new Promise<void>(() => {});
    },
  },
  concurrency: 2,
  log,
});
// Not at exit: it is killed.
flushCompileCache();
