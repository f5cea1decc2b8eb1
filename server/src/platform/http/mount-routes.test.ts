import { Readable } from 'node:stream';
import { type Call, openCall, protectedCall, publisherCall, systemCall } from '@pergamin/contract';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { silentLog } from '#platform/log/log.ts';
import { createTestGuards } from '#testing/test-guards.ts';
import { createHttpServer } from './http-server.ts';
import { mountRoutes } from './mount-routes.ts';
import { type Route, route } from './route.ts';

const guarded = { needsStatute: true, keepsSessionAlive: true } as const;
const show = protectedCall({
  ...guarded,
  name: 'show',
  method: 'GET',
  path: '/api/protected/things/:id',
  summary: 'Shows a thing',
  params: z.object({ id: z.string().check(z.regex(/^\d+$/)) }),
  answer: z.object({ owner: z.string() }),
});
const change = protectedCall({
  ...guarded,
  name: 'change',
  method: 'PUT',
  path: '/api/protected/things/:id',
  summary: 'Changes a thing',
  params: z.object({ id: z.string() }),
  body: z.object({ size: z._default(z.int(), 10) }),
  answer: 'nothing',
});
const add = publisherCall({
  name: 'add',
  method: 'POST',
  path: '/api/publisher/things',
  summary: 'Adds a thing',
  scope: 'documents:publish',
  answer: z.object({ by: z.string() }),
});
const go = openCall({ name: 'go', method: 'GET', path: '/api/open/go', summary: 'Leads on', answer: 'redirect' });
const file = openCall({ name: 'file', method: 'GET', path: '/api/open/file', summary: 'A file', answer: 'bytes', answersHead: true });
const stream = openCall({ name: 'stream', method: 'GET', path: '/api/open/stream', summary: 'A longer file', answer: 'bytes' });
const wrong = openCall({
  name: 'wrong',
  method: 'GET',
  path: '/api/open/wrong',
  summary: 'Says too much',
  answer: z.object({ ok: z.boolean() }),
});
const words = systemCall({ name: 'words', method: 'GET', path: '/resources/r/words', summary: 'Words', answer: z.array(z.string()) });

let server: FastifyInstance;
let handled: string[] = [];

const open = async (routes: readonly Route[], publicUrl = 'http://localhost:8080'): Promise<FastifyInstance> => {
  const made = await createHttpServer({ publicUrl: new URL(publicUrl), log: silentLog(), trustedProxies: [] });
  mountRoutes(made, routes, createTestGuards());
  return made;
};

beforeAll(async () => {
  server = await open([
    route(show, async ({ caller, params }) => {
      handled.push(params.id);
      return { owner: caller.cif, secret: 'of the row' };
    }),
    route(change, async ({ body }) => {
      handled.push(String(body.size));
    }),
    route(add, async ({ caller }) => ({ by: caller.name })),
    route(go, async () => '/login-ex?error=auth'),
    route(file, async () => ({
      body: new Uint8Array([37, 80, 68, 70]),
      contentType: 'application/pdf',
      headers: { 'content-disposition': 'attachment; filename="a.pdf"' },
    })),
    route(stream, async () => ({ body: Readable.from([Buffer.from('ab'), Buffer.from('c')]), contentType: 'image/png' })),
    route(wrong, async () => JSON.parse('{"ok": "select * from client"}')),
    route(words, async () => ['słowo']),
  ]);
});

beforeEach(() => {
  handled = [];
});

afterAll(() => server.close());

const ask = (url: string, options: InjectOptions = {}) =>
  server.inject({ url, ...options, headers: { host: 'localhost:8080', ...options.headers } });

const signedIn = { authorization: 'yes' };
const json = { 'content-type': 'application/json' };

describe('who calls is asked before what is asked for', () => {
  test.each([
    ['a path parameter', 'GET', '/api/protected/things/x', undefined],
    ['a body', 'PUT', '/api/protected/things/1', '{"size": '],
    ['a publisher’s body', 'POST', '/api/publisher/things', '<xml>'],
  ] as const)('a stranger is not told that %s is wrong', async (_, method, url, payload) => {
    const answer = await ask(url, { method, headers: json, ...(payload === undefined ? {} : { payload }) });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'ACCESS_DENIED']);
    expect(handled).toEqual([]);
  });

  test('a signed-in caller is told', async () => {
    const answer = (await ask('/api/protected/things/x', { headers: signedIn })).json<{ code: string; fields: object }>();
    expect([answer.code, Object.keys(answer.fields)]).toEqual(['VALIDATION_ERROR', ['id']]);
    expect(handled).toEqual([]);
  });

  test('the handler is given who calls', async () => {
    expect((await ask('/api/protected/things/1', { headers: signedIn })).json()).toEqual({ owner: 'cif-1' });
    expect((await ask('/api/publisher/things', { method: 'POST', headers: signedIn })).json()).toEqual({ by: 'tests' });
  });

  test('the handler is given the body with its defaults', async () => {
    await ask('/api/protected/things/1', { method: 'PUT', headers: { ...signedIn, ...json }, payload: '{}' });
    expect(handled).toEqual(['10']);
  });
});

