import { readFileSync } from 'node:fs';
import type { LanguageCode } from '@pergamin/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { createLog, silentLog } from '#platform/log/log.ts';
import { refusal, startMailServer } from '#testing/mail-server.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createMail, type MailService } from './create-mail.ts';
import { waitsMs } from './mail.rules.ts';
import type { MailMessage } from './mail.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
});

beforeEach(async () => {
  await database.pool.query('delete from graphile_worker._private_jobs');
  await database.pool.query('delete from mail_outbox');
});

afterAll(() => database[Symbol.asyncDispose]());

const catalogue = (language: LanguageCode): Record<string, string> => ({
  ...JSON.parse(readFileSync(new URL(`../../../../languages/${language.toLowerCase()}.json`, import.meta.url), 'utf8')),
  'brand.organisation': 'Bank Wiślany',
});

const serviceFor = (smtpUrl: string | undefined, { publicUrl = 'https://documents.example.com', log = silentLog() } = {}): MailService =>
  createMail({
    db: database.db,
    jobs: createJobs(database.db),
    settings: {
      publicUrl: new URL(publicUrl),
      smtpUrl: smtpUrl === undefined ? undefined : new URL(smtpUrl),
      mailFrom: 'no-reply@documents.example.com',
    },
    sentences: catalogue,
    clock: systemClock,
    log,
  });

const link = 'https://documents.example.com/identity/reset#c2VjcmV0LXRva2Vu';
const reset: MailMessage = { to: 'anna@example.com', language: 'EN', template: 'passwordReset', values: { link, time: '14:30' } };

const rows = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('created_at').execute();
const row = async () => {
  const [only, ...more] = await rows();
  if (only === undefined || more.length > 0) throw new Error('there is not one mail');
  return only;
};

interface JobRow {
  readonly id: string;
  readonly payload: { readonly attempt: number };
  readonly run_at: Date;
  readonly queue: string | null;
}

const waiting = async (): Promise<JobRow[]> =>
  (
    await database.pool.query<JobRow>(
      `select j.id, j.payload, j.run_at, q.queue_name as queue from graphile_worker._private_jobs j
       left join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by j.id`,
    )
  ).rows;

const never = new AbortController().signal;

/** What the queue does when the time has come: takes the one job that waits, and runs it. Returns in how many seconds it would have. */
const runNext = async (service: MailService): Promise<number> => {
  const [job] = await waiting();
  if (job === undefined) throw new Error('no job waits');
  await database.pool.query('delete from graphile_worker._private_jobs where id = $1', [job.id]);
  await service.jobs['mail:send']?.(job.payload, never);
  return Math.round((job.run_at.getTime() - Date.now()) / 1_000);
};

