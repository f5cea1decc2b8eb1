import { type Area, type Call, callLimits, calls, openCallLimits } from '@pergamin/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCallLimits, type LimitedCall } from '#platform/http/call-limit.ts';
import { createHttpServer } from '#platform/http/http-server.ts';
import { mountRoutes } from '#platform/http/mount-routes.ts';
import { silentLog } from '#platform/log/log.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createGuards } from './guards.ts';

/** Made from the table of calls, so that a call that is added later is asked too. */

const publicUrl = new URL('https://bank.example');
const all: readonly Call[] = Object.values(calls);
let nowMs = 0;
const limits = createCallLimits({ clock: { now: () => new Date(nowMs) }, log: silentLog() });
let server: FastifyInstance;

/** Callers are taken at their word; the limits are the product's. */
beforeAll(async () => {
  server = await createHttpServer({ publicUrl, log: silentLog(), trustedProxies: [] });
  const guards = createGuards({
    publicUrl,
    limits,
    authenticate: async ({ headers }) => ({
      sessionId: String(headers['x-session']),
      sessionBeganAt: new Date(0),
      personalId: String(headers.authorization),
      cif: '7001',
      cif2: null,
      state: 'ACTIVE',
    }),
    publishers: {
      isProven: ({ headers }) => headers.authorization !== undefined,
      authenticate: async ({ headers }) => ({ keyId: String(headers.authorization), name: 'tests', scopes: [], demo: false }),
      requireScope() {},
    },
    requireStatute: async () => {},
  });
  mountRoutes(
    server,
    all.map((call) => ({ call, handle: async () => undefined })),
    guards,
  );
  await server.ready();
});
afterAll(() => server.close());

interface Asker {
  readonly address: string;
  readonly person?: string;
}

/** By who calls, and not by the network. */
const isOfOneCaller = ({ area }: Call): boolean => area === 'protected' || area === 'publisher';

const ask = async (call: Call, { address, person = 'Anna' }: Asker) => {
  const request: InjectOptions = {
    method: call.method,
    url: call.path.replaceAll(/:\w+/g, 'X'),
    remoteAddress: address,
    headers: { host: publicUrl.host, ...(isOfOneCaller(call) ? { authorization: person, 'x-session': 's' } : {}) },
  };
  return server.inject(request);
};

/** All but the last are counted without being made: thousands of requests would tell no more. */
const exhaust = async (call: Call, { address, person = 'Anna' }: Asker): Promise<void> => {
  const most = call.perMinute ?? callLimits[call.area];
  for (let time = 1; time < most; time += 1)
    if (call.area === 'protected') limits.takeOf(call, { personalId: person, sessionId: 's' });
    else if (call.area === 'publisher') limits.takeOfKey(call, { keyId: person });
    else limits.takeFrom(call, address);
  const { statusCode } = await ask(call, { address, person });
  if (statusCode === 429) throw new Error(`the last call of ${call.name} was refused`);
};

const refusal = { statusCode: 429, code: 'CALL_NOT_PERMITTED', isTold: true };

const refusedWith = async (call: Call, asker: Asker) => {
  const { statusCode, body, headers } = await ask(call, asker);
  const { code } = statusCode === 429 ? (JSON.parse(body) as { code: string }) : {};
  return { statusCode, code, isTold: Number(headers['retry-after']) >= 1 };
};

describe.each(Object.keys(callLimits) as Area[])('after as many calls of the area %s as it allows in a minute', (area) => {
  const counted = all.filter((call) => call.area === area && call.perMinute === undefined);
  const [first] = counted;
  const asker: Asker = { address: '192.0.2.1' };
  const others: Asker = area === 'protected' || area === 'publisher' ? { ...asker, person: 'Jan' } : { address: '192.0.2.2' };

  beforeAll(async () => {
    nowMs += 120_000;
    if (first !== undefined) await exhaust(first, asker);
  });

  // At once: each refusal is delayed.
  test.concurrent.for(counted.map((call) => [call.name, call] as const))(
    '%s is refused with 429, and says when to come again',
    async ([, call], { expect }) => {
      expect(await refusedWith(call, asker)).toEqual(refusal);
      expect((await ask(call, others)).statusCode).not.toBe(429);
    },
  );
});

test('a client who is refused is refused at every address', async () => {
  nowMs += 120_000;
  await exhaust(calls.getSelf, { address: '192.0.2.1' });
  expect(await refusedWith(calls.listNotifications, { address: '192.0.2.3' })).toEqual(refusal);
});

