import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startOutsideService, type OutsideService } from '#testing/outside-service.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';
import {
  createVerifier,
  goToPasswordPage,
  locationOf,
  obtainCode,
  redeemCode,
  returnToPortal,
  submitPassword,
  type TestBrowser,
} from '#testing/sign-in-as.ts';

/** Signing in and out at an OpenID provider that is not ours, on a port of its own, over real connections. */

const origin = 'http://localhost:8080';
const failed = '/login-ex?error=auth';

let outside: OutsideService;
let strict: OutsideService;
let portal: SignInPortal;
beforeAll(async () => {
  outside = await startOutsideService('outside', origin);
  strict = await startOutsideService('strict', origin);
  portal = await startSignInPortal({
    publicUrl: origin,
    identityServices: JSON.stringify([
      outside.setting({ personalIds: '2\\d{7}', button: { logo: '/logo.svg', color: '#003366 white' } }),
      strict.setting({ personalIds: '3\\d{7}', acr: ['two-factors'], amr: ['otp'], button: null }),
    ]),
  });
  for (const service of [outside, strict])
    service.deliverTo(async ({ url, contentType, body }) => {
      const headers = { host: portal.host, 'content-type': contentType };
      return (await portal.server.inject({ method: 'POST', url, headers, payload: body })).statusCode;
    });
  await portal.addPerson('10000001');
  for (const id of ['20000001', '20000002', '30000001']) await portal.addManagedPerson(id);
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
  await strict[Symbol.asyncDispose]();
});
beforeEach(() => outside.signInAs({ subject: 'jan', personalId: '20000001' }));

const startAt = (service: string) => {
  const { verifier, state } = createVerifier();
  return { verifier, start: pathOf(calls.returnFromService, { params: { serviceId: service }, query: { state } }) };
};

