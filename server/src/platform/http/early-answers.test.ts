import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { isNightly } from '#testing/nightly.ts';
import { exchangeBytes, portOf } from '#testing/raw-http.ts';
import { PortalError } from './errors.ts';
import { createHttpServer } from './http-server.ts';

/** Answers that are sent while the body is still on its way: what becomes of the rest, and of the connection. */

const host = 'localhost:8080';
const limitBytes = 256 * 1_024;
/** What is read to let the answer arrive, and what Node reads at once. */
const bufferBytes = 256 * 1_024;
let server: FastifyInstance;
let port: number;
/** By the port of the sender. */
const accepted = new Map<number | undefined, Socket>();

beforeAll(async () => {
  server = await createHttpServer({ publicUrl: new URL(`http://${host}`), log: silentLog(), trustedProxies: [] });
  server.post('/note', async () => 'read');
  server.get('/note', async () => 'note');
  server.route({ method: 'PUT', url: '/note', onRequest: async (_request, reply) => reply.code(405).send(), handler: async () => '' });
  server.post('/guarded', {
    onRequest: async () => {
      throw new PortalError('ACCESS_DENIED');
    },
    handler: async () => '',
  });
  server.post('/limited', {
    onRequest: async () => {
      throw new PortalError('CALL_NOT_PERMITTED', { retryAfterSeconds: 1 });
    },
    handler: async () => '',
  });
  await server.register(async (scope) => {
    scope.addContentTypeParser('application/pieces', (_request, payload, done) => {
      payload.once('data', () => {
        payload.pause();
        done(new PortalError('VALIDATION_ERROR'));
      });
    });
    scope.post('/pieces', async () => 'read');
    scope.addContentTypeParser('application/piped', (_request, _payload, done) => done(null));
    scope.post('/piped', async ({ raw }) => {
      // Like a parser that waits for its reader, who has gone.
      const stuck = new Writable({ highWaterMark: 1, write() {} });
      raw.pipe(stuck);
      await once(raw, 'pause');
      throw new PortalError('VALIDATION_ERROR');
    });
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(server.server);
  server.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort, socket));
});
afterAll(() => server.close());

interface Refused {
  readonly line: string;
  readonly headers?: string;
  readonly status: number;
}

const json = 'Content-Type: application/json\r\n';

/** Each of them is answered without the body, or after its first piece. */
const refusals: readonly (readonly [string, Refused])[] = [
  ['400', { line: 'POST /pieces', headers: 'Content-Type: application/pieces\r\n', status: 400 }],
  ['400 of a reader that gave up', { line: 'POST /piped', headers: 'Content-Type: application/piped\r\n', status: 400 }],
  ['400 of a second Host', { line: 'POST /note', headers: `Host: ${host}\r\n`, status: 400 }],
  ['401', { line: 'POST /guarded', headers: json, status: 401 }],
  ['404', { line: 'PUT /nowhere', status: 404 }],
  ['405', { line: 'PUT /note', headers: json, status: 405 }],
  ['400 of a large body', { line: 'POST /note', headers: json, status: 400 }],
  ['400 of a call that takes no body', { line: 'GET /note', headers: json, status: 400 }],
  ['415', { line: 'POST /note', headers: 'Content-Type: multipart/form-data; boundary=x\r\n', status: 415 }],
  ['415 of no type at all', { line: 'POST /note', status: 415 }],
  ['421', { line: 'POST /note', headers: json, status: 421 }],
  ['429', { line: 'POST /limited', headers: json, status: 429 }],
];

const headOf = ({ line, headers = '', status }: Refused, framing: string): string =>
  `${line} HTTP/1.1\r\nHost: ${status === 421 ? 'elsewhere.example' : host}\r\n${headers}${framing}\r\n\r\n`;

const collect = (socket: Socket): { text: () => string } => {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  return { text: () => text };
};

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

describe('an answer before the end of the body', () => {
  /** From a piece that is here with the head of the request to more than all buffers on the way hold. */
  const sizes = isNightly ? [300, 20_000, 300_000, 8_000_000] : [300, 300_000];
  /** By day of two of them: one that is answered without the body, and one by its reader. */
  const most = new Set(['401', '400']);

  // At once: each waits for the time that a sender is given.
  test.concurrent.for(refusals)(
    '%s reaches a sender that goes on, and the next request on the connection is answered or the connection closed',
    async ([name, refused], { expect }) => {
      for (const size of most.has(name) ? [...sizes, 8_000_000] : sizes) {
        const socket = connect(port, '127.0.0.1');
        const heard = collect(socket);
        const ended = closed(socket);
        socket.write(headOf(refused, `Content-Length: ${size}`));
        socket.write('x'.repeat(size));
        await expect.poll(heard.text, { timeout: 5_000 }).toMatch(/\r\n\r\n/);
        if (/^connection: close\r$/im.test(heard.text())) await ended;
        else {
          socket.write(`GET /note HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
          await ended;
          expect([size, heard.text()]).toEqual([size, expect.stringMatching(/HTTP\/1\.1 200 [^]*\r\n\r\nnote$/)]);
        }
        expect([size, heard.text().split(' ')[1]]).toEqual([size, String(refused.status)]);
      }
    },
  );

  test.concurrent.for(refusals)(
    '%s ends the connection when the sender never stops, and little more is read',
    async ([_name, refused], { expect }) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const heard = collect(socket);
      const ended = closed(socket);
      await once(socket, 'connect');
      const { localPort } = socket;
      socket.write(headOf(refused, 'Transfer-Encoding: chunked'));
      const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const send = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', send);
      send();
      await ended;
      expect(heard.text()).toMatch(new RegExp(`^HTTP/1\\.1 ${refused.status} `));
      const read = accepted.get(localPort)?.bytesRead;
      expect(read).toBeLessThan(limitBytes + bufferBytes);
    },
  );
});

test('a connection whose bodies were read is kept', async () => {
  const socket = connect(port, '127.0.0.1');
  const heard = collect(socket);
  for (const turn of [1, 2, 3]) {
    socket.write(`POST /note HTTP/1.1\r\nHost: ${host}\r\n${json}Content-Length: 2\r\n\r\n{}`);
    await expect.poll(() => heard.text().match(/HTTP\/1\.1 200 /g)?.length).toBe(turn);
  }
  expect(heard.text()).not.toMatch(/connection: close/i);
  socket.destroy();
});

test('what is no request is answered before the connection ends, also when more bytes follow', async () => {
  const answer = await exchangeBytes(port, `NONSENSE\r\n\r\n${'x'.repeat(200_000)}`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close']);
});
