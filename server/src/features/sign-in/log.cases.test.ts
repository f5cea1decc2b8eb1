import { randomUUID } from 'node:crypto';
import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { createFakeIdentityService } from '#testing/fake-identity-service.ts';
import { createVerifier, goToPasswordPage, locationOf, obtainCode, redeemCode, submitPassword } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** 103: no secret that signs a person in, or did so a moment ago, is in the log. */

const partner = createFakeIdentityService('partner');
const lines: string[] = [];

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal({ services: [partner.service], log: createLog('trace', { write: (line) => void lines.push(line) }) });
  await portal.addPerson('10000001');
  await portal.addManagedPerson('20000001');
});
afterAll(() => portal[Symbol.asyncDispose]());

const canaries = new Map<string, string>();
const remember = (what: string, value: string | null | undefined): string => {
  if (value === null || value === undefined || value.length < 8) throw new Error(`${what} is nothing to look for`);
  canaries.set(what, value);
  return value;
};

const rememberAddress = (what: string, address: string): string => {
  for (const name of ['state', 'nonce', 'code_challenge', 'code']) {
    const value = new URL(address, `http://${portal.host}`).searchParams.get(name);
    if (value !== null) remember(`${what}: ${name}`, value);
  }
  return address;
};

test('103: signing in, refreshing and leaving log no secret', async () => {
  const browser = portal.newBrowser();
  const { state } = createVerifier();
  const page = await goToPasswordPage(browser, { personalId: '10000001', state: remember('state', state) });
  await submitPassword(browser, page, { password: remember('wrong password', 'Wrong-horse-99') });
  const login = await obtainCode(browser, { personalId: '10000001', password: remember('password', password) });
  remember('code', login.code);
  remember('verifier', login.verifier);
  for (const [name, { value }] of browser.cookies) remember(`cookie ${name}`, value);
  const answer = await redeemCode(browser, login);
  await redeemCode(browser, login);
  const authorization = remember('token', String(answer.headers['authorization']).replace('Bearer ', ''));
  for (const [name, { value }] of browser.cookies) remember(`cookie ${name}`, value);
  const headers = { authorization: `Bearer ${authorization}` };
  const refreshed = await browser.request('POST', calls.refresh.path, { headers });
  const newer = remember('newer token', String(refreshed.headers['authorization']).replace('Bearer ', ''));
  await browser.request('POST', calls.logout.path, { headers: { authorization: `Bearer ${newer}` } });
  expect((await portal.newBrowser().request('GET', calls.getSelf.path, { headers })).statusCode).toBe(401);
});

test('103: a good and a bad sign-in at an outside service log no secret', async () => {
  for (const nonce of [undefined, 'another']) {
    const browser = portal.newBrowser();
    const start = pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query: { state: createVerifier().state } });
    const target = rememberAddress('to the service', locationOf(await browser.request('GET', start)));
    partner.answerWith(async (claims) => {
      const token = await partner.honestToken({ ...claims, ...(nonce === undefined ? {} : { nonce }) });
      return remember(`ID token ${nonce ?? ''}`, token);
    }, target);
    const query = { code: `a-code-of-${randomUUID()}`, state: new URL(target).searchParams.get('state') ?? '' };
    const back = pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query });
    const end = locationOf(await browser.request('GET', rememberAddress('back', back)));
    if (nonce === undefined) remember('code of an outside service', end.replace('/oauth/', ''));
    else expect(end).toBe('/login-ex?error=auth');
  }
});

test('103: good and bad assertions and logout tokens log no secret', async () => {
  const iat = Math.floor(portal.clock.now().getTime() / 1_000);
  for (const aud of ['portal', 'another']) {
    const claims = { iss: partner.issuer, aud, sub: '20000001', jti: randomUUID(), iat };
    const id = remember(`assertion for ${aud}`, await partner.sign(claims, { typ: 'portal-sso+jwt' }));
    const { state } = createVerifier();
    const verified = await portal.newBrowser().request('GET', pathOf(calls.verifySso, { params: { id }, query: { state } }));
    expect(verified.statusCode).toBe(aud === 'portal' ? 200 : 400);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const logout = { iss: partner.issuer, aud: aud === 'portal' ? partner.clientId : aud, sid: 'a', jti: randomUUID(), iat, events };
    const token = remember(`logout token for ${aud}`, await partner.sign(logout, { typ: 'logout+jwt' }));
    await portal.server.inject({
      method: 'POST',
      url: pathOf(calls.backchannelLogout, { params: { serviceId: 'partner' } }),
      headers: { host: portal.host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });
  }
});

test('a flood of messages that are refused fills one line a minute for each kind', async () => {
  const countOf = (what: string): number => lines.filter((line) => line.includes(what)).length;
  const refusals = ['back-channel logout refused', 'single sign-on refused', 'sign-in refused'];
  portal.clock.advance(61_000);
  const before = refusals.map(countOf);
  for (let time = 0; time < 20; time += 1) {
    await portal.server.inject({
      method: 'POST',
      url: pathOf(calls.backchannelLogout, { params: { serviceId: 'partner' } }),
      headers: { host: portal.host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'logout_token=a.b.c',
    });
    const { state } = createVerifier();
    await portal.newBrowser().request('GET', pathOf(calls.verifySso, { params: { id: 'a.b.c' }, query: { state } }));
    await portal
      .newBrowser()
      .request('GET', pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query: { state, code: 'x' } }));
  }
  expect(refusals.map(countOf)).toEqual(before.map((count) => count + 1));
});

test('103: none of these is in the log, which is not empty', () => {
  expect(canaries.size).toBeGreaterThan(20);
  const log = lines.join('');
  expect(log).toContain('single sign-on refused');
  expect(log).toContain('sign-in refused');
  const found = [...canaries].filter(([, value]) => log.includes(value) || log.includes(encodeURIComponent(value)));
  expect(found.map(([what]) => what)).toEqual([]);
});