/** Where the portal sends the browser when it comes back. */
const visit = async (browser: TestBrowser, start: string, there = outside.newBrowser()): Promise<string> => {
  const back = await there.follow(locationOf(await browser.request('GET', start)));
  expect(back).toMatch(/^http:\/\/localhost:8080\/api\/open\/redirect\/back\//);
  return locationOf(await browser.request('GET', back));
};

const signIn = async (there = outside.newBrowser(), service = 'outside') => {
  const browser = portal.newBrowser();
  const { verifier, start } = startAt(service);
  const [, code] = /^\/oauth\/([\w-]{43})$/.exec(await visit(browser, start, there)) ?? [];
  if (code === undefined) throw new Error('signing in failed');
  const response = await redeemCode(browser, { code, verifier });
  expect(response.statusCode).toBe(204);
  const headers = { authorization: String(response.headers['authorization']) };
  return {
    there,
    self: () => browser.request('GET', calls.getSelf.path, { headers }),
    logout: () => browser.request('POST', calls.logout.path, { headers }),
  };
};

describe('an outside service', () => {
  test('signs its people in, by the claim that the settings name', async () => {
    const { self } = await signIn();
    expect((await self()).json()).toMatchObject({ personalId: '20000001', managed: true });
  });

  test('is where a typed id of its form leads, with that id as a hint', async () => {
    const { state } = createVerifier();
    const target = pathOf(calls.startSignIn, { params: { personalId: '20000001' }, query: { state, lang: 'EN' } });
    const url = new URL(locationOf(await portal.newBrowser().request('GET', target)));
    expect(url.origin).toBe(outside.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ login_hint: '20000001', ui_locales: 'en', prompt: 'login' });
  });

  test('has a button, when the settings give it one', async () => {
    const response = await portal.newBrowser().request('GET', calls.listSignInOptions.path);
    expect(response.json()).toEqual([{ id: 'outside', name: 'Outside', logo: '/logo.svg', icon: null, color: '#003366 white' }]);
  });

  test.each([
    ['of the embedded service', { subject: 'anna', personalId: '10000001' }],
    ['of another outside service', { subject: 'ewa', personalId: '30000001' }],
    ['who is no client', { subject: 'eve', personalId: '29999999' }],
    ['whose claim is missing', { subject: '20000001', personalId: '' }],
  ])('does not sign in a person %s', async (_what, person) => {
    outside.signInAs(person);
    expect(await visit(portal.newBrowser(), startAt('outside').start)).toBe(failed);
  });

  test('35: signs in no other person than the one whose id was typed', async () => {
    outside.signInAs({ subject: 'ola', personalId: '20000002' });
    const { state } = createVerifier();
    const start = pathOf(calls.startSignIn, { params: { personalId: '20000001' }, query: { state } });
    expect(await visit(portal.newBrowser(), start)).toBe(failed);
  });

  test('has clients whom the embedded service does not sign in, though they had a password there', async () => {
    await portal.addManagedPerson('managed');
    await portal.identity.accounts.create('managed', password);
    const browser = portal.newBrowser();
    const page = await goToPasswordPage(browser, { personalId: 'managed', state: createVerifier().state });
    expect(await returnToPortal(browser, await submitPassword(browser, page, { password }))).toBe(failed);
  });

  test.each([
    ['with both', { acr: 'two-factors', amr: ['pwd', 'otp'] }, /^\/oauth\//],
    ['without the acr', { amr: ['pwd', 'otp'] }, /^\/login-ex\?error=auth$/],
    ['without the amr', { acr: 'two-factors', amr: ['pwd'] }, /^\/login-ex\?error=auth$/],
    ['with neither', {}, /^\/login-ex\?error=auth$/],
  ])('an outside service that requires two factors lets a sign-in %s in or not', async (_what, strength, end) => {
    strict.signInAs({ subject: 'ewa', personalId: '30000001', ...strength });
    expect(await visit(portal.newBrowser(), startAt('strict').start, strict.newBrowser())).toMatch(end);
  });
});

describe('logging out', () => {
  test('sends the browser to the end of its session there, which knows whose it is and sends it back', async () => {
    const { self, logout, there } = await signIn();
    const response = await logout();
    expect(response.statusCode).toBe(204);
    const location = locationOf(response);
    expect(location.startsWith(`${String(response.headers['end-session-endpoint'])}?`)).toBe(true);
    expect(new URL(location).origin).toBe(outside.issuer);
    expect((await self()).statusCode).toBe(401);
    expect(await there.confirmLogout(location)).toBe(`${origin}/login-ex`);
  });

  test('keeps the ID token that it needs for this where only the browser can read it', async () => {
    await signIn();
    const { rows } = await portal.database.pool.query<{ id_token: Buffer }>(
      `select id_token from session where service_id = 'outside' and id_token is not null`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { id_token: sealed } of rows) expect(sealed.toString('latin1')).not.toMatch(/ey[\w-]+\.ey/);
  });

  test('there ends the session here, and no other', async () => {
    const there = outside.newBrowser();
    const mine = await signIn(there);
    outside.signInAs({ subject: 'ola', personalId: '20000002' });
    const others = await signIn();
    const embedded = portal.newBrowser();
    const login = await redeemCode(embedded, await obtainCode(embedded, { personalId: '10000001', password }));
    expect(await there.confirmLogout(`${outside.issuer}/session/end`)).toBe(`${outside.issuer}/session/end/success`);
    expect((await mine.self()).statusCode).toBe(401);
    expect((await others.self()).statusCode).toBe(200);
    const headers = { authorization: String(login.headers['authorization']) };
    expect((await embedded.request('GET', calls.getSelf.path, { headers })).statusCode).toBe(200);
    const reasons = await portal.database.db
      .selectFrom('session')
      .select('end_reason')
      .where('end_reason', '=', 'SERVICE_LOGOUT')
      .execute();
    expect(reasons).toHaveLength(1);
  });

  test('leads back to the sign-in when the service has gone', async () => {
    const gone = await startOutsideService('gone', origin);
    await using lonely = await startSignInPortal({ publicUrl: origin, identityServices: JSON.stringify([gone.setting()]) });
    await lonely.addManagedPerson('20000001');
    gone.signInAs({ subject: 'jan', personalId: '20000001' });
    const browser = lonely.newBrowser();
    await gone[Symbol.asyncDispose]();
    const response = await browser.request('GET', startAt('gone').start);
    expect(locationOf(response)).toBe('/login-ex?error=service');
  });
});

test('a client whose account is disabled does not get in by an outside service, and is signed out of the session of before', async () => {
  await portal.addManagedPerson('20000077');
  outside.signInAs({ subject: 'ola', personalId: '20000077' });
  const browser = portal.newBrowser();
  const { verifier, start } = startAt('outside');
  const [, code = ''] = /^\/oauth\/([\w-]{43})$/.exec(await visit(browser, start)) ?? [];
  const { self } = await signIn();
  await portal.disable('20000077');
  expect((await self()).statusCode).toBe(401);
  expect((await redeemCode(browser, { code, verifier })).statusCode).toBe(400);
  expect(await visit(portal.newBrowser(), startAt('outside').start)).toBe(failed);
});
