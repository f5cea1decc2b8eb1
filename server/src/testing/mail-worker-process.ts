import { flushCompileCache } from 'node:module';
import { systemClock } from '#platform/clock/clock.ts';
import { openDatabase } from '#platform/database/database.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createMail } from '#platform/mail/create-mail.ts';

/*
 * A program for tests: sends the mail of the database that its first argument names, through the server that its second names, until it is
 * killed.
 */
const [, , url = '', smtpUrl = ''] = process.argv;
const log = silentLog();
const { db, pool } = openDatabase({ url, maxConnections: 5, log });
const mail = createMail({
  db,
  jobs: createJobs(db),
  settings: { publicUrl: new URL('https://documents.example.com'), smtpUrl: new URL(smtpUrl), mailFrom: 'no-reply@documents.example.com' },
  sentences: () => ({ 'brand.organisation': 'Bank Wiślany' }),
  clock: systemClock,
  log,
});
await startWorker({ pool, handlers: mail.jobs, concurrency: 2, log });
// Not at exit: it is killed.
flushCompileCache();
