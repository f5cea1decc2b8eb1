import { Readable } from 'node:stream';
import { errorMessages, openCall, protectedCall } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createLog } from '#platform/log/log.ts';
import { exchangeBytes, portOf } from '#testing/raw-http.ts';
import { createTestGuards } from '#testing/test-guards.ts';
import { invalidField, PortalError } from './errors.ts';
import { createHttpServer } from './http-server.ts';
import { mountRoutes } from './mount-routes.ts';
import { route } from './route.ts';

const lines: string[] = [];
let server: FastifyInstance;
let port: number;

const note = openCall({
  name: 'note',
  method: 'POST',
  path: '/api/open/note',
  summary: 'Takes a note',
  body: z.strictObject({ items: z.array(z.strictObject({ id: z.int() })), text: z.optional(z.string().check(z.maxLength(5))) }),
  answer: z.object({ kept: z.boolean() }),
});

const read = openCall({
  name: 'read',
  method: 'GET',
  path: '/api/open/notes/:id',
  summary: 'Reads a note',
  params: z.object({ id: z.string().check(z.regex(/^\d+$/)) }),
  query: z.object({ width: z.optional(z.enum(['1240'])) }),
  answer: z.object({ id: z.string() }),
});

const send = openCall({
  name: 'send',
  method: 'POST',
  path: '/api/open/files',
  summary: 'Takes a file',
  form: { file: 'file' },
  answer: 'nothing',
});

const failing = protectedCall({
  name: 'failing',
  method: 'GET',
  path: '/api/protected/failing/:how',
  summary: 'Fails as told',
  needsStatute: false,
  keepsSessionAlive: false,
  params: z.object({ how: z.string() }),
  answer: 'bytes',
});

const failures: Record<string, () => Error> = {
  unexpected: () => new Error('select secret from client where password = 1; at /srv/pergamin/server.ts:1'),
  render: () => new PortalError('RENDER_ERROR', { cause: new Error('worker 3 ended') }),
  storage: () => new PortalError('STORAGE_ERROR', { cause: new Error('/var/objects is gone') }),
  fields: () => invalidField('CIF', 'no client has this number'),
  often: () => new PortalError('CALL_NOT_PERMITTED', { retryAfterSeconds: 30 }),
  foreign: () => Object.assign(new Error('the other service said no'), { statusCode: 404 }),
};

const fail = (how: string): Error => failures[how]?.() ?? new Error(how);

