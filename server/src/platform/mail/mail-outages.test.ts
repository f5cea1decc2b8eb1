import { createServer, type Server } from 'node:net';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { createLog, silentLog } from '#platform/log/log.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { portOf } from '#testing/raw-http.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createMail, type MailService } from './create-mail.ts';
import type { MailMessage } from './mail.ts';

/** A mail server that is away for a night, and what waits meanwhile. */

let database: TestDatabase;
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
/** Of the service of this test: the end of an outage of the test before is logged a second after it. */
let lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
});
beforeEach(async () => {
  await database.pool.query('delete from graphile_worker._private_jobs');
  await database.pool.query('delete from mail_outbox');
  aheadMs = 0;
  lines = [];
});
afterAll(() => database[Symbol.asyncDispose]());

const texts = Object.fromEntries(
  ['passwordReset', 'activation', 'contactChanged'].flatMap((template) => [
    [`mail.${template}.subject`, template],
    [`mail.${template}.text`, '{{link}}'],
  ]),
);

const serviceFor = (smtpUrl: string): MailService => {
  const own = lines;
  return createMail({
    db: database.db,
    jobs: createJobs(database.db),
    settings: { publicUrl: new URL('https://documents.example.com'), smtpUrl: new URL(smtpUrl), mailFrom: 'no-reply@example.com' },
    sentences: () => ({ 'brand.organisation': 'Bank', ...texts }),
    clock,
    log: createLog('warn', { write: (line) => void own.push(JSON.parse(line)) }),
  });
};

const message = (template: MailMessage['template'], validForMs?: number): MailMessage => ({
  to: 'anna@example.com',
  language: 'EN',
  template,
  values: { link: 'https://documents.example.com/x#c2VjcmV0' },
  ...(validForMs === undefined ? {} : { validUntil: new Date(clock.now().getTime() + validForMs) }),
});

/** What the queue does: of the jobs that are due by then, the most urgent first. Gives how many it has run. */
const runDue = async (service: MailService, byMs = 0): Promise<number> => {
  const { rows } = await database.pool.query<{ id: string; payload: object }>(
    `select id, payload from graphile_worker._private_jobs where run_at <= now() + make_interval(secs => $1)
     order by priority, run_at, id limit 1`,
    [byMs / 1_000],
  );
  const [job] = rows;
  if (job === undefined) return 0;
  await database.pool.query('delete from graphile_worker._private_jobs where id = $1', [job.id]);
  await service.jobs['mail:send']?.(job.payload, new AbortController().signal);
  return 1 + (await runDue(service, byMs));
};

const rows = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('template').execute();

/** A port at which nothing answers until a mail server is started there: below those that a system gives to others. */
const aDeadPort = async (): Promise<number> => {
  const server: Server = createServer().listen(randomInt(20_000, 30_000), '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
};

/** After each `step` of hours what is due by then is tried. */
const passHours = async (service: MailService, hours: number, step = 1): Promise<void> => {
  for (let hour = 0; hour < hours; hour += step) {
    aheadMs += step * 3_600_000;
    await database.pool.query('update graphile_worker._private_jobs set run_at = run_at - make_interval(hours => $1)', [step]);
    await runDue(service);
  }
};

test('after a mail server was away for two days every letter is sent, the urgent ones first, and none of them twice', async () => {
  const port = await aDeadPort();
  const service = serviceFor(`smtp://127.0.0.1:${port}`);
  const sevenDays = 7 * 86_400_000;
  for (let letters = 0; letters < 3; letters += 1) await service.send(message('activation', sevenDays));
  await runDue(service);
  await passHours(service, 48, 8);
  for (const template of ['contactChanged', 'passwordReset'] as const) await service.send(message(template, 3_600_000));
  await runDue(service);
  expect((await rows()).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'queued'));
  await using server = await startMailServer({ port });
  // One letter is due; with it all others are.
  await database.pool.query(
    `update graphile_worker._private_jobs set run_at = now() where id = (select min(id) from graphile_worker._private_jobs)`,
  );
  await runDue(service);
  const subjects = server.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim());
  expect(subjects.slice(1)).toEqual(['passwordReset', 'contactChanged', 'activation', 'activation']);
  expect((await rows()).map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'sent'));
});

test('a letter is not sent with a link that has expired while it waited, and its row says why', async () => {
  const port = await aDeadPort();
  const service = serviceFor(`smtp://127.0.0.1:${port}`);
  await service.send(message('passwordReset', 30 * 60_000));
  await runDue(service);
  await using server = await startMailServer({ port });
  await passHours(service, 1);
  expect(server.received).toEqual([]);
  expect(await rows()).toMatchObject([{ state: 'failed', content: null, last_error: 'the link in it has expired; it was not sent' }]);
});

test('a letter is given up after three days, its text is kept while its link works, and the hourly sweep removes it after that', async () => {
  const port = await aDeadPort();
  const service = serviceFor(`smtp://127.0.0.1:${port}`);
  await service.send(message('activation', 7 * 86_400_000));
  await runDue(service);
  await passHours(service, 80, 8);
  expect(await rows()).toMatchObject([{ state: 'failed', content: expect.stringContaining('c2VjcmV0') }]);
  await service.jobs['mail:sweep']?.({}, new AbortController().signal);
  expect(await rows()).toMatchObject([{ content: expect.stringContaining('c2VjcmV0') }]);
  aheadMs += 5 * 86_400_000;
  await service.jobs['mail:sweep']?.({}, new AbortController().signal);
  expect(await rows()).toMatchObject([{ state: 'failed', content: null }]);
});

test('an outage of the mail server is two lines of the log, however many letters were tried meanwhile, and says neither letter nor reader', async () => {
  const port = await aDeadPort();
  const service = serviceFor(`smtp://127.0.0.1:${port}`);
  for (let letters = 0; letters < 5; letters += 1) await service.send(message('contactChanged'));
  await runDue(service);
  await passHours(service, 3);
  expect(lines).toMatchObject([{ level: 50, outage: 'mail', reason: expect.stringContaining('ECONNREFUSED') }]);
  expect(service.contact().failedAt).toBeInstanceOf(Date);
  await using server = await startMailServer({ port });
  await passHours(service, 1);
  expect(server.received).toHaveLength(5);
  await expect.poll(() => lines.length, { timeout: 5_000 }).toBe(2);
  expect(lines[1]).toMatchObject({
    level: 40,
    outage: 'mail',
    failures: expect.toSatisfy((count: number) => count >= 20),
    seconds: expect.any(Number),
  });
  expect(JSON.stringify(lines)).not.toMatch(/anna|c2VjcmV0/);
  const { answeredAt, failedAt } = service.contact();
  expect(Number(answeredAt)).toBeGreaterThan(Number(failedAt));
});