const header = (headers: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(headers)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ');

/** Headers as they came, and the two alternatives as they are read. */
const partsOf = ({ raw }: { raw: string } = { raw: '' }) => {
  const [headers = '', ...rest] = raw.split('\r\n\r\n');
  const body = Buffer.from(rest.join('\r\n\r\n').replaceAll('=\r\n', ''), 'utf8')
    .toString('latin1')
    .replaceAll(/=([\dA-F]{2})/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const [, text = '', html = ''] = Buffer.from(body, 'latin1')
    .toString('utf8')
    .split(/^--.*$/m);
  return { headers, text, html };
};

describe('a mail', () => {
  test('reaches its reader as text and as markup, and leaves no link behind', async () => {
    await using server = await startMailServer();
    const service = serviceFor(server.url);
    await service.send(reset);
    expect(await row()).toMatchObject({ state: 'queued', attempts: 0, recipient: 'anna@example.com', template: 'passwordReset' });
    await runNext(service);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'no-reply@documents.example.com', to: ['anna@example.com'] });
    const { headers, text, html } = partsOf(mail);
    expect(text).toContain(`\r\n${link}\r\n`);
    expect(html).toContain(`<a href="${link}">`);
    expect(html).toContain('<html lang="en">');
    expect(header(headers, 'Content-Type')).toMatch(/^multipart\/alternative/);
    expect(header(headers, 'Auto-Submitted')).toBe('auto-generated');
    expect(header(headers, 'From')).toBe('=?UTF-8?Q?Bank_Wi=C5=9Blany?= <no-reply@documents.example.com>');
    expect(header(headers, 'To')).toBe('anna@example.com');
    const sent = await row();
    expect(header(headers, 'Message-ID')).toBe(sent.message_id);
    expect(sent).toMatchObject({ state: 'sent', attempts: 1, content: null, last_error: null });
    expect(sent.sent_at).toBeInstanceOf(Date);
    expect(JSON.stringify(sent)).not.toContain('c2VjcmV0');
    expect(await waiting()).toEqual([]);
  });

  test('exists if and only if the transaction commits', async () => {
    const service = serviceFor('smtp://127.0.0.1:1');
    const undone = database.db.transaction().execute(async (trx) => {
      await service.send(reset, trx);
      throw new Error('changed its mind');
    });
    await expect(undone).rejects.toThrow('changed its mind');
    expect([await rows(), await waiting()]).toEqual([[], []]);
  });

  test('waits in a queue of its own, so that a silent mail server holds up nothing else', async () => {
    await serviceFor('smtp://127.0.0.1:1').send(reset);
    expect((await waiting()).map(({ queue }) => queue)).toEqual(['mail']);
  });

  test.each(['passwordReset', 'activation', 'activationWithCode', 'passwordChanged', 'contactChanged'] as const)(
    'a mail of %s has its words in both languages',
    async (template) => {
      const service = serviceFor(undefined, { publicUrl: 'http://localhost:8080' });
      const values = { ...reset.values, personalId: '10000001' };
      for (const language of ['PL', 'EN'] as const) await service.send({ ...reset, language, template, values });
      const written = (await service.listKept?.()) ?? [];
      expect(new Set(written.map(({ subject }) => subject)).size).toBe(2);
      for (const { subject, content } of written) {
        expect(subject).toContain('Bank Wiślany');
        expect(content).toContain('14:30');
        expect(`${subject}${content}`).not.toMatch(/[{}]/);
        expect(content?.includes('10000001')).toBe(template.startsWith('activation'));
      }
    },
  );

  test.each(['http://localhost:8080', 'https://documents.example.com'])(
    'mails of a batch are written with their jobs as one is (%s)',
    async (publicUrl) => {
      const service = serviceFor(publicUrl.startsWith('https') ? 'smtp://127.0.0.1:1' : undefined, { publicUrl });
      const readers = Array.from({ length: 1_201 }, (_, index) => `reader-${index}@example.com`);
      const messages = readers.map((to) => ({ ...reset, to }));
      await database.db.transaction().execute((trx) => service.sendAll(messages, trx));
      const written = await rows();
      expect(new Set(written.map(({ recipient }) => recipient))).toEqual(new Set(readers));
      const jobs = await waiting();
      expect(jobs.map(({ queue, payload }) => [queue, payload.attempt])).toEqual(
        publicUrl.startsWith('https') ? readers.map(() => ['mail', 1]) : [],
      );
    },
  );

  test('a mail that cannot be written rolls back all others of its call', async () => {
    const service = serviceFor('smtp://127.0.0.1:1');
    const messages = [reset, { ...reset, to: 'nobody' }];
    await expect(database.db.transaction().execute((trx) => service.sendAll(messages, trx))).rejects.toThrow('not an address');
    expect([await rows(), await waiting()]).toEqual([[], []]);
  });

  test('a mail whose words lack a value is not written at all', async () => {
    const service = serviceFor(undefined, { publicUrl: 'http://localhost:8080' });
    await expect(service.send({ ...reset, values: { time: '14:30' } })).rejects.toThrow('needs the value link');
    expect(await rows()).toEqual([]);
  });

  test.each([
    'nobody',
    'anna@example.com\r\nBcc: all@example.com',
    'Anna <anna@example.com>',
    '"a@evil.example"@example.com',
    'anna@example.com\u0000',
    `${'a'.repeat(250)}@example.com`,
  ])('a mail to %j is refused', async (to) => {
    await expect(serviceFor('smtp://127.0.0.1:1').send({ ...reset, to })).rejects.toThrow('not an address');
    expect(await rows()).toEqual([]);
  });

  test('cannot be given a header, a line or markup by a value', async () => {
    await using server = await startMailServer();
    const service = serviceFor(server.url);
    const time = '1\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>{{link}}\u2028https://evil.example';
    await service.send({ ...reset, template: 'passwordChanged', values: { time, organisation: 'Bank\r\nX-Evil: 1' } });
    await runNext(service);
    const [mail] = server.received;
    expect(mail?.to).toEqual(['anna@example.com']);
    const { headers, text, html } = partsOf(mail);
    expect(headers).not.toMatch(/^(Bcc|X-Evil):/im);
    expect(text).not.toMatch(/^(Bcc|X-Evil)/im);
    expect(html).not.toMatch(/<script|<a /);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;{{link}} https://evil.example');
  });

  test('says nothing of its words or its reader in the log', async () => {
    await using server = await startMailServer();
    const lines: string[] = [];
    const service = serviceFor(server.url, { log: createLog('trace', { write: (line) => void lines.push(line) }) });
    await service.send(reset);
    await runNext(service);
    expect(lines).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/anna|c2VjcmV0|Wiślany/);
  });
});

