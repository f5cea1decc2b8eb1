import { randomUUID } from 'node:crypto';
import { type Call, calls, errorBody } from '@pergamin/contract';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Generated from the table of calls: every answer of a call must be declared in `/api/openapi.json`. */

const answer = z.object({ $ref: z.optional(z.string()), content: z.optional(z.record(z.string(), z.unknown())) });
const openApiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string(), responses: z.record(z.string(), answer) }))),
  components: z.object({ responses: z.record(z.string(), answer) }),
});

let portal: TestPortal;
let client: TestClient;
const answersOf = new Map<string, Map<string, { readonly hasBody: boolean }>>();

beforeAll(async () => {
  portal = await startTestPortal();
  client = await portal.signIn('1001', { cif: '7001' });
  const { host } = portal.settings.publicUrl;
  const told = openApiDocument.parse((await portal.server.inject({ url: '/api/openapi.json', headers: { host } })).json());
  for (const operation of Object.values(told.paths).flatMap((methods) => Object.values(methods)))
    answersOf.set(
      operation.operationId,
      new Map(
        Object.entries(operation.responses).map(([status, { $ref, content }]) => {
          const referred = $ref === undefined ? undefined : told.components.responses[$ref.split('/').at(-1) ?? ''];
          return [status, { hasBody: (content ?? referred?.content) !== undefined }];
        }),
      ),
    );
});
afterAll(() => portal[Symbol.asyncDispose]());

const pathOf = (call: Call, id: string): string => call.path.replace(':page', '1').replaceAll(/:\w+/g, id);

interface Asked {
  readonly name: string;
  readonly isFor?: (call: Call) => boolean;
  readonly request: (call: Call) => Omit<InjectOptions, 'method'> & { readonly url: string };
}

const takesBody = ({ method }: Call): boolean => method !== 'GET';
const json = { 'content-type': 'application/json' };

const asked: readonly Asked[] = [
  { name: 'nothing but its address', request: (call) => ({ url: pathOf(call, randomUUID()) }) },
  { name: 'an address that cannot be read', request: (call) => ({ url: `${pathOf(call, randomUUID())}%ff` }) },
  { name: 'an id that is none', isFor: ({ path }) => path.includes(':'), request: (call) => ({ url: pathOf(call, 'X%00') }) },
  { name: 'an id without end', isFor: ({ path }) => path.includes(':'), request: (call) => ({ url: pathOf(call, 'x'.repeat(5_000)) }) },
  {
    name: 'a query that fits nothing',
    request: (call) => ({ url: `${pathOf(call, randomUUID())}?lang=XX&lang=YY&width=-1&v=${'x'.repeat(100)}&state=%00&since=never` }),
  },
  { name: 'another site', request: (call) => ({ url: pathOf(call, randomUUID()), headers: { origin: 'https://evil.example' } }) },
  { name: 'another host', request: (call) => ({ url: pathOf(call, randomUUID()), headers: { host: 'evil.example' } }) },
  {
    name: 'a part and a copy',
    request: (call) => ({ url: pathOf(call, randomUUID()), headers: { range: 'bytes=9-1', 'if-none-match': '*' } }),
  },
  { name: 'broken JSON', isFor: takesBody, request: (call) => ({ url: pathOf(call, randomUUID()), headers: json, payload: '{"' }) },
  {
    name: 'other JSON',
    isFor: takesBody,
    request: (call) => ({ url: pathOf(call, randomUUID()), headers: json, payload: '[{"a":null}]' }),
  },
  {
    name: 'a body beyond every limit',
    isFor: takesBody,
    request: (call) => ({ url: pathOf(call, randomUUID()), headers: json, payload: JSON.stringify('x'.repeat(300_000)) }),
  },
  {
    name: 'another kind of body',
    isFor: takesBody,
    request: (call) => ({ url: pathOf(call, randomUUID()), headers: { 'content-type': 'application/xml' }, payload: '<x/>' }),
  },
  {
    name: 'a broken form',
    isFor: takesBody,
    request: (call) => ({
      url: pathOf(call, randomUUID()),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\ncontent-disposition: form-data; name="file"',
    }),
  },
];

const callers = {
  'an anonymous caller': (): Record<string, string> => ({}),
  'a client': () => ({ authorization: client.token, cookie: client.cookie }),
  'a publisher': () => ({ authorization: `Bearer ${portal.publisherKey}` }),
} as const;

const isAsking = (who: keyof typeof callers, { area, session }: Call): boolean =>
  who === 'an anonymous caller' || (who === 'a publisher' ? area === 'publisher' : area === 'protected' || session === 'optional');

/** Ends the session that asks. */
const all = Object.values<Call>(calls).filter(({ name }) => name !== 'logout');

describe.each(all.map((call) => [call.name, call] as const))('%s', (name, call) => {
  const rows = asked
    .filter(({ isFor }) => isFor?.(call) ?? true)
    .flatMap((row) =>
      (Object.keys(callers) as (keyof typeof callers)[]).filter((who) => isAsking(who, call)).map((who) => [row.name, who, row] as const),
    );

  test.each(rows)('asked with %s by %s answers as it is declared', async (_, who, { request }) => {
    const { url, ...options } = request(call);
    const { host } = portal.settings.publicUrl;
    const { statusCode, body, headers } = await portal.server.inject({
      method: call.method,
      url,
      ...options,
      headers: { host, ...callers[who](), ...options.headers },
    });
    expect(statusCode).not.toBe(500);
    const declared = answersOf.get(name)?.get(String(statusCode));
    expect([statusCode, declared?.hasBody]).toEqual([statusCode, body !== '']);
    if (statusCode < 400 || body === '') return;
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { code } = errorBody.parse(JSON.parse(body));
    expect(code).toMatch(/^[A-Z_0-9]+$/);
  });
});