describe('an answer', () => {
  test('holds what its schema names and nothing else', async () => {
    expect((await ask('/api/protected/things/1', { headers: signedIn })).body).toBe('{"owner":"cif-1"}');
  });

  test('an answer that does not fit its schema is an error of ours, and is not sent', async () => {
    const answer = await ask('/api/open/wrong');
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
    expect(answer.body).not.toContain('select');
  });

  test('an empty answer is 204', async () => {
    const answer = await ask('/api/protected/things/1', { method: 'PUT', headers: { ...signedIn, ...json }, payload: '{"size": 3}' });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
  });

  test('a redirect is 303', async () => {
    const answer = await ask('/api/open/go');
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([303, '/login-ex?error=auth', '']);
  });

  test('an answer of bytes is sent as it is, with the room’s headers', async () => {
    const answer = await ask('/api/open/file');
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'application/pdf', '%PDF']);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="a.pdf"');
  });

  test('an answer of a stream is sent as it is', async () => {
    const answer = await ask('/api/open/stream');
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'image/png', 'abc']);
  });

  test.each(['/api/open/go', '/api/open/file', '/api/protected/things/1', '/api/protected/nothing', '/nothing'])(
    'an answer of %s carries the headers that protect it',
    async (url) => {
      const { headers } = await ask(url, { headers: signedIn });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(headers['content-security-policy']).toContain("default-src 'none';script-src 'self';style-src 'self'");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|upgrade-insecure/);
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['server']).toBeUndefined();
      expect(headers['strict-transport-security']).toBeUndefined();
    },
  );

  test('an answer on https sets Strict-Transport-Security', async () => {
    const bank = await open([route(go, async () => '/')], 'https://bank.example');
    const { headers } = await bank.inject({ url: '/api/open/go', headers: { host: 'bank.example' } });
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
    await bank.close();
  });

  test.each(['/api/open/go', '/api/open/wrong', '/api/protected/things/1', '/api/protected/things/x'])(
    'an answer of %s is not cached',
    async (url) => {
      for (const headers of [{}, signedIn]) expect((await ask(url, { headers })).headers['cache-control']).toContain('no-store');
    },
  );
});

describe('another method', () => {
  test.each([
    ['DELETE', '/api/protected/things/1', 'GET, PUT'],
    ['HEAD', '/api/protected/things/1', 'GET, PUT'],
    ['GET', '/api/publisher/things', 'POST'],
    ['POST', '/resources/r/words', 'GET, HEAD'],
    ['POST', '/api/open/file', 'GET, HEAD'],
    ['HEAD', '/api/open/stream', 'GET'],
  ] as const)('%s %s is refused without asking who calls', async (method, url, allow) => {
    const answer = await ask(url, { method, headers: signedIn });
    expect([answer.statusCode, answer.headers['allow'], answer.body]).toEqual([405, allow, '']);
    expect(handled).toEqual([]);
  });

  test('a preflight from another origin is refused', async () => {
    const preflight = {
      origin: 'https://evil.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    };
    const { statusCode, headers } = await ask('/api/protected/things/1', { method: 'OPTIONS', headers: preflight });
    expect(statusCode).toBe(405);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('HEAD tells about what is the same for everybody', async () => {
    const answer = await ask('/resources/r/words', { method: 'HEAD' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

test('HEAD tells about a file whose row says so, without its bytes', async () => {
  const answer = await ask('/api/open/file', { method: 'HEAD' });
  expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'application/pdf', '']);
});

test('the addresses of both specifications answer below /api too', async () => {
  for (const url of ['/resources/r/words', '/api/resources/r/words']) expect((await ask(url)).json()).toEqual(['słowo']);
});

describe('a row whose path is not in its area', () => {
  const handler = async (): Promise<void> => {};
  const mounted = async (call: Call): Promise<unknown> => open([{ call, handle: handler }]);
  const row = { name: 'astray', method: 'GET', summary: 'Astray', answer: 'nothing' } as const;

  test.each([
    openCall({ ...row, path: '/api/protected/x' }),
    openCall({ ...row, path: '/api/opening/x' }),
    protectedCall({ ...row, ...guarded, path: '/api/open/x' }),
    protectedCall({ ...row, ...guarded, path: '/resources/x' }),
    publisherCall({ ...row, scope: 'demo:remove', path: '/api/auth/x' }),
    systemCall({ ...row, path: '/api/publisher/x' }),
  ] as const)('is refused at start: $area $path', async (call) => {
    await expect(mounted(call)).rejects.toThrow(`the path ${call.path} is not in the area ${call.area}`);
  });
});
