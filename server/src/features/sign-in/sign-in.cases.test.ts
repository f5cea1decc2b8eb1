import { generateKeyPairSync } from 'node:crypto';
import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeIdentityService } from '#testing/fake-identity-service.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';
import {
  createVerifier,
  encodeLogin,
  goToPasswordPage,
  locationOf,
  loginPayload,
  obtainCode,
  redeemCode,
  returnToPortal,
  submitPassword,
  type TestBrowser,
} from '#testing/sign-in-as.ts';

/** The negative cases of signing in, by the numbers that the security design gives them. */

const personalId = '10000001';
const partner = createFakeIdentityService('partner');
/** Its address exists, and no server answers there. */
const silent = { ...partner.service, id: 'silent', transport: () => Promise.reject(new TypeError('fetch failed')) };

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal({ services: [partner.service, silent] });
  await portal.addPerson(personalId);
  await portal.addPerson('10000002');
  await portal.addManagedPerson('20000001');
});
afterAll(() => portal[Symbol.asyncDispose]());

const failed = '/login-ex?error=auth';
const unreachable = '/login-ex?error=service';
const startUrl = (state: string, id = personalId): string => `/api/open/redirect/login/${id}?${new URLSearchParams({ state }).toString()}`;
const encodeState = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

const answerOf = (response: Awaited<ReturnType<typeof redeemCode>>) => ({
  status: response.statusCode,
  code: response.json<{ code: string }>().code,
  token: response.headers['authorization'],
});
const refused = { status: 400, code: 'INVALID_CREDENTIALS_ERROR', token: undefined };

describe('a one-time code', () => {
  test('22: is good once', async () => {
    const browser = portal.newBrowser();
    const login = await obtainCode(browser, { personalId, password });
    const sent = browser.cookieHeader('/api/auth/login');
    expect((await redeemCode(browser, login)).statusCode).toBe(204);
    const again = await portal.server.inject({
      method: 'POST',
      url: '/api/auth/login',
      ...loginPayload(encodeLogin({ code: login.code, v: login.verifier })),
      headers: { ...loginPayload('').headers, host: portal.host, cookie: sent },
    });
    expect(answerOf(again)).toEqual(refused);
  });

  test('23: is burnt by a wrong verifier', async () => {
    const browser = portal.newBrowser();
    const { code, verifier } = await obtainCode(browser, { personalId, password });
    const cookies = new Map(browser.cookies);
    expect(answerOf(await redeemCode(browser, { code, verifier: createVerifier().verifier }))).toEqual(refused);
    for (const [name, cookie] of cookies) browser.cookies.set(name, cookie);
    expect(answerOf(await redeemCode(browser, { code, verifier }))).toEqual(refused);
  });

  test('24: is worth nothing in another browser, even with the verifier', async () => {
    const login = await obtainCode(portal.newBrowser(), { personalId, password });
    expect(answerOf(await redeemCode(portal.newBrowser(), login))).toEqual(refused);
  });

  test('25: of five concurrent uses of a one-time code one succeeds', async () => {
    const browser = portal.newBrowser();
    const { code, verifier } = await obtainCode(browser, { personalId, password });
    const { headers, payload } = loginPayload(encodeLogin({ code, v: verifier }));
    const post = () =>
      portal.server.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload,
        headers: { ...headers, host: portal.host, cookie: browser.cookieHeader('/api/auth/login') },
      });
    const statuses = (await Promise.all(Array.from({ length: 5 }, post))).map((response) => response.statusCode);
    expect(statuses.toSorted()).toEqual([204, 400, 400, 400, 400]);
  });

  test('26: is too old after a minute', async () => {
    const browser = portal.newBrowser();
    const login = await obtainCode(browser, { personalId, password });
    portal.clock.advance(61_000);
    expect(answerOf(await redeemCode(browser, login))).toEqual(refused);
  });

  test.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{code').toString('base64')],
    ['not an object', encodeLogin(['a', 'b'])],
    ['no verifier', encodeLogin({ code: 'a' })],
    ['a number for a code', encodeLogin({ code: 1, v: 'a' })],
    ['a lost verifier', encodeLogin({ code: 'a', v: null })],
    ['a field more', encodeLogin({ code: 'a', v: 'b', sub: 'c' })],
    ['a prototype', Buffer.from('{"__proto__":{"code":"a","v":"b"}}').toString('base64')],
    ['a prototype beside', Buffer.from('{"code":"a","v":"b","__proto__":{}}').toString('base64')],
    ['nothing', ''],
    ['too much', 'A'.repeat(3_000)],
  ])('27: a one-time code with %s in it is malformed', async (_what, field) => {
    const response = await portal.newBrowser().request('POST', '/api/auth/login', loginPayload(field));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test.each([
    ['under another name', loginPayload('YQ==', 'token')],
    ['as JSON', { headers: { 'content-type': 'application/json' }, payload: '{"code":"YQ=="}' }],
  ])('27: a one-time code sent %s is malformed', async (_what, body) => {
    const response = await portal.newBrowser().request('POST', '/api/auth/login', body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that is kept secret', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour below the same domain', { 'sec-fetch-site': 'same-site' }],
  ])('28: a one-time code sent by %s is refused before it is read', async (_what, headers) => {
    const browser = portal.newBrowser();
    const login = await obtainCode(browser, { personalId, password });
    const body = loginPayload(encodeLogin({ code: login.code, v: login.verifier }));
    const foreign = await browser.request('POST', '/api/auth/login', { ...body, headers: { ...body.headers, ...headers } });
    expect(foreign.statusCode).toBe(403);
    expect(foreign.json()).toMatchObject({ code: 'CALL_NOT_PERMITTED' });
    expect((await redeemCode(browser, login)).statusCode).toBe(204);
  });
});

