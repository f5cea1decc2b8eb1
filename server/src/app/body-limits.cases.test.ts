import { connect, type Socket } from 'node:net';
import { type Call, calls } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { portOf } from '#testing/raw-http.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/**
 * Bodies without an end, to every address that there is: each is answered, and little more is read than the call may take. Made from the table of
 * calls, so that a call that is added later is asked too.
 */

/** What most calls may take; some take a file, and clients may come by the thousand. */
const standardBytes = 256 * 1_024;
const fileBytes = 1_000_000;
const largest: Readonly<Record<string, number>> = {
  publishDocument: fileBytes + 100_000,
  publishStatute: fileBytes + 100_000,
  uploadDocument: 5_242_880 + 100_000,
  upsertClients: 2_048_000,
  setMembers: 4_194_304,
  checkPublications: 1_024_000,
};
/** Read besides: what is on its way when the answer is written, and the pieces that it comes in. */
const bufferBytes = 512 * 1_024;

let portal: TestPortal;
let client: TestClient;
let port: number;
const accepted = new Map<number, Socket>();

beforeAll(async () => {
  portal = await startTestPortal({ environment: { PUBLISH_MAX_BYTES: String(fileBytes) } });
  client = await portal.signIn('1001', { cif: '7001' });
  await portal.server.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(portal.server.server);
  portal.server.server.on('connection', (socket: Socket) => accepted.set(socket.remotePort ?? 0, socket));
});
afterAll(() => portal[Symbol.asyncDispose]());

const part = (header: string): string => `--line\r\ncontent-disposition: form-data; ${header}\r\n\r\n`;

const [json, form, multipart] = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=line'] as const;

/** How a body begins, and with what it goes on for ever. */
const bodies = [
  ['JSON', json, '{"text":"'],
  ['a form', form, 'logout_token='],
  ['multipart without a part', multipart, ''],
  ['multipart with a large description', multipart, part('name="description"')],
  ['multipart with a large file', multipart, part('name="file"; filename="a.pdf"')],
  ['a report of a browser', 'application/csp-report', '{"csp-report":{"x":"'],
  ['an unknown media type', 'application/x-unknown', ''],
  ['no type', undefined, ''],
] as const;

const piece = 'x'.repeat(64 * 1_024);

interface Exchange {
  readonly status: number;
  readonly bytesRead: number;
}

/** Sends until the other side refuses. */
const pour = (head: string, begun: string, isChunked: boolean): Promise<Exchange> => {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  const framed = (text: string): string => (isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text);
  const send = (): void => {
    while (!socket.destroyed && socket.write(framed(piece)));
  };
  let from = 0;
  socket.on('connect', () => {
    from = socket.localPort ?? 0;
    socket.write(head + (begun === '' ? '' : framed(begun)));
    send();
  });
  socket.on('drain', send);
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    const other = accepted.get(from);
    const tell = (): void => resolve({ status: Number(answer.split(' ')[1]), bytesRead: other?.bytesRead ?? Number.NaN });
    if (other === undefined || other.destroyed) tell();
    else other.once('close', tell);
  });
  return promise;
};

const headersOf = (area: Call['area'] | undefined): string => {
  if (area === 'protected')
    return `authorization: ${client.token}\r\ncookie: ${client.cookie}\r\nidempotency-key: 0f8fad5b-d9cb-469f-a165-70867728950e\r\n`;
  return area === 'publisher' ? `authorization: Bearer ${portal.publisherKey}\r\n` : '';
};

interface Address {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly area?: Call['area'];
  /** Of the bodies that it is meant to take. */
  readonly types?: readonly string[];
}

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
/** A call that declares no body may still read one that an outside service sends. */
const typesOf = (call: Call): readonly string[] => {
  if (call.form !== undefined) return [multipart];
  return call.body === undefined ? [json, form] : [json];
};

const callAddresses = Object.values<Call>(calls).map((call): Address => ({
  name: call.name,
  method: call.method,
  path: call.path.replace(':page', '1').replaceAll(/:\w+/g, id),
  area: call.area,
  types: typesOf(call),
}));
const otherAddresses: readonly Address[] = [
  ...['/', '/login-ex', '/assets/none.js', '/api/openapi.json', '/local-outbox', '/nowhere', '/api/nowhere'].flatMap((path) =>
    ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((method) => ({ name: `${method} ${path}`, method, path })),
  ),
  ...[
    '/token',
    '/auth',
    '/jwks',
    '/me',
    '/interaction/abc',
    '/forgot',
    '/reset',
    '/activate',
    '/assets/identity.css',
    '/.well-known/openid-configuration',
  ].flatMap((path) =>
    ['GET', 'POST', 'DELETE'].map((method) => ({ name: `${method} /identity${path}`, method, path: `/identity${path}`, types: [form] })),
  ),
  { name: 'POST /api/open/csp-report', method: 'POST', path: '/api/open/csp-report', types: ['application/csp-report'] },
  { name: 'DELETE of a list', method: 'DELETE', path: calls.listOwnDocuments.path },
];

const framings = [
  ['without a length', 'transfer-encoding: chunked'],
  ['with a length of 10 GB', 'content-length: 10000000000'],
] as const;

const refusals = new Set([400, 401, 403, 404, 405, 413, 415, 429]);

/**
 * At night each address gets every body, with a length and without. By day it gets those that it is meant to take without a length, so that its own
 * limit ends the reading, and every third of the others with a length or without by turns.
 */
const asked = [...callAddresses, ...otherAddresses].flatMap((address, row) =>
  bodies.flatMap(([what, type, begun], column) => {
    const isMeant = type !== undefined && address.types?.includes(type) === true;
    if (!isNightly && !isMeant && (row + column) % 3 !== 0) return [];
    return framings
      .filter((_, index) => isNightly || index === (isMeant ? 0 : (row + column) % framings.length))
      .map(([how, framing]) => ({ ...address, what, type, begun, how, framing }));
  }),
);

/** Each connection lingers for a moment, so that many are asked at once. */
const pourAll = async (atOnce: number): Promise<Map<string, object[]>> => {
  const wrong = new Map<string, object[]>();
  const left = asked.values();
  const work = async (): Promise<void> => {
    for (const { name, method, path, area, what, type, begun, how, framing } of left) {
      const typeLine = type === undefined ? '' : `content-type: ${type}\r\n`;
      const { host } = portal.settings.publicUrl;
      const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${headersOf(area)}${typeLine}${framing}\r\n\r\n`;
      const { status, bytesRead } = await pour(head, begun, framing.startsWith('transfer'));
      const limit = (largest[name] ?? standardBytes) + bufferBytes;
      if (!refusals.has(status) || !(bytesRead <= limit)) wrong.set(name, [...(wrong.get(name) ?? []), { what, how, status, bytesRead }]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return wrong;
};

describe('a body without an end', () => {
  let wrong: Map<string, object[]>;
  beforeAll(async () => {
    wrong = await pourAll(300);
  }, 180_000);

  test.each([...callAddresses, ...otherAddresses].map(({ name }) => name))('%s refuses it and stops reading', (name) => {
    expect(wrong.get(name) ?? []).toEqual([]);
  });
});
