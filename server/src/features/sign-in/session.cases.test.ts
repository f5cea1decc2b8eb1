import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { calls, sessionLimits } from '@pergamin/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { route } from '#platform/http/route.ts';
import { obtainCode, redeemCode, signInThroughIdentity } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** The negative cases of sessions, by the numbers that the security design gives them, and how a session lives and ends. */

let portal: SignInPortal;
beforeAll(async () => {
  // A call that a screen makes by itself.
  const image = route(calls.getPageImage, async () => ({ body: Buffer.from('image'), contentType: 'image/png' }));
  portal = await startSignInPortal({ routes: [image] });
  await portal.addPerson('10000001');
  await portal.addPerson('10000002');
});
afterAll(() => portal[Symbol.asyncDispose]());

interface Held {
  readonly token: string;
  readonly cookie: string;
}

const signIn = (personalId = '10000001'): Promise<Held> =>
  signInThroughIdentity(portal.server, { personalId, password, host: portal.host });

const ask = (headers: Record<string, string>) =>
  portal.server.inject({ url: '/api/protected/account/self/info', headers: { host: portal.host, ...headers } });
const askWith = ({ token, cookie }: Held) => ask({ authorization: token, cookie });

const post = (path: string, headers: Record<string, string>) =>
  portal.server.inject({ method: 'POST', url: path, headers: { host: portal.host, ...headers } });

const answerOf = (response: Awaited<ReturnType<typeof ask>>) => ({
  status: response.statusCode,
  code: response.json<{ code: string }>().code,
});
const denied = { status: 401, code: 'ACCESS_DENIED' };

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;

