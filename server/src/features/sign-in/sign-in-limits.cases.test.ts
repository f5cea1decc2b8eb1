import { calls, openCallLimits, pathOf } from '@pergamin/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createVerifier, locationOf } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal } from '#testing/sign-in-portal.ts';
import { createTransactionLimit } from './sign-in.limits.ts';

// Thousands of calls, one after the other, on a machine that runs other tests beside them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const proxy = '10.0.0.1';

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal({ trustedProxies: [proxy] });
}, 60_000);
afterAll(() => portal[Symbol.asyncDispose]());

const { state } = createVerifier();
const begin = {
  method: 'GET',
  url: pathOf(calls.startSignIn, { params: { personalId: '10000001' }, query: { state, lang: 'PL' } }),
} as const;

interface Case {
  readonly name: string;
  readonly perMinute: number;
  readonly request: InjectOptions;
  /** To a call that is let in. */
  readonly status: number;
}

const cases: readonly Case[] = [
  {
    name: 'findSignInService',
    perMinute: openCallLimits.signInsBegunPerMinute,
    request: { method: 'GET', url: pathOf(calls.findSignInService, { params: { personalId: '10000001' } }) },
    status: 200,
  },
  { name: 'startSignIn', perMinute: openCallLimits.signInsBegunPerMinute, request: begin, status: 303 },
  {
    name: 'returnFromService, where a sign-in begins at a service',
    perMinute: openCallLimits.returnsPerMinute,
    request: { method: 'GET', url: pathOf(calls.returnFromService, { params: { serviceId: 'pergamin' }, query: { state } }) },
    status: 303,
  },
  {
    name: 'returnFromService, on the way back',
    perMinute: openCallLimits.returnsPerMinute,
    request: { method: 'GET', url: pathOf(calls.returnFromService, { params: { serviceId: 'pergamin' }, query: { state, code: 'x' } }) },
    status: 303,
  },
  {
    name: 'a sign-in that begins at the embedded service itself',
    perMinute: openCallLimits.signInsBegunPerMinute,
    request: { method: 'GET', url: '/identity/auth?client_id=nobody' },
    status: 400,
  },
  {
    name: 'verifySso',
    perMinute: openCallLimits.assertionsPerMinute,
    request: { method: 'GET', url: pathOf(calls.verifySso, { params: { id: 'a.b.c' }, query: { state } }) },
    status: 400,
  },
  {
    name: 'backchannelLogout',
    perMinute: openCallLimits.logoutTokensPerMinute,
    request: {
      method: 'POST',
      url: pathOf(calls.backchannelLogout, { params: { serviceId: 'pergamin' } }),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'logout_token=a.b.c',
    },
    status: 400,
  },
];

const ask = ({ headers, ...request }: InjectOptions, address: string, through?: string): Promise<LightMyRequestResponse> =>
  portal.server.inject({
    ...request,
    remoteAddress: through ?? address,
    headers: { ...headers, host: portal.host, ...(through === undefined ? {} : { 'x-forwarded-for': address }) },
  });

const refused = { code: 'CALL_NOT_PERMITTED', message: 'Too many calls' };

test.each(cases)('$name: one network may ask $perMinute times at once, and is then told when to come again', async (row) => {
  const { request, perMinute, status } = row;
  portal.clock.advance(120_000);
  const statuses = new Set<number>();
  for (let time = 0; time < perMinute; time += 1) statuses.add((await ask(request, `2001:db8:1:2::${(time + 1).toString(16)}`)).statusCode);
  expect([...statuses]).toEqual([status]);

  // The clock goes on while they are asked, so a few more may be let in.
  let last = await ask(request, '2001:db8:1:2:ffff::1');
  for (let more = 0; more < perMinute && last.statusCode === status; more += 1) last = await ask(request, '2001:db8:1:2:ffff::1');
  expect(last.statusCode).toBe(429);
  expect(last.json()).toEqual(refused);
  expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);

  expect((await ask(request, '2001:db8:1:3::1')).statusCode).toBe(status);
  expect((await ask(request, '192.0.2.1')).statusCode).toBe(status);
  portal.clock.advance(60_000);
  expect((await ask(request, '2001:db8:1:2::1')).statusCode).toBe(status);
});

