import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { portOf } from '#testing/raw-http.ts';
import { createVerifier, locationOf } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal } from '#testing/sign-in-portal.ts';
import { assertAddress, createServiceTransport } from './service-transport.ts';

/** 39: an identity service that answers as none should, over real connections. */

const unreachable = '/login-ex?error=service';

let behave: RequestListener;
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  behave(request, response);
});
let issuer: string;
let portal: SignInPortal;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${portOf(server)}`;
  const setting = { id: 'odd', name: 'Odd', issuer, clientId: 'portal', clientSecret: 'secret' };
  portal = await startSignInPortal({ identityServices: JSON.stringify([setting]) });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const metadata = (changes: Record<string, unknown> = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  ...changes,
});

const sendJson = (response: ServerResponse, value: unknown): void => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
};

const start = async (): Promise<string> => {
  const { state } = createVerifier();
  return locationOf(
    await portal.newBrowser().request('GET', pathOf(calls.returnFromService, { params: { serviceId: 'odd' }, query: { state } })),
  );
};

describe('a service', () => {
  test.each<[string, RequestListener]>([
    ['names another issuer', (_request, response) => sendJson(response, metadata({ issuer: 'https://evil.example' }))],
    ['names an issuer that only begins alike', (_request, response) => sendJson(response, metadata({ issuer: `${issuer}.evil.example` }))],
    ['redirects', (_request, response) => response.writeHead(302, { location: `${issuer}/elsewhere` }).end()],
    ['fails', (_request, response) => response.writeHead(500).end('{}')],
    ['says no JSON', (_request, response) => response.setHeader('content-type', 'application/json').end('<html>')],
    ['says a list', (_request, response) => sendJson(response, [])],
    ['hangs up', (request) => request.socket.destroy()],
    [
      'hangs up in the middle',
      (_request, response) => void response.writeHead(200, { 'content-length': '500' }).write('{', () => response.destroy()),
    ],
    ['takes tokens on plain http', (_request, response) => sendJson(response, metadata({ token_endpoint: 'http://token.example/token' }))],
    ['takes tokens inside', (_request, response) => sendJson(response, metadata({ token_endpoint: 'https://169.254.169.254/token' }))],
    ['keeps its keys inside', (_request, response) => sendJson(response, metadata({ jwks_uri: 'https://10.0.0.1/keys' }))],
    ['keeps its keys in a file', (_request, response) => sendJson(response, metadata({ jwks_uri: 'file:///etc/passwd' }))],
    ['sends people to a script', (_request, response) => sendJson(response, metadata({ authorization_endpoint: 'javascript:alert(1)' }))],
    [
      'signs people out with a script',
      (_request, response) => sendJson(response, metadata({ end_session_endpoint: 'javascript:alert(1)' })),
    ],
  ])('a service that %s is answered as one that cannot be reached', async (_what, listener) => {
    behave = listener;
    asked.length = 0;
    expect(await start()).toBe(unreachable);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  test('a service that never stops talking is cut off after a megabyte', async () => {
    let written = 0;
    const chunk = Buffer.alloc(65_536, ' ');
    const closed = Promise.withResolvers<void>();
    behave = (_request, response) => {
      const write = (): void => {
        if (written > 50 * 2 ** 20 || response.destroyed) return;
        written += chunk.length;
        response.write(chunk, () => setImmediate(write));
      };
      response.on('close', () => closed.resolve());
      write();
    };
    expect(await start()).toBe(unreachable);
    await closed.promise;
    // What the buffers of both ends hold may have been written, too.
    expect(written).toBeLessThan(20 * 2 ** 20);
  });

  test('a service that never answers is given up after five seconds', async () => {
    behave = () => {};
    const begun = performance.now();
    expect(await start()).toBe(unreachable);
    expect(performance.now() - begun).toBeGreaterThan(4_500);
  });

  test('a service that works again is called again', async () => {
    behave = (_request, response) => response.writeHead(503).end();
    expect(await start()).toBe(unreachable);
    behave = (_request, response) => sendJson(response, metadata());
    expect(await start()).toMatch(new RegExp(`^${issuer}/authorize\\?`));
  });

  test('a service that fails while the code is exchanged leaves the browser signed out', async () => {
    behave = (request, response) =>
      request.url === '/token' ? response.writeHead(302, { location: '/' }).end() : sendJson(response, metadata());
    const browser = portal.newBrowser();
    const { state } = createVerifier();
    const address = pathOf(calls.returnFromService, { params: { serviceId: 'odd' }, query: { state } });
    const target = new URL(locationOf(await browser.request('GET', address)));
    const query = { code: 'any', state: target.searchParams.get('state') ?? '' };
    const back = await browser.request('GET', pathOf(calls.returnFromService, { params: { serviceId: 'odd' }, query }));
    expect(locationOf(back)).toBe('/login-ex?error=auth');
  });
});

describe('requests to a service', () => {
  const options = { method: 'GET', headers: {}, redirect: 'manual', body: undefined } as const;
  const publicRules = { issuer: 'https://identity.example', privateNetwork: false };

  test.each([
    'http://identity.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://0.0.0.0/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://224.0.0.1/',
    'https://user:secret@identity.example/',
    'ftp://identity.example/',
    // Its name leads inwards.
    `https://localhost/`,
  ])('requests to a service never go to %s', async (address) => {
    await expect(createServiceTransport(publicRules)(address, options)).rejects.toThrow(/identity service/);
  });

  test('go into the organisation’s own network when the settings say so, and still not further in', async () => {
    const transport = createServiceTransport({ issuer: 'https://identity.internal', privateNetwork: true });
    const refusals = await Promise.allSettled(
      ['https://127.0.0.1/', 'https://169.254.169.254/', 'https://localhost/'].map((address) => transport(address, options)),
    );
    for (const refusal of refusals) expect(String(refusal.status === 'rejected' ? refusal.reason : '')).toMatch(/internal address/);
    expect(() => assertAddress(new URL('https://10.1.2.3/'), { issuer: 'https://identity.internal', privateNetwork: true })).not.toThrow();
  });

  test('go to loopback when that is where the service is', async () => {
    behave = (request, response) => sendJson(response, { method: request.method, accept: request.headers.accept });
    const answer = await createServiceTransport({ issuer, privateNetwork: false })(`${issuer}/x`, {
      ...options,
      headers: { accept: 'application/json' },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { method: 'GET', accept: 'application/json' }]);
  });

  test('stop when the caller gives up', async () => {
    behave = () => {};
    const asking = createServiceTransport({ issuer, privateNetwork: false })(issuer, { ...options, signal: AbortSignal.timeout(20) });
    await expect(asking).rejects.toThrow(/aborted|timeout/i);
  });
});
