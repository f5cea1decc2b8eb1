import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import {
  createTestBrowser,
  createVerifier,
  encodeLogin,
  goToPasswordPage,
  locationOf,
  loginPayload,
  obtainCode,
  redeemCode,
  submitPassword,
  type TestBrowser,
} from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** Each security event of each room is logged with the address of the client and the id of the request. */

type Line = Record<string, unknown>;

const lines: Line[] = [];
const proxy = '10.0.0.1';
const visitor = '203.0.113.9';
const next = 'Another-horse-8';

let portal: TestPortal;
beforeAll(async () => {
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Line) });
  portal = await startTestPortal({ log, environment: { TRUSTED_PROXIES: proxy } });
  for (const personalId of ['1001', '1002', '1003', '1004', '1005', '1006'])
    await portal.addClient(personalId, { email: `p${personalId}@example.com` });
});
afterAll(() => portal[Symbol.asyncDispose]());

const tryPassword = async (browser: TestBrowser, personalId: string, secret = 'Wrong-horse-1') =>
  submitPassword(browser, await goToPasswordPage(browser, { personalId, state: createVerifier().state }), { password: secret });

const signIn = async (browser: TestBrowser, personalId: string): Promise<{ authorization: string }> => {
  const login = await redeemCode(browser, await obtainCode(browser, { personalId, password }));
  return { authorization: String(login.headers['authorization']) };
};

const changePassword = async (browser: TestBrowser, personalId: string, oldPassword: string) =>
  browser.request('POST', calls.changePassword.path, {
    headers: { ...(await signIn(browser, personalId)), 'content-type': 'application/json' },
    payload: JSON.stringify({ oldPassword, newPassword: next }),
  });

const askForLinks = async (browser: TestBrowser, personalId: string, count: number): Promise<void> => {
  for (let asked = 0; asked < count; asked += 1) await submitPassword(browser, '/identity/forgot', { personalId });
};

const mailedToken = async (recipient: string): Promise<string> => {
  const mails = portal.db.selectFrom('mail_outbox').select('content').where('recipient', '=', recipient);
  await expect.poll(async () => (await mails.execute()).length).toBeGreaterThan(0);
  const [, token = ''] = /#([\w-]{43})/.exec((await mails.executeTakeFirstOrThrow()).content ?? '') ?? [];
  return token;
};

const useKey = (key: string) =>
  portal.server.inject({
    method: calls.upsertClients.method,
    url: calls.upsertClients.path,
    remoteAddress: visitor,
    headers: { host: portal.settings.publicUrl.host, authorization: `Bearer ${key}` },
  });

const state = (): string => createVerifier().state;

const cases: readonly [event: string, message: string, befall: (browser: TestBrowser) => Promise<unknown>][] = [
  ['a wrong password', 'identity: wrong password', (browser) => tryPassword(browser, '1001')],
  [
    'a password after too many wrong ones',
    'identity: too many wrong passwords',
    async (browser) => {
      for (let tried = 0; tried < 6; tried += 1) await tryPassword(browser, '1002');
    },
  ],
  ['a link that is asked for', 'identity: a link was requested', (browser) => askForLinks(browser, '1003', 1)],
  ['a link that is asked for too often', 'identity: too many links requested', (browser) => askForLinks(browser, 'nobody', 4)],
  [
    'a link that is void',
    'identity: a void link was used',
    (browser) => submitPassword(browser, '/identity/reset', { token: 'a'.repeat(43), password: next, repeat: next }),
  ],
  [
    'a password that is reset',
    'identity: password set by a mailed link',
    async (browser) => {
      await askForLinks(browser, '1004', 1);
      const token = await mailedToken('p1004@example.com');
      await submitPassword(browser, '/identity/reset', { token, password: next, repeat: next });
    },
  ],
  ['a wrong old password', 'identity: wrong old password', (browser) => changePassword(browser, '1005', 'Wrong-horse-1')],
  ['a password that is changed', 'identity: password changed', (browser) => changePassword(browser, '1005', password)],
  ['a session that begins', 'session began', (browser) => signIn(browser, '1006')],
  [
    'a session that ends',
    'session ended',
    async (browser) => browser.request('POST', calls.logout.path, { headers: await signIn(browser, '1006') }),
  ],
  [
    'a token that is not ours',
    'token refused',
    (browser) => browser.request('GET', calls.getSelf.path, { headers: { authorization: 'Bearer a.b.c' } }),
  ],
  [
    'a token without its cookie',
    'token and cookie do not match; session ended',
    async (browser) => {
      const headers = await signIn(browser, '1006');
      browser.cookies.clear();
      await browser.request('GET', calls.getSelf.path, { headers });
    },
  ],
  [
    'a one-time code that is none',
    'one-time code refused',
    (browser) => browser.request('POST', calls.login.path, loginPayload(encodeLogin({ code: 'no-code', v: 'no-verifier' }))),
  ],
  [
    'a way back that was never begun',
    'sign-in refused',
    (browser) =>
      browser.request('GET', pathOf(calls.returnFromService, { params: { serviceId: 'pergamin' }, query: { code: 'a', state: 'b' } })),
  ],
  [
    'an assertion that is none',
    'single sign-on refused',
    (browser) => browser.request('GET', pathOf(calls.verifySso, { params: { id: 'a.b.c' }, query: { state: state() } })),
  ],
  [
    'a logout token that is none',
    'back-channel logout refused',
    (browser) =>
      browser.request('POST', pathOf(calls.backchannelLogout, { params: { serviceId: 'pergamin' } }), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'logout_token=a.b.c',
      }),
  ],
  [
    'a sign-in without PKCE at the embedded service',
    'identity: sign-in refused',
    (browser) =>
      browser.request(
        'GET',
        '/identity/auth?client_id=pergamin&response_type=code&scope=openid&redirect_uri=http://localhost:8080/api/open/redirect/back/pergamin',
      ),
  ],
  [
    'a code that another browser would exchange',
    'identity: token refused',
    (browser) =>
      browser.request('POST', '/identity/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'grant_type=authorization_code&code=a&client_id=pergamin',
      }),
  ],
  [
    'a code that the embedded service never gave',
    'identity: token refused',
    async (browser) => {
      const begun = await browser.request('GET', pathOf(calls.startSignIn, { params: { personalId: '1001' }, query: { state: state() } }));
      const query = new URLSearchParams({ code: 'a', state: new URL(locationOf(begun)).searchParams.get('state') ?? '' });
      query.set('iss', new URL('/identity', portal.settings.publicUrl).href);
      await browser.request('GET', `/api/open/redirect/back/pergamin?${query.toString()}`);
    },
  ],
  ['an unknown publisher’s key', 'publisher key refused', () => useKey(`pk_${'a'.repeat(43)}`)],
  ['a publisher’s key without the scope', 'publisher key refused', async () => useKey(await portal.issueKey(['received:read']))],
  [
    'a call that another site made',
    'call of another site refused',
    (browser) => browser.request('POST', calls.logout.path, { headers: { origin: 'https://evil.example' } }),
  ],
];