describe('the state of a browser', () => {
  const challenge = 'a'.repeat(43);
  test.each([
    ['another method', encodeState({ challenge, method: 'plain' })],
    ['no challenge', encodeState({ method: 'S256' })],
    ['a short challenge', encodeState({ challenge: 'a'.repeat(42), method: 'S256' })],
    ['a list', encodeState([{ challenge, method: 'S256' }])],
    ['no JSON', 'abc'],
    ['no base64', '{"challenge":1}'],
    ['more than 1024 characters', encodeState({ challenge, method: 'S256', more: 'x'.repeat(1_000) })],
    ['nothing', ''],
  ])('29: a request with a state with %s is malformed, at the start by id and at a service', async (_what, state) => {
    const query = new URLSearchParams({ state }).toString();
    for (const path of [`/api/open/redirect/login/${personalId}`, '/api/open/redirect/back/pergamin']) {
      const response = await portal.newBrowser().request('GET', `${path}?${query}`);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  test('29: a state sent twice is malformed', async () => {
    const { state } = createVerifier();
    const response = await portal.newBrowser().request('GET', `${startUrl(state)}&state=${encodeURIComponent(state)}`);
    expect(response.statusCode).toBe(400);
  });

  test('30: names no address to return to', async () => {
    const state = encodeState({ challenge, method: 'S256', redirect_uri: 'https://evil.example', returnTo: '//evil.example' });
    const target = new URL(locationOf(await portal.newBrowser().request('GET', startUrl(state))));
    expect(target.searchParams.get('redirect_uri')).toBe(`http://${portal.host}/api/open/redirect/back/pergamin`);
    expect(target.href).not.toContain('evil');
  });
});

describe('the way back from an identity service', () => {
  const back = (browser: TestBrowser, parameters: Record<string, string>, service = 'pergamin') =>
    browser.request('GET', pathOf(calls.returnFromService, { params: { serviceId: service }, query: parameters }));

  /** Up to the address that the identity service sends the browser to, without going there. */
  const obtainReturn = async (browser: TestBrowser, id = personalId): Promise<URL> => {
    const page = await goToPasswordPage(browser, { personalId: id, state: createVerifier().state });
    return new URL(locationOf(await submitPassword(browser, page, { password })));
  };

  test('31: a return with an unknown state fails calmly', async () => {
    expect(locationOf(await back(portal.newBrowser(), { code: 'a', state: 'b' }))).toBe(failed);
  });

  test('31: works once', async () => {
    const browser = portal.newBrowser();
    const url = await obtainReturn(browser);
    expect(locationOf(await browser.request('GET', url.href))).toMatch(/^\/oauth\/[\w-]{43}$/);
    expect(locationOf(await browser.request('GET', url.href))).toBe(failed);
  });

  test('31: comes too late after ten minutes', async () => {
    const browser = portal.newBrowser();
    const url = await obtainReturn(browser);
    portal.clock.advance(600_001);
    expect(locationOf(await browser.request('GET', url.href))).toBe(failed);
  });

  test('32: a return with the state of another person’s sign-in fails in this browser', async () => {
    const url = await obtainReturn(portal.newBrowser());
    const victim = portal.newBrowser();
    await victim.request('GET', startUrl(createVerifier().state));
    expect(locationOf(await victim.request('GET', url.href))).toBe(failed);
  });

  test.each([
    ['at another service', (url: URL) => url.href.replace('/back/pergamin', '/back/partner')],
    ['with another issuer', (url: URL) => url.href.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example')],
    ['without an issuer', (url: URL) => url.href.replace(/&?iss=[^&]+/, '')],
    ['with a code twice', (url: URL) => `${url.href}&code=another`],
    ['with an issuer twice', (url: URL) => `${url.href}&iss=https%3A%2F%2Fevil.example`],
    ['with an error beside', (url: URL) => `${url.href}&error=access_denied`],
  ])('33: %s fails, and burns the state', async (_what, change) => {
    const browser = portal.newBrowser();
    const url = await obtainReturn(browser);
    expect(locationOf(await browser.request('GET', change(url)))).toBe(failed);
    expect(locationOf(await browser.request('GET', url.href))).toBe(failed);
  });

  test.each(['access_denied', 'server_error'])('33: a return with the error %s fails calmly', async (error) => {
    expect(locationOf(await back(portal.newBrowser(), { error, state: 'b' }))).toBe(failed);
  });

  test('35: a sign-in as another person than the id that was typed fails', async () => {
    // The service is asked for the first person, and its page answered for the second.
    const browser = portal.newBrowser();
    const toService = new URL(locationOf(await browser.request('GET', startUrl(createVerifier().state))));
    toService.searchParams.set('login_hint', '10000002');
    const page = locationOf(await browser.request('GET', toService.href));
    const answer = await submitPassword(browser, page, { password });
    expect(await returnToPortal(browser, answer)).toBe(failed);
  });

  test('35: a sign-in as a person who is no client fails', async () => {
    await portal.identity.accounts.create('stranger', password);
    const browser = portal.newBrowser();
    const page = await goToPasswordPage(browser, { personalId: 'stranger', state: createVerifier().state });
    expect(await returnToPortal(browser, await submitPassword(browser, page, { password }))).toBe(failed);
  });

  test('39: an unreachable service is told apart from a failed sign-in, and leaves nothing in the browser', async () => {
    const browser = portal.newBrowser();
    const response = await back(browser, { state: createVerifier().state }, 'silent');
    expect([response.statusCode, locationOf(response)]).toEqual([303, unreachable]);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test.each(['evil', '__proto__', 'constructor'])('36: a service called %s does not exist', async (service) => {
    const response = await back(portal.newBrowser(), { state: createVerifier().state }, service);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});

describe('an ID token', () => {
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const signInAtPartner = async (make: Parameters<typeof partner.answerWith>[0]): Promise<string> => {
    const browser = portal.newBrowser();
    const { state } = createVerifier();
    const target = locationOf(await browser.request('GET', `/api/open/redirect/back/partner?${new URLSearchParams({ state }).toString()}`));
    partner.answerWith(make, target);
    const parameters = new URLSearchParams({ code: 'any', state: new URL(target).searchParams.get('state') ?? '' });
    return locationOf(await browser.request('GET', `/api/open/redirect/back/partner?${parameters.toString()}`));
  };

  test('an honest one of another service signs in', async () => {
    expect(await signInAtPartner((claims) => partner.honestToken(claims))).toMatch(/^\/oauth\/[\w-]{43}$/);
  });

  test.each<[string, Parameters<typeof partner.answerWith>[0]]>([
    ['with another nonce', (claims) => partner.honestToken({ ...claims, nonce: 'another' })],
    ['for another portal', (claims) => partner.honestToken(claims, { audience: 'another' })],
    ['of another issuer', (claims) => partner.honestToken(claims, { issuer: 'https://evil.example' })],
    ['that has expired', (claims) => partner.honestToken(claims, { expiresInSeconds: -120 })],
    ['signed by another key', (claims) => partner.honestToken(claims, { key: stranger })],
    ['signed with the public key', (claims) => partner.tokenSignedWithPublicKey(claims)],
    ['without a signature', (claims) => partner.unsignedToken(claims)],
    ['whose subject is no personal id', (claims) => partner.honestToken({ ...claims, subject: 'a b' })],
    ['that is no token', () => 'abc'],
  ])('34: %s starts no session', async (_what, make) => {
    expect(await signInAtPartner(make)).toBe(failed);
  });
});

describe('whether an id has a service', () => {
  const ask = (id: string) => portal.newBrowser().request('GET', pathOf(calls.findSignInService, { params: { personalId: id } }));

  test('43: known and unknown ids get the same bytes', async () => {
    const known = await ask(personalId);
    const unknown = await ask('99999999');
    expect(known.statusCode).toBe(200);
    expect(known.body).toBe('{"redirection":true}');
    expect(unknown.body).toBe(known.body);
    const { date: _known, ...headers } = known.headers;
    const { date: _unknown, ...others } = unknown.headers;
    expect(others).toEqual(headers);
  });

  test.each(['a b', 'ł', 'x'.repeat(65), 'x'.repeat(1_000), '../admin', '%'])('an id like %j has none', async (id) => {
    const response = await ask(id);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });
});