beforeAll(async () => {
  server = await createHttpServer({
    publicUrl: new URL('http://localhost:8080'),
    log: createLog('info', { write: (line) => void lines.push(line) }),
    trustedProxies: [],
  });
  mountRoutes(
    server,
    [
      route(note, async () => ({ kept: true })),
      route(read, async ({ params }) => ({ id: params.id })),
      route(send, async ({ request }) => {
        for await (const part of request.parts({ limits: { fileSize: 10 } })) if (part.type === 'file') await part.toBuffer();
      }),
      route(failing, async ({ params: { how }, reply }) => {
        if (how !== 'stream') throw fail(how);
        void reply.header('etag', '"1"');
        const body = new Readable({ read: () => void body.destroy(new PortalError('STORAGE_ERROR')) });
        const headers = { 'content-disposition': 'attachment', 'content-length': '1000' };
        return { body, contentType: 'application/pdf', headers };
      }),
    ],
    createTestGuards(),
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(server.server);
});

afterAll(() => server.close());

const ask = (method: 'GET' | 'POST', url: string, options: { payload?: string; headers?: Record<string, string> } = {}) =>
  server.inject({ method, url, ...options, headers: { host: 'localhost:8080', ...options.headers } });

const askFailing = (how: string) => ask('GET', `/api/protected/failing/${how}`, { headers: { authorization: 'yes' } });

describe('what went wrong inside', () => {
  test('is told as INTERNAL_SERVER_ERROR with a request id, and nothing else of it', async () => {
    const { statusCode, body } = await askFailing('unexpected');
    expect(statusCode).toBe(500);
    expect(body).toMatch(/^{"code":"INTERNAL_SERVER_ERROR","message":"Internal error","requestId":"[\da-f-]{36}"}$/);
  });

  test('is found in the log under that request id', async () => {
    const { requestId } = (await askFailing('unexpected')).json<{ requestId: string }>();
    const line = lines.find((entry) => entry.includes(requestId) && entry.includes('call failed'));
    expect(line).toContain('select secret');
    expect(line).toContain('"/api/protected/failing/:how"');
  });

  test('is told as INTERNAL_SERVER_ERROR when it was the rendering', async () => {
    const { statusCode, body } = await askFailing('render');
    expect([statusCode, JSON.parse(body)]).toMatchObject([
      500,
      { code: 'INTERNAL_SERVER_ERROR', message: errorMessages.INTERNAL_SERVER_ERROR },
    ]);
    expect(body).not.toContain('worker');
  });

  test('keeps its own code when the storage failed', async () => {
    const { statusCode, body } = await askFailing('storage');
    expect([statusCode, JSON.parse(body)]).toMatchObject([503, { code: 'STORAGE_ERROR' }]);
    expect(body).toContain('"requestId":"');
    expect(body).not.toContain('/var/objects');
  });

  test('is not blamed on the caller when another service answered with 404', async () => {
    expect((await askFailing('foreign')).statusCode).toBe(500);
  });

  test('is told as an error, not as a file, when the stored bytes cannot be read', async () => {
    const answer = await askFailing('stream');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'STORAGE_ERROR' });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['content-disposition']).toBeUndefined();
    expect(answer.headers['etag']).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('a refusal', () => {
  test('names the field and what is wrong with it, and has no request id', async () => {
    const answer = await askFailing('fields');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Validation error',
      fields: { CIF: 'no client has this number' },
    });
  });

  test('a refusal for too many attempts is 429 and says when to try again', async () => {
    const answer = await askFailing('often');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json<{ code: string }>().code]).toEqual([
      429,
      '30',
      'CALL_NOT_PERMITTED',
    ]);
  });

  test.each([
    ['an item of a list', { items: [{ id: 1 }, { id: 'x' }] }, ['items.1.id']],
    ['a missing field', {}, ['items']],
    ['a text that is too long', { items: [], text: '123456' }, ['text']],
    ['an unknown field', { items: [], more: 1 }, ['more']],
    ['an unknown field of an item', { items: [{ id: 1, more: 1, other: 2 }] }, ['items.0.more', 'items.0.other']],
    ['several fields at once', { items: 1, text: 1 }, ['items', 'text']],
    ['a body that is no object', 7, ['body']],
  ])('names %s', async (_, body, fields) => {
    const answer = await ask('POST', '/api/open/note', { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual(fields);
  });

  test.each([
    ['/api/open/notes/x', 'id'],
    ['/api/open/notes/1?width=7', 'width'],
  ])('names what is wrong in the address %s', async (url, field) => {
    const answer = (await ask('GET', url)).json<{ code: string; fields: object }>();
    expect([answer.code, Object.keys(answer.fields)]).toEqual(['VALIDATION_ERROR', [field]]);
  });

  test.each([
    ['no JSON', '{"items": ['],
    ['no body at all', ''],
    ['__proto__', '{"items": [], "__proto__": {"admin": true}}'],
    ['constructor.prototype', '{"items": [], "constructor": {"prototype": {"admin": true}}}'],
    ['more than the limit', JSON.stringify({ items: [], text: 'x'.repeat(300_000) })],
  ])('a refusal of a JSON body with %s is VALIDATION_ERROR', async (_, payload) => {
    const answer = await ask('POST', '/api/open/note', { payload, headers: { 'content-type': 'application/json' } });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a multipart body', () => {
  const part = (name: string, content: string): string =>
    `--line\r\ncontent-disposition: form-data; name="${name}"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n${content}\r\n`;
  const multipart = 'multipart/form-data; boundary=line';

  test('is taken when it is whole', async () => {
    const answer = await ask('POST', '/api/open/files', {
      payload: `${part('file', 'x')}--line--\r\n`,
      headers: { 'content-type': multipart },
    });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
  });

  test.each([
    ['that is too large', `${part('file', '12345678901')}--line--\r\n`, multipart, 413, 'DOCUMENT_MAX_SIZE_ERROR'],
    ['that breaks off', part('file', 'x').slice(0, -10), multipart, 400, 'VALIDATION_ERROR'],
    ['without a boundary', `${part('file', 'x')}--line--\r\n`, 'multipart/form-data', 400, 'VALIDATION_ERROR'],
    ['with two files', `${part('file', 'x')}${part('file', 'y')}--line--\r\n`, multipart, 400, 'VALIDATION_ERROR'],
    ['with a part named __proto__', `${part('__proto__', 'x')}--line--\r\n`, multipart, 400, 'VALIDATION_ERROR'],
    ['that is JSON instead', '{}', 'application/json', 400, 'VALIDATION_ERROR'],
  ])('%s is refused', async (_, payload, contentType, status, code) => {
    const answer = await ask('POST', '/api/open/files', { payload, headers: { 'content-type': contentType } });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
  });
});

describe('a refusal of the transport carries no code', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'x'])(
    '415 for a body of type %s',
    async (contentType) => {
      const answer = await ask('POST', '/api/open/note', { payload: '{}', headers: { 'content-type': contentType } });
      expect([answer.statusCode, answer.body]).toEqual([415, '']);
    },
  );

  test.each<[string, Record<string, string>]>([
    ['that is compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['that is compressed twice', { 'content-type': 'application/json', 'content-encoding': 'identity, br' }],
    ['in an encoding that nobody knows', { 'content-type': 'application/json', 'content-encoding': 'x' }],
    ['in another charset', { 'content-type': 'application/json; charset=iso-8859-2' }],
    ['in two charsets', { 'content-type': 'application/json; charset=utf-8; charset="utf-16"' }],
    ['of parts in another charset', { 'content-type': 'multipart/form-data; boundary=line; charset=utf-16le' }],
  ])('415 for a body %s', async (_, headers) => {
    for (const url of ['/api/open/note', '/api/open/files']) {
      const answer = await ask('POST', url, { payload: '{"text":"a"}', headers });
      expect([answer.statusCode, answer.body]).toEqual([415, '']);
    }
  });

  test.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'application/json'])(
    'a body of type %s is read',
    async (contentType) => {
      const headers = { 'content-type': contentType, 'content-encoding': 'identity' };
      expect((await ask('POST', '/api/open/note', { payload: '{"text":"a"}', headers })).statusCode).not.toBe(415);
    },
  );

  test('414 for a path parameter of 5000 characters', async () => {
    const answer = await ask('GET', `/api/open/notes/${'1'.repeat(5_000)}`);
    expect([answer.statusCode, answer.body, answer.headers['x-content-type-options']]).toEqual([414, '', 'nosniff']);
  });

  test('431 for 20 kB of headers', async () => {
    const request = `GET /api/open/notes/1 HTTP/1.1\r\nHost: localhost:8080\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await exchangeBytes(port, request)).toMatchObject({ status: 431, body: '' });
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['HTTP/1.1 without a Host', 'GET /api/open/notes/1 HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'both a length and chunks',
      'POST /api/open/note HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('400 for %s', async (_, request) => {
    const { status, body } = await exchangeBytes(port, request);
    expect(status).toBe(400);
    expect(body).not.toMatch(/[a-z]/i);
  });
});

test('an address that is no text is VALIDATION_ERROR and does not repeat the address', async () => {
  const answer = await ask('GET', '/api/open/notes/%c0%af');
  expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'Validation error' }]);
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
});
