import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { portOf } from '#testing/raw-http.ts';
import { createDraining, type Draining } from './draining.ts';
import { createHttpServer } from './http-server.ts';

const host = 'localhost:8080';
const asking = `GET /note HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

let server: FastifyInstance;
let draining: Draining;
let answer: PromiseWithResolvers<string>;
beforeEach(async () => {
  server = await createHttpServer({ publicUrl: new URL(`http://${host}`), log: silentLog(), trustedProxies: [] });
  draining = createDraining(server);
  answer = Promise.withResolvers();
  server.get('/note', async () => 'note');
  server.get('/slow', () => answer.promise);
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

const open = async (): Promise<{ socket: Socket; heard: () => string; closed: Promise<unknown> }> => {
  const socket = connect(portOf(server.server), '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  await once(socket, 'connect');
  return { socket, heard: () => heard, closed: once(socket, 'close') };
};

const noted = /^HTTP\/1\.1 200 [^]*\r\n\r\nnote$/;

test('a kept connection is served on while the server drains, and ends with the answer', async () => {
  const { socket, heard, closed } = await open();
  socket.write(asking);
  await expect.poll(heard).toMatch(noted);
  expect(heard()).not.toMatch(/^connection: close/im);
  draining.begin();
  socket.write(asking);
  await closed;
  expect(heard()).toMatch(/connection: close\r\n[^]*\r\n\r\nnote$/i);
});

test('what comes on an open connection is answered after no more are accepted, and the end waits for it', async () => {
  const [kept, working] = [await open(), await open()];
  working.socket.write(asking.replace('/note', '/slow'));
  await once(server.server, 'request');
  const port = portOf(server.server);
  let isOver = false;
  const over = draining.end().then(() => {
    isOver = true;
  });
  await expect.poll(() => server.server.listening).toBe(false);
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  kept.socket.write(asking);
  await kept.closed;
  expect(kept.heard()).toMatch(noted);
  expect(isOver).toBe(false);
  answer.resolve('slowly');
  await Promise.all([working.closed, over]);
  expect(working.heard()).toMatch(/\r\n\r\nslowly$/);
});

test('idle connections do not delay the end', async () => {
  const [silent, idle] = [await open(), await open()];
  idle.socket.write(asking);
  await expect.poll(idle.heard).toMatch(noted);
  await Promise.all([draining.end(), silent.closed, idle.closed]);
});
