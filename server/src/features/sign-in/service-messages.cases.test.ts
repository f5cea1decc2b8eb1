import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { calls, pathOf } from '@pergamin/contract';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeIdentityService } from '#testing/fake-identity-service.ts';
import { createVerifier, locationOf, redeemCode, type TestBrowser } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal } from '#testing/sign-in-portal.ts';

/** Single sign-on by assertion and back-channel logout, by the numbers that the security design gives the cases. */

const partner = createFakeIdentityService('partner');
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const personalId = '20000001';

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal({ services: [partner.service] });
  await portal.addManagedPerson(personalId);
  await portal.addPerson('10000001');
});
afterAll(() => portal[Symbol.asyncDispose]());

const nowSeconds = (): number => Math.floor(portal.clock.now().getTime() / 1_000);

describe('single sign-on', () => {
  const typ = 'portal-sso+jwt';
  const honest = (): Record<string, unknown> => ({
    iss: partner.issuer,
    aud: 'portal',
    sub: personalId,
    jti: randomUUID(),
    iat: nowSeconds(),
  });

  const verify = (assertion: string, browser: TestBrowser, { state = createVerifier().state, headers = {} } = {}) =>
    browser.request('GET', pathOf(calls.verifySso, { params: { id: assertion }, query: { state } }), { headers });

  const refused = { code: 'INVALID_CREDENTIALS_ERROR' };

  test('says who it is in few letters, and gives a code that becomes a session', async () => {
    const browser = portal.newBrowser();
    const { verifier, state } = createVerifier();
    const response = await verify(await partner.sign(honest(), { typ }), browser, { state });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('private, no-store');
    const { code, name } = response.json<{ code: string; name: string }>();
    expect(name).toBe('J*** K***');
    const login = await redeemCode(browser, { code, verifier });
    expect(login.statusCode).toBe(204);
    const self = await browser.request('GET', calls.getSelf.path, { headers: { authorization: String(login.headers['authorization']) } });
    expect(self.json()).toMatchObject({ personalId });
  });

  test('gives a code that is worth nothing in another browser, or with another verifier', async () => {
    const { verifier, state } = createVerifier();
    const first = await verify(await partner.sign(honest(), { typ }), portal.newBrowser(), { state });
    expect((await redeemCode(portal.newBrowser(), { code: first.json<{ code: string }>().code, verifier })).json()).toMatchObject(refused);
    const browser = portal.newBrowser();
    const second = await verify(await partner.sign(honest(), { typ }), browser, { state });
    const login = { code: second.json<{ code: string }>().code, verifier: createVerifier().verifier };
    expect((await redeemCode(browser, login)).json()).toMatchObject(refused);
  });

  test('37: works once, also when it is tried five times at once', async () => {
    const assertion = await partner.sign(honest(), { typ });
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await verify(assertion, portal.newBrowser())).statusCode));
    expect(statuses.toSorted()).toEqual([200, 400, 400, 400, 400]);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['for another portal', () => partner.sign({ ...honest(), aud: 'another' }, { typ })],
    ['without an audience', () => partner.sign({ ...honest(), aud: undefined }, { typ })],
    ['that is an ID token', () => partner.sign(honest(), { typ: 'JWT' })],
    ['that is an access token', () => partner.sign(honest(), { typ: 'at+jwt' })],
    ['from more than a minute ago', () => partner.sign({ ...honest(), iat: nowSeconds() - 70 }, { typ })],
    ['from tomorrow', () => partner.sign({ ...honest(), iat: nowSeconds() + 86_400 }, { typ })],
    ['of no time', () => partner.sign({ ...honest(), iat: undefined }, { typ })],
    ['that has expired', () => partner.sign({ ...honest(), exp: nowSeconds() - 10 }, { typ })],
    ['that could be shown for ever', () => partner.sign({ ...honest(), jti: undefined }, { typ })],
    ['with an endless name of its own', () => partner.sign({ ...honest(), jti: 'x'.repeat(300) }, { typ })],
    ['of an unknown issuer', () => partner.sign({ ...honest(), iss: 'https://evil.example' }, { typ })],
    ['of the portal itself', () => partner.sign({ ...honest(), iss: 'http://localhost:8080/identity' }, { typ })],
    ['signed by another key', () => partner.sign(honest(), { typ, key: stranger })],
    ['without a signature', () => new UnsecuredJWT(honest()).encode()],
    ['signed with the public key', () => partner.tokenSignedWithPublicKey({ nonce: 'a', subject: personalId })],
    ['for a person who is no client', () => partner.sign({ ...honest(), sub: '29999999' }, { typ })],
    ['for a client of the embedded service', () => partner.sign({ ...honest(), sub: '10000001' }, { typ })],
    ['that is no token', () => 'abc'],
    ['that is no token of three parts', () => 'a.b.c'],
  ])('37: an assertion %s starts no session', async (_what, make) => {
    const browser = portal.newBrowser();
    const response = await verify(await make(), browser);
    expect([response.statusCode, response.json()]).toEqual([400, expect.objectContaining(refused)]);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }])(
    '38: is refused when asked for from another site (%j), and the assertion stays good',
    async (headers) => {
      const assertion = await partner.sign(honest(), { typ });
      const response = await verify(assertion, portal.newBrowser(), { headers });
      expect([response.statusCode, response.json()]).toEqual([403, expect.objectContaining({ code: 'CALL_NOT_PERMITTED' })]);
      expect((await verify(assertion, portal.newBrowser())).statusCode).toBe(200);
    },
  );

  test('29: requires a well-formed state before it reads the assertion', async () => {
    const assertion = await partner.sign(honest(), { typ });
    const response = await verify(assertion, portal.newBrowser(), { state: 'abc' });
    expect([response.statusCode, response.json()]).toEqual([400, expect.objectContaining({ code: 'VALIDATION_ERROR' })]);
    expect((await verify(assertion, portal.newBrowser())).statusCode).toBe(200);
  });
});