const expectLine = (message: string, address: string): void => {
  const found = lines.filter(({ msg }) => msg === message);
  expect(found.map((line) => line['address'])).toContain(address);
  const answered = new Set(lines.filter(({ msg }) => msg === 'answered').map(({ requestId }) => requestId));
  for (const { requestId } of found) expect(answered.has(requestId), `${message}: the id of an answered request`).toBe(true);
};

test.each(cases)('%s is told as “%s”, with address and request', async (_event, message, befall) => {
  lines.length = 0;
  await befall(createTestBrowser(portal.server, portal.settings.publicUrl.host, visitor));
  expectLine(message, visitor);
});

test('behind a proxy that is trusted the visitor’s own address is told, and what others forward is not', async () => {
  for (const [from, forwarded, told] of [
    [proxy, '198.51.100.7', '198.51.100.7'],
    ['192.0.2.77', '198.51.100.8', '192.0.2.77'],
  ] as const) {
    lines.length = 0;
    const headers = { host: portal.settings.publicUrl.host, authorization: 'Bearer a.b.c', 'x-forwarded-for': forwarded };
    await portal.server.inject({ url: calls.getSelf.path, remoteAddress: from, headers });
    expectLine('token refused', told);
  }
});

test('a line about a call with a long body, over a real connection, is marked, too', async () => {
  const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host);
  const headers = await signIn(browser, '1001');
  await portal.server.listen({ port: 0, host: '127.0.0.1' });
  // More than is read at once: the rest is waited for.
  const body = JSON.stringify({ oldPassword: 'Wrong-horse-1', newPassword: next }).padEnd(200_000);
  lines.length = 0;
  const status = await new Promise((resolve, reject) => {
    const { host } = portal.settings.publicUrl;
    const sent = {
      host,
      ...headers,
      cookie: browser.cookieHeader('/api/'),
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const { port } = portal.server.server.address() as AddressInfo;
    const call = request({ port, host: '127.0.0.1', method: 'POST', path: calls.changePassword.path, headers: sent });
    call.on('response', (answer) => resolve(answer.resume().statusCode));
    call.on('error', reject);
    call.end(body);
  });
  expect(status).toBe(400);
  await expect.poll(() => lines.some(({ msg }) => msg === 'answered')).toBe(true);
  expectLine('identity: wrong old password', '127.0.0.1');
});

test('lines that are about no visitor, and the one line of every answer, name no address', async () => {
  lines.length = 0;
  const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host, visitor);
  await browser.request('GET', pathOf(calls.checkPublicDocument, { params: { id: randomUUID() } }));
  await portal.runJob('sign-in:sweep');
  expect(lines.filter(({ msg }) => msg === 'answered')).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain(visitor);
});
