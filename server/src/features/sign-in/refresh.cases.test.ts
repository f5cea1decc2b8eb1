import { createHmac } from 'node:crypto';
import { calls, sessionLimits } from '@pergamin/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { route } from '#platform/http/route.ts';
import { obtainCode, redeemCode, signInThroughIdentity } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** How a session is renewed, and how it is ended from elsewhere, by the numbers that the security design gives the cases. */

const lines: string[] = [];
let portal: SignInPortal;
beforeAll(async () => {
  const image = route(calls.getPageImage, async () => ({ body: Buffer.from('image'), contentType: 'image/png' }));
  const list = route(calls.listOwnDocuments, async () => ({ items: [], total: 0 }));
  portal = await startSignInPortal({ routes: [image, list], log: createLog('info', { write: (line) => void lines.push(line) }) });
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

const headersOf = ({ token, cookie }: Held) => ({ host: portal.host, authorization: token, cookie });

const ask = (held: Held, url = '/api/protected/account/self/info') => portal.server.inject({ url, headers: headersOf(held) });

const statusOf = async (held: Held): Promise<number> => (await ask(held)).statusCode;

const refresh = (held: Held, headers: Record<string, string> = {}) =>
  portal.server.inject({ method: 'POST', url: calls.refresh.path, headers: { ...headersOf(held), ...headers } });

const refreshed = async (held: Held): Promise<Held> => {
  const response = await refresh(held);
  expect(response.statusCode).toBe(204);
  return { ...held, token: String(response.headers['authorization']) };
};

const sessionIdOf = ({ token }: Held): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { sid: string }).sid;

const endReasonOf = async (held: Held): Promise<string | null> => {
  const row = portal.database.db.selectFrom('session').select('end_reason').where('id', '=', sessionIdOf(held));
  return (await row.executeTakeFirstOrThrow()).end_reason;
};

let held: Held;
beforeEach(async () => {
  held = await signIn();
});

describe('refresh', () => {
  test('gives a new token of the same session, and says when that one ends', async () => {
    portal.clock.advance(14 * 60_000);
    const before = portal.clock.now().getTime();
    const response = await refresh(held);
    expect(response.statusCode).toBe(204);
    expect(response.body).toBe('');
    expect(response.headers['set-cookie']).toBeUndefined();
    const epochMs = Number(response.headers['auth-expired-epoch']);
    expect(epochMs - before).toBeGreaterThanOrEqual(15 * 60_000);
    expect(epochMs - before).toBeLessThan(15 * 60_000 + 5_000);
    const newer = { ...held, token: String(response.headers['authorization']) };
    expect(newer.token).not.toBe(held.token);
    expect(sessionIdOf(newer)).toBe(sessionIdOf(held));
    expect(await statusOf(newer)).toBe(200);
  });

  test('62: leaves the token before it ten seconds, for reading and not for another refresh', async () => {
    const newer = await refreshed(held);
    expect(await statusOf(held)).toBe(200);
    expect((await refresh(held)).json()).toMatchObject({ code: 'ACCESS_DENIED' });
    portal.clock.advance(sessionLimits.previousTokenReadsMs - 1_000);
    expect(await statusOf(held)).toBe(200);
    expect(await statusOf(newer)).toBe(200);
  });

  test.each<[string, (older: Held) => Promise<{ statusCode: number }>]>([
    ['a call', ask],
    ['another refresh', refresh],
    ['a logout', (older) => portal.server.inject({ method: 'POST', url: calls.logout.path, headers: headersOf(older) })],
  ])('62: ten seconds after a refresh the former token, used for %s, ends the session for both its holders', async (_what, use) => {
    const newer = await refreshed(held);
    portal.clock.advance(sessionLimits.previousTokenReadsMs);
    expect(await statusOf(newer)).toBe(200);
    lines.length = 0;
    expect((await use(held)).statusCode).toBe(401);
    expect(await statusOf(newer)).toBe(401);
    expect(await endReasonOf(newer)).toBe('TOKEN_REUSED');
    const [line] = lines.map((text) => JSON.parse(text) as Record<string, unknown>).filter(({ level }) => level === 40);
    expect(line).toMatchObject({ audit: 'TOKEN_REUSED', sessionId: sessionIdOf(held), address: '127.0.0.1' });
    expect(line?.['requestId']).toMatch(/^[\da-f-]{36}$/);
  });

  test('62: a token of two refreshes ago ends the session, too, once the ten seconds after the last one are over', async () => {
    const newest = await refreshed(await refreshed(held));
    portal.clock.advance(sessionLimits.previousTokenReadsMs);
    expect(await statusOf(held)).toBe(401);
    expect([await statusOf(newest), await endReasonOf(newest)]).toEqual([401, 'TOKEN_REUSED']);
  });

  test('62: leaves a token of two refreshes ago no time at all', async () => {
    const newest = await refreshed(await refreshed(held));
    expect(await statusOf(held)).toBe(401);
    expect(await statusOf(newest)).toBe(200);
  });

  test('62: succeeds for one of five that come at once', async () => {
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => refresh(held)))).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([204, 401, 401, 401, 401]);
  });

  test('64: does not move the end of eight hours', async () => {
    for (let minutes = 0; minutes < 8 * 60 - 10; minutes += 10) {
      portal.clock.advance(10 * 60_000);
      held = await refreshed(held);
    }
    portal.clock.advance(10 * 60_000);
    expect(await statusOf(held)).toBe(401);
    expect((await refresh(held)).statusCode).toBe(401);
  });

  test('wakes no session that has idled out, or ended', async () => {
    portal.clock.advance(15 * 60_000 + 1);
    expect((await refresh(held)).statusCode).toBe(401);
    const other = await signIn();
    await portal.signIn.endSessionsOf('10000001', { reason: 'ACCOUNT_DISABLED' });
    expect((await refresh(other)).statusCode).toBe(401);
  });

  test('needs both token and cookie; a token alone ends its session', async () => {
    const alone = (headers: Record<string, string>) =>
      portal.server.inject({ method: 'POST', url: calls.refresh.path, headers: { host: portal.host, ...headers } });
    expect((await alone({ cookie: held.cookie })).statusCode).toBe(401);
    expect(await statusOf(held)).toBe(200);
    expect((await alone({ authorization: held.token })).statusCode).toBe(401);
    expect(await statusOf(held)).toBe(401);
    expect(await endReasonOf(held)).toBe('BINDING_MISMATCH');
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])('66: is refused from %j', async (headers) => {
    const response = await refresh(held, headers);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ code: 'CALL_NOT_PERMITTED' });
  });

  test('takes the tokens from before there was a refresh', async () => {
    const key = portal.database.db.selectFrom('installation').select('value').where('name', '=', 'session-token-key');
    const { value } = await key.executeTakeFirstOrThrow();
    const [header = '', content = ''] = held.token.replace('Bearer ', '').split('.');
    const { gen: _gen, ...claims } = JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as Record<string, unknown>;
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = createHmac('sha256', Buffer.from(value, 'base64url')).update(signed).digest('base64url');
    const older = { ...held, token: `Bearer ${signed}.${signature}` };
    expect(await statusOf(older)).toBe(200);
    expect(await statusOf(await refreshed(older))).toBe(200);
  });
});

