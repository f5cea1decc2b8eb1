import { openCall, systemCall } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { silentLog } from '#platform/log/log.ts';
import { exchangeBytes, portOf, type RawAnswer } from '#testing/raw-http.ts';
import { createTestGuards } from '#testing/test-guards.ts';
import { isLoopback } from './host-guard.ts';
import { createHttpServer } from './http-server.ts';
import { mountRoutes } from './mount-routes.ts';
import { route } from './route.ts';

const row = { method: 'GET', summary: 'Says yes', answer: z.object({ ok: z.boolean() }) } as const;
const rows = [
  openCall({ ...row, name: 'open', path: '/api/open/x' }),
  systemCall({ ...row, name: 'health', path: '/api/health' }),
  systemCall({ ...row, name: 'ready', path: '/api/ready', query: z.looseObject({}) }),
];

const startServer = async (publicUrl: string): Promise<FastifyInstance> => {
  const server = await createHttpServer({ publicUrl: new URL(publicUrl), log: silentLog(), trustedProxies: [] });
  mountRoutes(
    server,
    rows.map((call) => route(call, async () => ({ ok: true }))),
    createTestGuards(),
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
  return server;
};

const page = 'Accept: text/html,application/xhtml+xml';
let server: FastifyInstance;
let bank: FastifyInstance;

const get = (from: FastifyInstance, target: string, ...headers: string[]): Promise<RawAnswer> =>
  exchangeBytes(portOf(from.server), `GET ${target} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`);

beforeAll(async () => {
  [server, bank] = await Promise.all([startServer('http://localhost:8080'), startServer('https://documents.example.com')]);
});

afterAll(() => Promise.all([server.close(), bank.close()]));

describe('the address of the portal', () => {
  test.each(['localhost:8080', 'LOCALHOST:8080'])('is known as %s', async (host) => {
    expect((await get(server, '/api/open/x', `Host: ${host}`)).status).toBe(200);
  });

  test.each(['documents.example.com', 'documents.example.com:443'])('is known as %s', async (host) => {
    expect((await get(bank, '/api/open/x', `Host: ${host}`)).status).toBe(200);
  });
});

describe('a request for another host', () => {
  test.each([
    'evil.example',
    'localhost',
    'localhost:8081',
    'evil.example:8080',
    'localhost:8080.evil.example',
    '127.0.0.1:8080',
    '[::1]:8080',
    '',
  ])('is misdirected: %s', async (host) => {
    const { status, body, headers } = await get(server, '/api/open/x', `Host: ${host}`);
    expect([status, body]).toEqual([421, '']);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is misdirected for unknown addresses, too', async () => {
    expect((await get(server, '/nowhere', 'Host: evil.example')).status).toBe(421);
  });

  test('is not believed from a forwarding header', async () => {
    expect((await get(server, '/api/open/x', 'Host: evil.example', 'X-Forwarded-Host: localhost:8080')).status).toBe(421);
  });

  test.each(['/api/health', '/api/ready', '/api/ready?from=probe'])('is answered when a probe asks %s', async (target) => {
    expect((await get(server, target, 'Host: 10.0.0.7:8080')).status).toBe(200);
  });
});

describe('a page asked for under another loopback name', () => {
  test.each(['127.0.0.1:8080', '[::1]:8080', 'localhost:9999'])('is sent from %s to the right one', async (host) => {
    const { status, headers } = await get(server, '/login-ex?a=1', `Host: ${host}`, page);
    expect([status, headers.get('location')]).toEqual([307, 'http://localhost:8080/login-ex?a=1']);
  });

  test('a page under another loopback name never leads to another site', async () => {
    const { status, headers } = await get(server, '/\\evil.example/x', 'Host: 127.0.0.1:8080', page);
    expect(status).toBe(307);
    expect(new URL(headers.get('location') ?? '').host).toBe('localhost:8080');
  });

  test('is misdirected when the portal has an address of its own', async () => {
    expect((await get(bank, '/', 'Host: 127.0.0.1', page)).status).toBe(421);
  });

  test('is misdirected when the name is another’s', async () => {
    expect((await get(server, '/', 'Host: evil.example:8080', page)).status).toBe(421);
  });
});

describe('a target that is no path', () => {
  test.each(['//api/open/x', '//evil.example/x', 'http://localhost:8080/api/open/x', 'http://evil.example/api/health', '*'])(
    'is refused: %s',
    async (target) => {
      const { status, body } = await get(server, target, 'Host: localhost:8080');
      expect([status, body]).toEqual([400, '']);
    },
  );
});

test('two Host headers are refused in either order', async () => {
  expect((await get(server, '/api/open/x', 'Host: localhost:8080', 'Host: evil.example')).status).toBe(400);
  expect((await get(server, '/api/open/x', 'Host: evil.example', 'host: localhost:8080')).status).toBe(400);
});

test.each([
  ['http://localhost:8080', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:80', true],
  ['http://pergamin.localhost', true],
  ['http://localhost.example.com', false],
  ['http://127.0.0.1.example.com', false],
  ['http://128.0.0.1', false],
  ['https://notlocalhost', false],
])('%s is this machine itself: %s', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected);
});
