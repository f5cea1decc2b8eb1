import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { exchangeBytes, portOf } from '#testing/raw-http.ts';
import { createHttpServer } from './http-server.ts';
import { ignoreSilence } from './silence.ts';

/** 106: clients that begin to speak and never finish, over real connections. */

const host = 'localhost:8080';
const patience = { headersMs: 600, requestMs: 900, checkEveryMs: 50 };

let server: FastifyInstance;
let port: number;
beforeAll(async () => {
  server = await createHttpServer({ publicUrl: new URL(`http://${host}`), log: silentLog(), trustedProxies: [], patience });
  server.post('/note', async () => 'read');
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(server.server);
});
afterAll(() => server.close());

const note = (length: number, body: string): string =>
  `POST /note HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** Also when the connection breaks instead. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

const openSockets = async (count: number, first: string): Promise<Socket[]> => {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.resume();
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(first);
  return sockets;
};

describe('408 and the end of the connection', () => {
  test.each([
    ['headers', `GET /note HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `],
    ['a first line', 'GET /no'],
    ['a body', note(100, '{')],
    ['chunks', note(100, '').replace('Content-Length: 100', 'Transfer-Encoding: chunked') + '5\r\n{'],
  ])('a client that never ends %s gets 408 and the end of the connection', async (_what, begun) => {
    expect(await exchangeBytes(port, begun)).toMatchObject({ status: 408, body: '' });
  });
});

test('a client that goes on a byte at a time is let go as well', async () => {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const begun = performance.now();
  socket.write(`GET /note HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
  const drip = setInterval(() => socket.write('a'), 20);
  await closeOf(socket);
  clearInterval(drip);
  expect(performance.now() - begun).toBeGreaterThan(patience.headersMs - patience.checkEveryMs);
  // The answer is lost when a byte arrives after the end.
  expect(answer).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
});

test('a hundred slow clients delay no other, and are all disconnected', async () => {
  const sockets = await openSockets(100, `POST /note HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
  const closed = Promise.all(sockets.map(closeOf));
  const answer = await exchangeBytes(port, note(2, '{}'));
  expect([answer.status, answer.body]).toEqual([200, 'read']);
  await closed;
});

test('a client that is silent because it waits for us is not let go, one that we wait for is', async () => {
  const silent = await createHttpServer({ publicUrl: new URL(`http://${host}`), log: silentLog(), trustedProxies: [] });
  const silences: string[] = [];
  const gates = { waits: Promise.withResolvers<void>(), lingers: Promise.withResolvers<void>() };
  silent.server.timeout = 100;
  silent.server.on('connection', (socket: Socket) => socket.once('timeout', () => silences.push('heard')));
  silent.post('/waits', async (_request, reply) => {
    ignoreSilence(reply);
    await gates.waits.promise;
    return 'answered';
  });
  silent.post('/lingers', async (_request, reply) => {
    ignoreSilence(reply)();
    await gates.lingers.promise;
    return 'answered';
  });
  await silent.listen({ host: '127.0.0.1', port: 0 });
  const ask = (path: string) => exchangeBytes(portOf(silent.server), note(2, '{}').replace('/note', path));
  try {
    const waited = ask('/waits');
    await expect.poll(() => silences).toHaveLength(1);
    gates.waits.resolve();
    expect(await waited).toMatchObject({ status: 200, body: 'answered' });
    expect(await ask('/lingers')).toMatchObject({ status: Number.NaN });
  } finally {
    gates.lingers.resolve();
    await silent.close();
  }
});
