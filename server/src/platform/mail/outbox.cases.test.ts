import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { type MailServer, refusal, startMailServer } from '#testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createMail, type MailService } from './create-mail.ts';

/** A queued mail is taken only by its current attempt: by no earlier one, and by none that comes too early. */

let database: TestDatabase;
let server: MailServer;
let refusesWith: Error | undefined;
let service: MailService;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
  server = await startMailServer({
    async onRecipient() {
      if (refusesWith !== undefined) throw refusesWith;
    },
  });
  service = createMail({
    db: database.db,
    jobs: createJobs(database.db),
    settings: {
      publicUrl: new URL('https://documents.example.com'),
      smtpUrl: new URL(server.url),
      mailFrom: 'no-reply@documents.example.com',
    },
    sentences: () => ({
      'brand.organisation': 'Bank',
      'mail.passwordReset.subject': 'A new password',
      'mail.passwordReset.text': 'Set it here: {{link}}',
    }),
    clock: systemClock,
    log: silentLog(),
  });
});
beforeEach(async () => {
  await database.pool.query('delete from mail_outbox');
  server.received.length = 0;
  refusesWith = undefined;
  await service.send({ to: 'anna@example.com', language: 'EN', template: 'passwordReset', values: { link: 'https://x.example/r#1' } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const row = () => database.db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();

const attempt = async (number: number): Promise<void> => {
  const { id } = await row();
  await service.jobs['mail:send']?.({ mailId: id, attempt: number }, new AbortController().signal);
};

test('an attempt whose turn has not come takes no mail, and leaves it to the one before', async () => {
  await attempt(2);
  expect(server.received).toEqual([]);
  expect(await row()).toMatchObject({ state: 'queued', attempts: 0 });
  await attempt(1);
  expect(server.received).toHaveLength(1);
});

test('an attempt that was refused and is run once more sends nothing: the mail waits for the next one', async () => {
  refusesWith = refusal(451, 'later');
  await attempt(1);
  refusesWith = undefined;
  await attempt(1);
  expect(server.received).toEqual([]);
  expect(await row()).toMatchObject({ state: 'queued', attempts: 1 });
  await attempt(2);
  expect(server.received).toHaveLength(1);
  expect(await row()).toMatchObject({ state: 'sent', attempts: 2 });
});

test('an attempt that comes after the mail was sent sends nothing', async () => {
  await attempt(1);
  await attempt(2);
  expect(server.received).toHaveLength(1);
  expect(await row()).toMatchObject({ state: 'sent', attempts: 1 });
});