describe('a mail server that', () => {
  test('refuses for now is asked again, later each time, and gets the mail once', async () => {
    let refusals = 3;
    await using server = await startMailServer({
      onRecipient: async () => {
        refusals -= 1;
        if (refusals >= 0) throw refusal(450, 'greylisted, try https://mail.example/why?token=c2VjcmV0');
      },
    });
    const service = serviceFor(server.url);
    await service.send(reset);
    const pauses = [await runNext(service)];
    expect(await row()).toMatchObject({ state: 'queued', attempts: 1, last_error: expect.stringContaining('450') });
    expect((await row()).last_error).not.toContain('c2VjcmV0');
    for (let attempt = 2; attempt <= 4; attempt += 1) pauses.push(await runNext(service));
    expect(pauses.map((pause) => pause > 0)).toEqual([false, true, true, true]);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(server.received).toHaveLength(1);
    expect(await row()).toMatchObject({ state: 'sent', attempts: 4, content: null, last_error: null });
  });

  test('refuses every time is given up, and why is kept', async () => {
    await using server = await startMailServer({ onMail: async () => Promise.reject(refusal(451, 'disk full')) });
    const service = serviceFor(server.url);
    await service.send(reset);
    await runNext(service);
    await database.pool.query('update mail_outbox set created_at = created_at - make_interval(secs => $1)', [waitsMs / 1_000]);
    await runNext(service);
    expect(await waiting()).toEqual([]);
    expect(await row()).toMatchObject({ state: 'failed', attempts: 2, last_error: expect.stringContaining('451') });
  });

  test.each([
    ['a recipient', { onRecipient: async () => Promise.reject(refusal(550, 'no such user')) }],
    ['a mail', { onMail: async () => Promise.reject(refusal(554, 'looks like spam')) }],
  ])('refuses %s for good is not asked again', async (_what, behaviour) => {
    await using server = await startMailServer(behaviour);
    const service = serviceFor(server.url);
    await service.send(reset);
    await runNext(service);
    expect(await row()).toMatchObject({ state: 'failed', attempts: 1, last_error: expect.stringMatching(/55[04]/) });
    expect(await waiting()).toEqual([]);
  });

  test('is not there is asked again', async () => {
    const server = await startMailServer();
    await server[Symbol.asyncDispose]();
    const service = serviceFor(server.url);
    await service.send(reset);
    await runNext(service);
    expect(await row()).toMatchObject({ state: 'queued', attempts: 1, last_error: expect.stringContaining('ECONNREFUSED') });
    expect(await waiting()).toHaveLength(1);
  });

  test('has a certificate without a trusted issuer gets neither password nor mail', async () => {
    await using server = await startMailServer({ secure: true, login: { user: 'portal', password: 'p@ss' } });
    const service = serviceFor(server.url);
    await service.send(reset);
    await runNext(service);
    expect(await row()).toMatchObject({ state: 'queued', attempts: 1, last_error: expect.stringMatching(/certificate/i) });
    expect(server.received).toEqual([]);
  });

  test('wants a password gets that of its address', async () => {
    await using server = await startMailServer({ login: { user: 'portal', password: 'p@ss:word' } });
    const service = serviceFor(server.url);
    await service.send(reset);
    await runNext(service);
    expect(await row()).toMatchObject({ state: 'sent' });
  });

  test('is given the wrong password is asked again: the settings can be put right', async () => {
    await using server = await startMailServer({ login: { user: 'portal', password: 'p@ss:word' } });
    const service = serviceFor(server.url.replace('p%40ss', 'wrong'));
    await service.send(reset);
    await runNext(service);
    expect(await row()).toMatchObject({ state: 'queued', attempts: 1, last_error: expect.stringContaining('EAUTH') });
  });
});

describe('without a mail server', () => {
  test('mail waits on the machine itself, newest first, never as a job', async () => {
    const service = serviceFor(undefined, { publicUrl: 'http://localhost:8080' });
    await service.send(reset);
    await service.send({ ...reset, to: 'jan@example.com' });
    expect((await service.listKept?.())?.map(({ recipient }) => recipient)).toEqual(['jan@example.com', 'anna@example.com']);
    expect((await rows()).map(({ state }) => state)).toEqual(['kept', 'kept']);
    expect(await waiting()).toEqual([]);
  });

  test('a portal that others reach records the failure, keeps no link, and says so at its start', async () => {
    const lines: string[] = [];
    const service = serviceFor(undefined, { log: createLog('warn', { write: (line) => void lines.push(line) }) });
    expect(lines.join('')).toContain('SMTP_URL is not set');
    await service.send(reset);
    expect(service.listKept).toBeUndefined();
    expect(await row()).toMatchObject({ state: 'failed', content: null, last_error: 'SMTP_URL is not set' });
  });
});

test('what is done is forgotten after ninety days, what waits is not', async () => {
  const service = serviceFor(undefined);
  for (let mails = 0; mails < 3; mails += 1) await service.send(reset);
  const [old, waits] = await rows();
  await database.pool.query(`update mail_outbox set created_at = now() - interval '91 days' where id in ($1, $2)`, [old?.id, waits?.id]);
  await database.pool.query(`update mail_outbox set state = 'queued', content = 'words' where id = $1`, [waits?.id]);
  await service.jobs['mail:sweep']?.({}, never);
  expect((await rows()).map(({ id }) => id)).not.toContain(old?.id);
  expect(await rows()).toHaveLength(2);
});
