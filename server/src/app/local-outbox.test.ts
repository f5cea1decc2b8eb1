import type { LanguageCode } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { createHttpServer } from '#platform/http/http-server.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log/log.ts';
import { createMail, type MailService } from '#platform/mail/create-mail.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { startTestPortal } from '#testing/test-portal.ts';
import { createBranding } from '#features/branding/branding.door.ts';
import { serveLocalOutbox } from './local-outbox.ts';
import { product } from './product.ts';

const link = 'http://localhost:8080/identity/reset#c2VjcmV0';

let database: TestDatabase;
let sentences: (language: LanguageCode) => Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const branding = await createBranding({
    product,
    folder: undefined,
    organisationName: 'Bank <b>Wiślany</b>',
    timeZone: 'Europe/Warsaw',
  });
  sentences = (language) => branding.sentences(language);
});

afterAll(() => database[Symbol.asyncDispose]());

const open = async (publicUrl: string, smtpUrl?: string): Promise<{ server: FastifyInstance; mail: MailService }> => {
  const mail = createMail({
    db: database.db,
    jobs: createJobs(database.db),
    settings: {
      publicUrl: new URL(publicUrl),
      smtpUrl: smtpUrl === undefined ? undefined : new URL(smtpUrl),
      mailFrom: 'no-reply@localhost',
    },
    sentences,
    clock: systemClock,
    log: silentLog(),
  });
  const server = await createHttpServer({ publicUrl: new URL(publicUrl), log: silentLog(), trustedProxies: [] });
  serveLocalOutbox(server, { listKept: mail.listKept, sentences, timeZone: 'Europe/Warsaw' });
  return { server, mail };
};

const here = { host: 'localhost:8080' };

describe('the local outbox', () => {
  let server: FastifyInstance;
  let mail: MailService;

  beforeAll(async () => {
    ({ server, mail } = await open('http://localhost:8080'));
  });
  afterAll(() => server.close());

  test('says that there is nothing yet, in both languages', async () => {
    const [pl, en] = await Promise.all(['PL', 'EN'].map((lang) => server.inject({ url: `/local-outbox?lang=${lang}`, headers: here })));
    expect(pl?.body).toContain('<html lang="pl">');
    expect(pl?.body).toContain('Nie ma jeszcze wiadomości');
    expect(en?.body).toContain('No messages yet');
  });

  test('shows letters newest first, with a link that can be followed and nothing that runs', async () => {
    const message = { to: 'anna@example.com', language: 'EN', template: 'passwordReset', values: { link, time: '14:30' } } as const;
    await mail.send(message);
    await mail.send({ ...message, to: "o'hara@example.com", template: 'passwordChanged' });
    const answer = await server.inject({ url: '/local-outbox', headers: here });
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(answer.body).toContain(`<a href="${link}">${link}</a>`);
    expect(answer.body.indexOf('o&#39;hara@example.com')).toBeLessThan(answer.body.indexOf('anna@example.com'));
    expect(answer.body).toContain('Bank &lt;b&gt;Wiślany&lt;/b&gt;');
    expect(answer.body).not.toMatch(/<b>|<script|<style| style=| on\w+=/);
  });

  test('has its styles in a file of their own', async () => {
    const answer = await server.inject({ url: '/local-outbox.css', headers: here });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(answer.body).toContain('--paper');
  });

  test.each([
    ['another machine', { remoteAddress: '192.0.2.7' }, {}],
    ['another machine over IPv6', { remoteAddress: '2001:db8::7' }, {}],
    ['a proxy on this machine', {}, { 'x-forwarded-for': '192.0.2.7' }],
    ['a proxy that says so in the standard way', {}, { forwarded: 'for=192.0.2.7' }],
  ])('is not there for %s', async (_who, from, headers) => {
    const answer = await server.inject({ url: '/local-outbox', headers: { ...here, ...headers }, ...from });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect(answer.body).not.toContain('anna');
  });

  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('is there for %s', async (remoteAddress) => {
    expect((await server.inject({ url: '/local-outbox', headers: here, remoteAddress })).statusCode).toBe(200);
  });

  test('is not there under another name, as a page of another site would ask', async () => {
    expect((await server.inject({ url: '/local-outbox', headers: { host: 'evil.example' } })).statusCode).toBe(421);
  });
});

describe('there is no local outbox', () => {
  test.each([
    ['where others reach the portal', 'https://documents.example.com', undefined],
    ['where mail is sent', 'http://localhost:8080', 'smtp://127.0.0.1:2525'],
  ])('%s', async (_where, publicUrl, smtpUrl) => {
    const { server } = await open(publicUrl, smtpUrl);
    const { host } = new URL(publicUrl);
    const statuses = await Promise.all(
      ['/local-outbox', '/local-outbox.css'].map(async (url) => (await server.inject({ url, headers: { host } })).statusCode),
    );
    expect(statuses).toEqual([404, 404]);
    await server.close();
  });
});

test('a new client’s link is there in the real portal', async () => {
  await using portal = await startTestPortal();
  const person = { personalId: '4001', cif: '4001', firstName: 'Anna', lastName: 'Nowak', email: 'anna.nowak@example.com' };
  await portal.publisher.call('upsertClients', { body: { items: [person] } });
  const answer = await portal.server.inject({ url: '/local-outbox', headers: here });
  expect(answer.body).toMatch(/<a href="http:\/\/localhost:8080\/identity\/reset[^"]*#[\w-]{43}">/);
  expect(answer.body).toContain('anna.nowak@example.com');
  expect(answer.body).toContain('identyfikator: 4001');
  expect(answer.body).not.toMatch(/Anna|Nowak/);
});