describe('back-channel logout', () => {
  const typ = 'logout+jwt';
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const honest = (): Record<string, unknown> => ({
    iss: partner.issuer,
    aud: partner.clientId,
    iat: nowSeconds(),
    exp: nowSeconds() + 120,
    jti: randomUUID(),
    events: event,
    sid: 'a-session',
  });

  const send = (token: string, service = 'partner') =>
    portal.server.inject({
      method: 'POST',
      url: pathOf(calls.backchannelLogout, { params: { serviceId: service } }),
      headers: { host: portal.host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });

  /** A session that began at the partner, whose ID tokens say the session `a-session`. */
  const signIn = async (): Promise<() => Promise<number>> => {
    const browser = portal.newBrowser();
    const { verifier, state } = createVerifier();
    const start = pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query: { state } });
    const target = locationOf(await browser.request('GET', start));
    partner.answerWith((claims) => partner.honestToken(claims), target);
    const query = { code: 'any', state: new URL(target).searchParams.get('state') ?? '' };
    const back = await browser.request('GET', pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query }));
    const login = await redeemCode(browser, { code: locationOf(back).replace('/oauth/', ''), verifier });
    const headers = { authorization: String(login.headers['authorization']) };
    return async () => (await browser.request('GET', calls.getSelf.path, { headers })).statusCode;
  };

  test.each<[string, Record<string, unknown>]>([
    ['a session', {}],
    ['a person', { sid: undefined, sub: personalId }],
    ['both', { sub: personalId }],
  ])('a logout token that names %s ends the sessions that began there', async (_what, changes) => {
    const status = await signIn();
    expect(await status()).toBe(200);
    const response = await send(await partner.sign({ ...honest(), ...changes }, { typ }));
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect(await status()).toBe(401);
  });

  test.each<[string, Record<string, unknown>]>([
    ['another session', { sid: 'another' }],
    ['another person', { sid: undefined, sub: '20000002' }],
    ['a session and a person that do not belong together', { sub: '20000002' }],
  ])('a logout token that names %s is answered the same, and ends none of ours', async (_what, changes) => {
    const status = await signIn();
    expect((await send(await partner.sign({ ...honest(), ...changes }, { typ }))).statusCode).toBe(204);
    expect(await status()).toBe(200);
  });

  test('burns the code that would become a session', async () => {
    const browser = portal.newBrowser();
    const { verifier, state } = createVerifier();
    const claims = { iss: partner.issuer, aud: 'portal', sub: personalId, jti: randomUUID(), iat: nowSeconds() };
    const assertion = await partner.sign(claims, { typ: 'portal-sso+jwt' });
    const verified = await browser.request('GET', pathOf(calls.verifySso, { params: { id: assertion }, query: { state } }));
    expect((await send(await partner.sign({ ...honest(), sid: undefined, sub: personalId }, { typ }))).statusCode).toBe(204);
    expect((await redeemCode(browser, { code: verified.json<{ code: string }>().code, verifier })).statusCode).toBe(400);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['with a nonce', () => partner.sign({ ...honest(), nonce: 'a' }, { typ })],
    ['of another type', () => partner.sign(honest(), { typ: 'JWT' })],
    ['that is an assertion', () => partner.sign(honest(), { typ: 'portal-sso+jwt' })],
    ['without events', () => partner.sign({ ...honest(), events: undefined }, { typ })],
    ['with another event', () => partner.sign({ ...honest(), events: { 'https://evil.example': {} } }, { typ })],
    ['with events as text', () => partner.sign({ ...honest(), events: Object.keys(event) }, { typ })],
    ['without session or person', () => partner.sign({ ...honest(), sid: undefined }, { typ })],
    ['for another client', () => partner.sign({ ...honest(), aud: 'another' }, { typ })],
    ['of another issuer', () => partner.sign({ ...honest(), iss: 'https://evil.example' }, { typ })],
    ['without a name of its own', () => partner.sign({ ...honest(), jti: undefined }, { typ })],
    ['of no time', () => partner.sign({ ...honest(), iat: undefined }, { typ })],
    ['that is old', () => partner.sign({ ...honest(), iat: nowSeconds() - 200 }, { typ })],
    ['that has expired', () => partner.sign({ ...honest(), exp: nowSeconds() - 10 }, { typ })],
    ['signed by another key', () => partner.sign(honest(), { typ, key: stranger })],
    ['without a signature', () => new UnsecuredJWT(honest()).encode()],
    ['that is no token', () => 'abc'],
    ['that is empty', () => ''],
  ])('68: a logout token %s is refused, and ends nothing', async (_what, make) => {
    const status = await signIn();
    const response = await send(await make());
    expect([response.statusCode, response.json()]).toEqual([400, expect.objectContaining({ code: 'VALIDATION_ERROR' })]);
    expect(await status()).toBe(200);
  });

  test('68: a logout token that was sent before is refused', async () => {
    const token = await partner.sign(honest(), { typ });
    expect((await send(token)).statusCode).toBe(204);
    const status = await signIn();
    expect((await send(token)).statusCode).toBe(400);
    expect(await status()).toBe(200);
  });

  test('back-channel logout at an unknown service is not found', async () => {
    expect((await send(await partner.sign(honest(), { typ }), 'evil')).json()).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  test('a logout token sent to another service than its own is refused', async () => {
    expect((await send(await partner.sign(honest(), { typ }), 'pergamin')).statusCode).toBe(400);
  });

  test.each([
    ['JSON', 'application/json', '{"logout_token":"a"}', 415],
    ['text', 'text/plain', 'logout_token=a', 415],
    ['a form without a token', 'application/x-www-form-urlencoded', 'a=b', 400],
    ['a form with two', 'application/x-www-form-urlencoded', 'logout_token=a&logout_token=b', 400],
    ['a large form', 'application/x-www-form-urlencoded', `logout_token=${'a'.repeat(20_000)}`, 400],
  ])('67: a logout token sent as %s is not read', async (_what, contentType, payload, status) => {
    const url = pathOf(calls.backchannelLogout, { params: { serviceId: 'partner' } });
    const headers = { host: portal.host, 'content-type': contentType };
    expect((await portal.server.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(status);
  });

  test('asks for the keys of a service once, however many bad tokens come', async () => {
    await send(await partner.sign(honest(), { typ }));
    const before = partner.keyRequests();
    for (let count = 0; count < 20; count += 1) await send(await partner.sign(honest(), { typ, key: stranger }));
    expect(partner.keyRequests()).toBe(before);
  });
});
