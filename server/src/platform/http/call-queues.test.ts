import { once } from 'node:events';
import { connect } from 'node:net';
import { type Call, openCall, protectedCall, publisherCall } from '@pergamin/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { silentLog } from '#platform/log/log.ts';
import { portOf } from '#testing/raw-http.ts';
import { createTestGuards } from '#testing/test-guards.ts';
import { createHttpServer } from './http-server.ts';
import { mountRoutes } from './mount-routes.ts';
import { route } from './route.ts';

const answer = z.object({ ok: z.boolean() });
const guarded = { needsStatute: false, keepsSessionAlive: false } as const;
const ofAll = { method: 'GET', summary: 'Takes a while', answer } as const;
const calls = {
  heavy: protectedCall({ ...ofAll, ...guarded, name: 'heavy', path: '/api/protected/heavy', load: 'heavy' }),
  light: protectedCall({ ...ofAll, ...guarded, name: 'light', path: '/api/protected/light' }),
  heavyOpen: openCall({ ...ofAll, name: 'heavyOpen', path: '/api/open/heavy', load: 'heavy' }),
  heavyOfPublishers: publisherCall({
    ...ofAll,
    name: 'heavyOfPublishers',
    path: '/api/publisher/heavy',
    load: 'heavy',
    scope: 'received:read',
  }),
  lightOfPublishers: publisherCall({ ...ofAll, name: 'lightOfPublishers', path: '/api/publisher/light', scope: 'received:read' }),
} satisfies Record<string, Call>;

let server: Awaited<ReturnType<typeof createHttpServer>>;
/** Who is being answered, in the order in which they began, and what lets each go on. */
let begun: string[];
let ends: (() => void)[];
const unanswered = new Set<symbol>();

beforeEach(async () => {
  begun = [];
  ends = [];
  server = await createHttpServer({
    publicUrl: new URL('http://localhost:8080'),
    log: silentLog(),
    trustedProxies: ['127.0.0.1'],
  });
  const guards = createTestGuards();
  const named = { sessionId: 's', sessionBeganAt: new Date(0), cif: 'c', cif2: null, state: 'ACTIVE' } as const;
  const handle = async (name: string) => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return { ok: true };
  };
  mountRoutes(
    server,
    [
      route(calls.heavy, ({ caller }) => handle(caller.personalId)),
      route(calls.light, ({ caller }) => handle(caller.personalId)),
      route(calls.heavyOpen, ({ request }) => handle(request.ip)),
      route(calls.heavyOfPublishers, ({ caller }) => handle(caller.keyId)),
      route(calls.lightOfPublishers, ({ caller }) => handle(caller.keyId)),
    ],
    {
      ...guards,
      protected: async ({ headers }) => ({ ...named, personalId: String(headers.authorization) }),
      publisher: async ({ headers }) => ({ keyId: String(headers.authorization), name: 'tests', scopes: [], demo: false }),
    },
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(async () => {
  await endUntilAnswered();
  await server.close();
});

const endAll = (): void => {
  for (const end of ends.splice(0)) end();
};

const endUntilAnswered = async (): Promise<void> => {
  while (unanswered.size > 0) {
    endAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const ask = async ({ path }: Call, who: string) => {
  const one = Symbol(who);
  unanswered.add(one);
  const answered = await server.inject({ url: path, headers: { host: 'localhost:8080', authorization: who, 'x-forwarded-for': who } });
  unanswered.delete(one);
  return answered;
};
const askTimes = (call: Call, who: string, times: number) => Array.from({ length: times }, () => ask(call, who));

describe.each([
  { call: calls.heavy, greedy: 'greedy', modest: 'modest', most: 2 },
  { call: calls.heavyOpen, greedy: '192.0.2.1', modest: '192.0.2.2', most: 2 },
  { call: calls.heavyOpen, greedy: '2001:db8::1', modest: '2001:db8:0:1::1', most: 2 },
  { call: calls.heavyOfPublishers, greedy: 'greedy', modest: 'modest', most: 1 },
])('$call.name for $greedy', ({ call, greedy, modest, most }) => {
  test('runs few at once and all after one another, and another is answered at once', async () => {
    const all = askTimes(call, greedy, 20);
    await expect.poll(() => begun.length).toBe(most);
    const other = ask(call, modest);
    await expect.poll(() => begun).toEqual([...Array.from({ length: most }, () => greedy), modest]);
    await endUntilAnswered();
    expect((await Promise.all([...all, other])).map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 21 }, () => 200));
  });
});

test('a short call of a publisher waits for nothing', async () => {
  void askTimes(calls.lightOfPublishers, 'publisher', 50);
  await expect.poll(() => begun.length).toBe(50);
});

test('two hundred calls of a client wait, and one more is refused, which takes a moment', async () => {
  const startedAt = performance.now();
  const all = askTimes(calls.heavy, 'greedy', 203);
  const refused = await Promise.race(all);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json<{ code: string }>().code]).toEqual([
    429,
    '5',
    'CALL_NOT_PERMITTED',
  ]);
  expect(performance.now() - startedAt).toBeGreaterThan(240);
  expect(begun).toEqual(['greedy', 'greedy']);
  void ask(calls.heavy, 'modest');
  await expect.poll(() => begun).toEqual(['greedy', 'greedy', 'modest']);
});

test('a caller who closes the connection while waiting leaves the queue, and the call is not run', async () => {
  const request = 'GET /api/protected/heavy HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: greedy\r\n\r\n';
  const heard: Promise<unknown>[] = [];
  server.server.on('request', (_request, response) => heard.push(once(response, 'close')));
  const sockets = Array.from({ length: 10 }, () => connect(portOf(server.server), '127.0.0.1'));
  for (const socket of sockets) socket.write(request);
  await expect.poll(() => heard.length).toBe(10);
  expect(begun).toEqual(['greedy', 'greedy']);
  for (const socket of sockets) socket.destroy();
  await Promise.all(heard);
  endAll();
  const later = ask(calls.heavy, 'later');
  const own = ask(calls.heavy, 'greedy');
  await expect.poll(() => begun).toEqual(['greedy', 'greedy', 'later', 'greedy']);
  endAll();
  expect([await later, await own].map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});