const rowOf = ({ token }: Held) =>
  portal.database.db
    .selectFrom('session')
    .selectAll()
    .where('id', '=', String(claimsOf(token)['sid']))
    .executeTakeFirstOrThrow();

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('token and cookie', () => {
  let held: Held;
  beforeEach(async () => {
    held = await signIn();
  });

  test('the token says whose it is and no more than it must', async () => {
    expect(Object.keys(claimsOf(held.token)).toSorted()).toEqual(['bnd', 'exp', 'gen', 'sid', 'sub']);
    expect(claimsOf(held.token)['sub']).toBe('10000001');
  });

  test('57: a token without its cookie is refused, and its session ends', async () => {
    expect(answerOf(await ask({ authorization: held.token }))).toEqual(denied);
    expect(answerOf(await askWith(held))).toEqual(denied);
    expect(await rowOf(held)).toMatchObject({ end_reason: 'BINDING_MISMATCH' });
  });

  test('58: a cookie without a token is refused, and the session lives', async () => {
    expect(answerOf(await ask({ cookie: held.cookie }))).toEqual(denied);
    expect((await askWith(held)).statusCode).toBe(200);
  });

  test('59: one person’s token with another’s cookie is refused, and the token’s session ends', async () => {
    const other = await signIn('10000002');
    expect(answerOf(await ask({ authorization: held.token, cookie: other.cookie }))).toEqual(denied);
    expect(answerOf(await askWith(held))).toEqual(denied);
    expect((await askWith(other)).statusCode).toBe(200);
  });

  test('a browser that sends the cookie’s name twice is not let in by the second', async () => {
    expect(answerOf(await ask({ authorization: held.token, cookie: `portal=planted; ${held.cookie}` }))).toEqual(denied);
  });

  test.each<[string, (token: string) => string]>([
    ['without Bearer', (token) => token.replace('Bearer ', '')],
    ['with a character less', (token) => token.slice(0, -1)],
    ['with a part more', (token) => `${token}.a`],
    ['that is empty', () => 'Bearer '],
    [
      'for another subject',
      (token) => {
        const [header, , signature] = token.split('.');
        return `${header}.${encode({ ...claimsOf(token), sub: '10000002' })}.${signature}`;
      },
    ],
    ['without a signature', (token) => `Bearer ${encode({ alg: 'none', typ: 'portal-session+jwt' })}.${token.split('.')[1]}.`],
    ['of the algorithm none', (token) => `Bearer ${encode({ alg: 'none' })}.${token.split('.')[1]}.${token.split('.')[2]}`],
    [
      'signed with another key',
      (token) => {
        const content = token.split('.').slice(0, 2).join('.');
        return `${content}.${createHmac('sha256', 'another').update(content.replace('Bearer ', '')).digest('base64url')}`;
      },
    ],
    [
      'signed with a key pair of the attacker’s own',
      (token) => {
        const content = `${encode({ alg: 'ES256', typ: 'portal-session+jwt' })}.${token.split('.')[1]}`;
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        return `Bearer ${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
      },
    ],
  ])('60: a token %s is refused, and ends no session', async (_what, forge) => {
    expect(answerOf(await ask({ authorization: forge(held.token), cookie: held.cookie }))).toEqual(denied);
    expect((await askWith(held)).statusCode).toBe(200);
  });

  test('60: an ordinary JWT signed with the very key is refused', async () => {
    const stored = await portal.database.db
      .selectFrom('installation')
      .select('value')
      .where('name', '=', 'session-token-key')
      .executeTakeFirstOrThrow();
    const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${held.token.split('.')[1]}`;
    const signature = createHmac('sha256', Buffer.from(stored.value, 'base64url')).update(content).digest('base64url');
    expect(answerOf(await ask({ authorization: `Bearer ${content}.${signature}`, cookie: held.cookie }))).toEqual(denied);
  });

  test('66: another site cannot make a protected call, nor log anybody out', async () => {
    const foreign = { authorization: held.token, cookie: held.cookie, 'sec-fetch-site': 'cross-site' };
    expect((await ask(foreign)).json()).toMatchObject({ code: 'CALL_NOT_PERMITTED' });
    expect((await post('/api/auth/logout', foreign)).statusCode).toBe(403);
    expect((await askWith(held)).statusCode).toBe(200);
  });
});

describe('a session', () => {
  let held: Held;
  beforeEach(async () => {
    held = await signIn();
  });

  test('61: is dead at once after logout, here and at the identity service', async () => {
    const { service_session: providerSession } = await rowOf(held);
    const left = await post(calls.logout.path, { authorization: held.token, cookie: held.cookie });
    expect(left.statusCode).toBe(204);
    expect(left.headers['location']).toBe('/login-ex');
    expect(left.headers['set-cookie']).toMatch(/^portal=; .*Max-Age=0|^portal=;.*Expires=Thu, 01 Jan 1970/);
    expect(answerOf(await askWith(held))).toEqual(denied);
    expect(await rowOf(held)).toMatchObject({ end_reason: 'LOGOUT' });
    const { rows } = await portal.database.pool.query('select from identity.oidc_payload where uid = $1', [providerSession]);
    expect(providerSession).toMatch(/^[\w-]{20,}$/);
    expect(rows).toHaveLength(0);
  });

  test('logout needs both token and cookie', async () => {
    expect(answerOf(await post('/api/auth/logout', { cookie: held.cookie }))).toEqual(denied);
    expect((await askWith(held)).statusCode).toBe(200);
    expect(answerOf(await post('/api/auth/logout', { authorization: held.token }))).toEqual(denied);
  });

  test('ends after fifteen idle minutes, and not before', async () => {
    portal.clock.advance(15 * 60_000 - 2_000);
    expect((await askWith(held)).statusCode).toBe(200);
    portal.clock.advance(15 * 60_000 - 2_000);
    expect((await askWith(held)).statusCode).toBe(200);
    portal.clock.advance(15 * 60_000 + 1);
    expect(answerOf(await askWith(held))).toEqual(denied);
  });

  test('64: ends after eight hours, however busy', async () => {
    for (let minutes = 0; minutes < 8 * 60 - 10; minutes += 10) {
      portal.clock.advance(10 * 60_000);
      expect((await askWith(held)).statusCode).toBe(200);
    }
    const { absolute_expires_at: end } = await rowOf(held);
    expect(Number((await askWith(held)).headers['auth-expired-epoch'])).toBe(end.getTime());
    portal.clock.advance(10 * 60_000);
    expect(answerOf(await askWith(held))).toEqual(denied);
  });

  test('tells when it ends in epoch milliseconds, and moves that at most once a minute', async () => {
    const before = await rowOf(held);
    portal.clock.advance(sessionLimits.slideWriteEveryMs - 5_000);
    expect(Number((await askWith(held)).headers['auth-expired-epoch'])).toBe(before.idle_expires_at.getTime());
    portal.clock.advance(10_000);
    const told = Number((await askWith(held)).headers['auth-expired-epoch']);
    expect(told).toBeGreaterThanOrEqual(before.idle_expires_at.getTime() + sessionLimits.slideWriteEveryMs);
    expect((await rowOf(held)).idle_expires_at.getTime()).toBe(told);
  });

  test('is not kept alive by background calls', async () => {
    const before = await rowOf(held);
    portal.clock.advance(5 * 60_000);
    const polled = await portal.server.inject({
      url: '/api/protected/documents/render/page/11111111-1111-4111-8111-111111111111/1',
      headers: { host: portal.host, authorization: held.token, cookie: held.cookie },
    });
    expect(polled.statusCode).toBe(200);
    expect(polled.headers['auth-expired-epoch']).toBeUndefined();
    expect((await rowOf(held)).idle_expires_at).toEqual(before.idle_expires_at);
  });

  test('a new sign-in ends the session that this browser had, and no other', async () => {
    const browser = portal.newBrowser();
    const login = async (): Promise<Held> => {
      const response = await redeemCode(browser, await obtainCode(browser, { personalId: '10000001', password }));
      return { token: String(response.headers['authorization']), cookie: browser.cookieHeader('/api/') };
    };
    const first = await login();
    const second = await login();
    expect(answerOf(await askWith(first))).toEqual(denied);
    expect(await rowOf(first)).toMatchObject({ end_reason: 'REPLACED' });
    expect((await askWith(second)).statusCode).toBe(200);
    expect((await askWith(held)).statusCode).toBe(200);
  });

  test('65: a session never takes over a secret that was planted in the browser', async () => {
    const browser = portal.newBrowser();
    browser.cookies.set('portal', { value: 'planted', path: '/' });
    browser.cookies.set('portal-tx', { value: 'planted', path: '/' });
    const response = await redeemCode(browser, await obtainCode(browser, { personalId: '10000001', password }));
    expect(response.statusCode).toBe(204);
    expect(browser.cookies.get('portal')?.value).toMatch(/^[\w-]{43}$/);
    expect(browser.cookies.has('portal-tx')).toBe(false);
    expect(answerOf(await ask({ authorization: String(response.headers['authorization']), cookie: 'portal=planted' }))).toEqual(denied);
  });

  test('leaves nothing behind once it is long over', async () => {
    const count = async (): Promise<number> => {
      const { rows } = await portal.database.pool.query('select from session union all select from sign_in_transaction');
      return rows.length;
    };
    expect(await count()).toBeGreaterThan(0);
    portal.clock.advance(31 * 24 * 3_600_000);
    await portal.signIn.jobs['sign-in:sweep']();
    expect(await count()).toBe(0);
  });
});

test('on https the cookies cannot be set by scripts, subdomains or plain http', async () => {
  await using secure = await startSignInPortal({ publicUrl: 'https://portal.example' });
  await secure.addPerson('10000001');
  const browser = secure.newBrowser();
  const login = await obtainCode(browser, { personalId: '10000001', password });
  expect(browser.cookies.has('__Host-Http-portal-tx')).toBe(true);
  expect(browser.cookies.has('__Host-Http-identity')).toBe(true);
  const response = await redeemCode(browser, login);
  const lines = [response.headers['set-cookie'] ?? []].flat();
  const session = lines.find((line) => line.startsWith('__Host-Http-portal='));
  expect(session?.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
});