test('calls with keys that are not known to be right are held back for their network, and a key that is goes on', async () => {
  nowMs += 120_000;
  const { upsertClients: call } = calls;
  const from = (remoteAddress: string, authorization?: string) =>
    server.inject({
      method: call.method,
      url: call.path,
      remoteAddress,
      headers: { host: publicUrl.host, ...(authorization === undefined ? {} : { authorization }) },
    });
  for (let time = 0; time < openCallLimits.unprovenKeysPerMinute; time += 1) expect((await from('192.0.2.1')).statusCode).not.toBe(429);
  const refused = await from('192.0.2.1');
  expect([refused.statusCode, Number(refused.headers['retry-after']) >= 1]).toEqual([429, true]);
  expect((await from('192.0.2.1', 'Anna')).statusCode).not.toBe(429);
  expect((await from('192.0.2.2')).statusCode).not.toBe(429);
});

const apart = all.filter(({ perMinute }) => perMinute !== undefined);

test.each(apart.map((call) => [call.name, call] as const))(
  '%s has a limit of its own, which other calls do not use up',
  async (_, call) => {
    nowMs += 120_000;
    const asker: Asker = { address: '192.0.2.10' };
    await exhaust(call, asker);
    expect(await refusedWith(call, asker)).toEqual(refusal);
    for (const other of [...apart.filter(({ name }) => name !== call.name), calls.listSignInOptions])
      expect([other.name, (await ask(other, asker)).statusCode === 429]).toEqual([other.name, false]);
    nowMs += 60_000;
    expect((await ask(call, asker)).statusCode).not.toBe(429);
  },
);

test('no call is left without a number, and no number is out of proportion', () => {
  for (const { name, area, perMinute } of all) {
    const most = perMinute ?? callLimits[area];
    expect([name, most >= 10 && most <= 12_000]).toEqual([name, true]);
  }
});

describe('what is no call of the contract has a limit, too', () => {
  const { identityMessagesPerMinute } = openCallLimits;
  const health = { method: 'GET', url: calls.getHealth.path, counted: calls.getHealth } as const;
  const options = { method: 'GET', url: calls.listSignInOptions.path, counted: calls.listSignInOptions } as const;
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startTestPortal({ limits });
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const token = { method: 'POST', url: '/identity/token', type: 'text/plain', counted: undefined } as const;

  test.each([
    ['the description of all calls, as what the system tells', callLimits.system, health, [{ method: 'GET', url: '/api/openapi.json' }]],
    [
      'reports of browsers and pages of the identity service, as open calls',
      callLimits.open,
      options,
      [
        { method: 'POST', url: '/api/open/csp-report', type: 'application/csp-report' },
        { method: 'GET', url: '/identity/forgot' },
        { method: 'GET', url: '/identity/assets/none' },
        { method: 'GET', url: '/identity/.well-known/openid-configuration' },
        { method: 'HEAD', url: '/identity/jwks' },
      ],
    ],
    [
      'tokens, links, passwords and all other requests to the identity service, by a number of their own',
      identityMessagesPerMinute,
      token,
      [
        token,
        ...['reset', 'activate', 'forgot', 'interaction/x', 'session/end', 'none'].map((page) => ({ ...token, url: `/identity/${page}` })),
        { ...token, method: 'PUT' },
      ],
    ],
  ] as const)('%s', async (_, most, flood, others) => {
    nowMs += 120_000;
    const send = ({ method, url, type }: { method: 'GET' | 'HEAD' | 'POST' | 'PUT'; url: string; type?: string }, remoteAddress: string) =>
      portal.server.inject({
        method,
        url,
        remoteAddress,
        headers: { host: portal.settings.publicUrl.host, ...(type === undefined ? {} : { 'content-type': type }) },
      });
    const counted: LimitedCall | undefined = flood.counted;
    for (let time = 1; time < most; time += 1)
      if (counted === undefined) await send(flood, '192.0.2.1');
      else limits.takeFrom(counted, '192.0.2.1');
    expect((await send(flood, '192.0.2.1')).statusCode).not.toBe(429);
    for (const other of others) {
      const refused = await send(other, '192.0.2.1');
      expect([other.url, refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([other.url, 429, 1]);
      if (other.method !== 'HEAD') expect(refused.json()).toMatchObject({ code: 'CALL_NOT_PERMITTED' });
      expect((await send(other, '198.51.100.1')).statusCode).not.toBe(429);
    }
  });
});