test('behind a proxy that is trusted the visitor’s own network counts, and what others forward is not believed', async () => {
  portal.clock.advance(120_000);
  const { signInsBegunPerMinute: most } = openCallLimits;
  for (let time = 0; time < most; time += 1) expect((await ask(begin, `198.51.100.${time}`, proxy)).statusCode).toBe(303);
  const answers = await Promise.all(Array.from({ length: most + 20 }, (_, time) => ask(begin, `203.0.113.${time}`, '192.0.2.77')));
  expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(10);
});

const asBrowser = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const begunAtProvider = `/identity/auth?${new URLSearchParams({ client_id: 'pergamin' }).toString()}`;

test.each([
  ['a sign-in that begins at the portal', begin.url],
  ['a sign-in that begins at a service', pathOf(calls.returnFromService, { params: { serviceId: 'pergamin' }, query: { state } })],
  ['a sign-in that begins at the embedded service', begunAtProvider],
])('%s too often leads a browser back to where signing in begins, and a script to a refusal', async (_what, url) => {
  portal.clock.advance(120_000);
  const address = '192.0.2.200';
  const askOften = (headers: Record<string, string>) =>
    Promise.all(Array.from({ length: openCallLimits.returnsPerMinute + 20 }, () => ask({ method: 'GET', url, headers }, address)));
  // All at once, since the clock runs meanwhile, and lets a few more in.
  const [scripts, browsers] = await Promise.all([askOften({}), askOften(asBrowser)]);
  expect(scripts.map(({ statusCode }) => statusCode)).toContain(429);
  expect(browsers.map(({ statusCode }) => statusCode)).not.toContain(429);
  expect(browsers.map(({ headers }) => headers['location'])).toContain('/login-ex?error=service');
});

test('an unknown service leads a browser back, too', async () => {
  const url = pathOf(calls.returnFromService, { params: { serviceId: 'nobody' }, query: { state } });
  const shown = await ask({ method: 'GET', url, headers: asBrowser }, '192.0.2.201');
  expect([shown.statusCode, shown.headers['location']]).toEqual([303, '/login-ex?error=service']);
  expect((await ask({ method: 'GET', url, headers: { 'sec-fetch-mode': 'cors', accept: 'text/html' } }, '192.0.2.201')).statusCode).toBe(
    404,
  );
});

test('the number of sign-ins that wait for a password is limited; those that are too old are replaced', async () => {
  await using full = await startSignInPortal({ maxWaitingSignIns: 2 });
  const beginAtProvider = async () => {
    const browser = full.newBrowser();
    return browser.request('GET', locationOf(await browser.request('GET', begin.url)));
  };
  expect([(await beginAtProvider()).statusCode, (await beginAtProvider()).statusCode]).toEqual([303, 303]);
  full.clock.advance(10_000);
  const refused = await beginAtProvider();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  expect(refused.headers['content-type']).toContain('text/html');
  full.clock.advance(601_000);
  expect((await beginAtProvider()).statusCode).toBe(303);
  expect((await full.database.pool.query(`select from identity.oidc_payload where kind = 'Interaction'`)).rowCount).toBe(1);
});

test('the number of sign-ins in progress is limited across all callers; those that are too old are replaced', async () => {
  const { pool } = portal.database;
  await pool.query('delete from sign_in_transaction');
  const requireCapacity = createTransactionLimit({ pool, clock: portal.clock, maxCount: 2, countAfterCalls: 1 });
  const beginFrom = async (address: string): Promise<number> => (await ask(begin, address)).statusCode;
  await requireCapacity();
  expect([await beginFrom('192.0.2.11'), await beginFrom('192.0.2.12')]).toEqual([303, 303]);
  await expect(requireCapacity()).rejects.toMatchObject({ code: 'CALL_NOT_PERMITTED', retryAfterSeconds: 60 });
  portal.clock.advance(601_000);
  await expect(requireCapacity()).resolves.toBeUndefined();
  expect((await pool.query('select from sign_in_transaction')).rowCount).toBe(0);
});