test('63: a session that is only polled ends at its idle limit', async () => {
  const image = '/api/protected/documents/render/page/11111111-1111-4111-8111-111111111111/1';
  for (let seconds = 0; seconds < 15 * 60 - 30; seconds += 30) {
    portal.clock.advance(30_000);
    if (seconds % 300 === 0) expect((await ask(held, image)).statusCode).toBe(200);
  }
  portal.clock.advance(31_000);
  expect((await ask(held, image)).statusCode).toBe(401);
});

describe('all sessions of a person', () => {
  test('61: end at once, but for the one that asked, and no other person’s', async () => {
    const [second, third, stranger] = [await signIn(), await signIn(), await signIn('10000002')];
    await portal.signIn.endSessionsOf('10000001', { except: sessionIdOf(second), reason: 'PASSWORD_CHANGED' });
    expect([await statusOf(held), await statusOf(second), await statusOf(third), await statusOf(stranger)]).toEqual([401, 200, 401, 200]);
    expect(await endReasonOf(third)).toBe('PASSWORD_CHANGED');
  });

  test('61: end though their tokens were good a moment ago and are remembered', async () => {
    expect(await statusOf(held)).toBe(200);
    await portal.signIn.endSessionsOf('10000001', { reason: 'ACCOUNT_DISABLED' });
    expect(await statusOf(held)).toBe(401);
  });

  test('61: take with them the code that would become the next one', async () => {
    const browser = portal.newBrowser();
    const login = await obtainCode(browser, { personalId: '10000001', password });
    await portal.signIn.endSessionsOf('10000001', { reason: 'PASSWORD_CHANGED' });
    expect((await redeemCode(browser, login)).statusCode).toBe(400);
  });

  test('61: end at the embedded identity service, too', async () => {
    const row = portal.database.db.selectFrom('session').select('service_session').where('id', '=', sessionIdOf(held));
    const { service_session: session } = await row.executeTakeFirstOrThrow();
    const count = async () => (await portal.database.pool.query('select from identity.oidc_payload where uid = $1', [session])).rows.length;
    expect(await count()).toBeGreaterThan(0);
    await portal.signIn.endSessionsOf('10000001', { reason: 'PASSWORD_CHANGED' });
    expect(await count()).toBe(0);
  });
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/plain; x=application/json'])(
  '67: a body of %s is refused by a call that takes JSON',
  async (contentType) => {
    const response = await portal.server.inject({
      method: 'POST',
      url: calls.listOwnDocuments.path,
      headers: { ...headersOf(held), 'content-type': contentType },
      payload: '{}',
    });
    expect(response.statusCode).toBe(415);
  },
);
