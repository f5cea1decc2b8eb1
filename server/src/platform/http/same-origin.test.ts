import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { PortalError } from './errors.ts';
import { requireSameOrigin } from './same-origin.ts';

const server = Fastify();
server.post('/', async (request) => {
  requireSameOrigin(request, new URL('https://documents.example.com'));
  return 'let in';
});

afterAll(() => server.close());

const own = 'https://documents.example.com';

test.each([
  ['no browser', {}],
  ['an old browser, from our page', { origin: own }],
  ['our page', { origin: own, 'sec-fetch-site': 'same-origin' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
])('a request of %s is let in', async (_, headers) => {
  expect((await server.inject({ method: 'POST', url: '/', headers })).body).toBe('let in');
});

test.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another site in an old browser', { origin: 'https://evil.example' }],
  ['a sandboxed page', { origin: 'null' }],
  ['our name on http', { origin: 'http://documents.example.com' }],
  ['our name on another port', { origin: 'https://documents.example.com:8443' }],
  ['a longer name', { origin: 'https://documents.example.com.evil.example' }],
  ['a neighbour below the same domain', { 'sec-fetch-site': 'same-site' }],
  ['another site without an Origin', { 'sec-fetch-site': 'cross-site' }],
])('a request of %s is not permitted', async (_, headers) => {
  const answer = await server.inject({ method: 'POST', url: '/', headers });
  expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([403, new PortalError('CALL_NOT_PERMITTED').message]);
});
