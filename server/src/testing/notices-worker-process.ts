import { flushCompileCache } from 'node:module';
import { openDatabase } from '#platform/database/database.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { openNotices } from './open-notices.ts';

/*
 * A program for tests: sends the notices of the database that its first argument names, through the mail server and the gateway that the
 * others name, until it is killed.
 */
const [, , url = '', smtpUrl = '', smsUrl = ''] = process.argv;
const log = silentLog();
const { db, pool } = openDatabase({ url, maxConnections: 5, log });
const notices = openNotices({ db }, { smtpUrl, smsUrl });
await startWorker({ pool, handlers: notices.jobs, concurrency: 3, log, recoverEveryMs: 100 });
// Not at exit: it is killed.
flushCompileCache();
