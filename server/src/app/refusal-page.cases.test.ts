import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallLimits } from '#platform/http/call-limit.ts';
import { PortalError } from '#platform/http/errors.ts';
import { exchangeBytes, portOf } from '#testing/raw-http.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { openBranding } from './platform.ts';
import { createRefusalPages } from './refusal-page.ts';

const limits: CallLimits = {
  ...withoutLimits,
  takeFrom({ name }) {
    if (name === 'getChangelog') throw new PortalError('CALL_NOT_PERMITTED', { retryAfterSeconds: 7 });
  },
};

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ limits });
  await portal.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => portal[Symbol.asyncDispose]());

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const ask = (url: string, headers: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
  portal.server.inject({ method, url, headers: { host: portal.settings.publicUrl.host, ...headers } });

const someId = '00000000-0000-4000-8000-000000000000';

/** Each refusal that an address can bring a person to, and the first words of the page about it. */
const refusals: [string, number, string, string, Record<string, string>][] = [
  ['an address that cannot be read', 400, '/%ff', 'Na to żądanie nie można odpowiedzieć', {}],
  ['an address of customers, without a session', 401, `/api/protected/documents/data/${someId}`, 'Tego adresu nie można otworzyć', {}],
  ['one that another site leads to', 403, `/api/protected/documents/data/${someId}`, 'Tego adresu', { 'sec-fetch-site': 'cross-site' }],
  ['a call that is not there', 404, '/api/nowhere', 'Nie znaleziono strony', {}],
  ['a sentence that is not there', 404, '/resources/r/nowhere', 'Nie znaleziono strony', {}],
  ['an asset that is not there', 404, '/assets/nowhere.js', 'Nie znaleziono strony', {}],
  ['the address of a call with another method', 405, '/api/auth/logout', 'Na to żądanie nie można odpowiedzieć', {}],
  ['an id without end', 414, `/api/protected/documents/data/${'x'.repeat(5_000)}`, 'Adres lub pliki cookie są za długie', {}],
  ['another host', 421, '/', 'To nie jest adres portalu', { host: 'evil.example' }],
  ['a flood', 429, '/static/CHANGELOG.md', 'Za dużo żądań', {}],
];

describe.each(refusals)('%s', (_what, status, url, words, headers) => {
  test('is a page for a person: without scripts, in every language, with the switch between them', async () => {
    const { statusCode, headers: got, body } = await ask(url, { ...navigation, ...headers });
    expect([statusCode, got['content-type'], got['cache-control']]).toEqual([status, 'text/html; charset=utf-8', 'no-store']);
    expect(got['content-security-policy']).toMatch(/^default-src 'none';style-src 'sha256-[^']+';/);
    expect(body).toContain('<html lang="pl">');
    expect(body).toContain(words);
    for (const lang of ['pl', 'en']) expect(body).toContain(`<section lang="${lang}">`);
    expect(body).not.toContain('<script');
  });

  test('keeps its status for a program, and is no page', async () => {
    const { statusCode, headers: got } = await ask(url, { ...headers, 'sec-fetch-mode': 'cors', accept: '*/*' });
    expect([statusCode, (got['content-type'] ?? '').includes('html')]).toEqual([status, false]);
  });
});

test('a browser that does not say how it asks gets pages for the addresses of pages, and JSON for those of calls', async () => {
  const typeOf = async (url: string): Promise<unknown> => (await ask(url, { accept: 'text/html' })).headers['content-type'];
  expect(await typeOf('/nowhere')).toBe('text/html; charset=utf-8');
  expect(await typeOf('/api/nowhere')).toBe('application/json; charset=utf-8');
});

test.each([
  ['was chosen on the device', { cookie: 'a=b; lang=EN', 'accept-language': 'pl' }, 'en'],
  ['the browser prefers', { 'accept-language': 'de-DE, en-GB;q=0.8, pl;q=0.5' }, 'en'],
  ['the organisation speaks first, when neither is spoken', { cookie: 'lang=FR', 'accept-language': 'de' }, 'pl'],
])('a page is first shown in the language that %s', async (_what, headers, language) => {
  const { body } = await ask('/api/nowhere', { ...navigation, ...headers });
  expect(body).toContain(`<html lang="${language}">`);
  expect(body).toMatch(new RegExp(`id="${language.toUpperCase()}" checked`));
});

test('a person whose cookies are too long reads what to do', async () => {
  const cookies = `Cookie: a=${'x'.repeat(20_000)}`;
  const request = `GET / HTTP/1.1\r\nHost: ${portal.settings.publicUrl.host}\r\n${cookies}\r\n\r\n`;
  const { status, headers, body } = await exchangeBytes(portOf(portal.server.server), request);
  expect([status, headers.get('content-type'), headers.get('connection')]).toEqual([431, 'text/html; charset=utf-8', 'close']);
  expect(Buffer.from(body, 'latin1').toString()).toContain('usuń w przeglądarce pliki cookie tej witryny');
});

test('the page that proxies show while no machine answers is the portal’s own', async () => {
  const { languages, sentences } = await openBranding({ ...portal.settings, organisationName: 'Pergamin' });
  const pages = createRefusalPages({ publicUrl: new URL('https://documents.example.com'), languages, sentences });
  const file = new URL('../../../deploy/proxy/unavailable.html', import.meta.url);
  expect(await readFile(file, 'utf8')).toBe(pages.draw(503, {}).html);
});
