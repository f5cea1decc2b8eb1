import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlain } from 'node:net';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAuthority, type Issued, issue } from '@pergamin/server/testing/certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionProblem } from './connection-problem.ts';
import { RefusedError } from './errors.ts';
import { patiently } from './patience.ts';
import { startCliPortal } from './testing/cli-portal.ts';
import { freePort, portOf, runPergamin } from './testing/run-pergamin.ts';

let folder: string;
let authority: Issued;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-cli-'));
  authority = await anAuthority('The bank');
  await writeFile(join(folder, 'authority.pem'), authority.pem);
});
afterAll(() => rm(folder, { recursive: true }));

const listen = async ({ keyPem: key, pem: cert }: Issued): Promise<Server> => {
  const server = createServer({ key, cert }, (_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const ask = async (url: string, environment: Record<string, string> = {}) =>
  runPergamin(['demo', 'remove'], { folder, environment: { PERGAMIN_URL: url, PERGAMIN_KEY: 'pk_', ...environment }, isAlone: true });

describe('a certificate that cannot be trusted is named with what to do', () => {
  const trusted = (): Record<string, string> => ({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') });
  test.each([
    [
      'expired',
      async () => issue({ name: 'localhost', issuer: authority, until: new Date(Date.now() - 60_000) }),
      'its certificate has expired: renew it (CERT_HAS_EXPIRED)',
    ],
    [
      'not yet valid',
      async () => issue({ name: 'localhost', issuer: authority, from: new Date(Date.now() + 3_600_000) }),
      'its certificate is not valid yet',
    ],
    [
      'for another name',
      async () => issue({ name: 'other.example', issuer: authority }),
      'its certificate is for another name: set PERGAMIN_URL',
    ],
  ])('when it is %s', async (_, make, sentence) => {
    const server = await listen(await make());
    const url = `https://localhost:${portOf(server)}`;
    const ended = await ask(url, trusted());
    server.close();
    expect(ended.code).toBe(1);
    expect(ended.error).toContain(`pergamin: the portal at ${url} (PERGAMIN_URL) could not be reached: ${sentence}`);
  });

  test('when it is self-signed, or of an unknown authority', async () => {
    for (const certificate of [await issue({ name: 'localhost' }), await issue({ name: 'localhost', issuer: authority })]) {
      const server = await listen(certificate);
      const ended = await ask(`https://localhost:${portOf(server)}`);
      server.close();
      expect(ended.error).toContain('name the authority’s file in NODE_EXTRA_CA_CERTS');
    }
  });
});

test('a certificate that no server may have is told as one that cannot be trusted', async () => {
  const server = await listen(await anAuthority('localhost'));
  const ended = await ask(`https://localhost:${portOf(server)}`);
  server.close();
  expect(ended.error).toMatch(/could not be reached: its certificate .*\([A-Z_]+\)\n$/);
});

describe('a portal that cannot be reached is told by the reason', () => {
  test('when its name is not known', async () => {
    expect((await ask('https://nowhere.invalid')).error).toMatch(/could not be reached: its name (?:is not known|could not be looked up)/);
  });

  test('when it does not speak TLS', async () => {
    const server = createPlain((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const ended = await ask(`https://localhost:${port}`);
    server.close();
    expect(ended.error).toContain('could not be reached: it does not speak TLS there');
  });

  test.each([
    ['ETIMEDOUT', 'it gave no answer in time'],
    ['UND_ERR_CONNECT_TIMEOUT', 'it gave no answer in time'],
    ['ECONNRESET', 'it broke the connection off'],
    ['EHOSTUNREACH', 'there is no way to it from this machine'],
  ])('when the error is %s', (code, sentence) => {
    const error = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
    expect(connectionProblem(error)).toEqual({ sentence: expect.stringContaining(sentence), isLasting: false });
  });
});

test('on the portal’s machine its own settings say where it is', async () => {
  await using started = await startCliPortal();
  const { PERGAMIN_URL: url = '', ...environment } = started.environment;
  const run = (settings: Record<string, string>) =>
    runPergamin(['demo', 'remove'], { folder: started.folder, environment: { ...environment, ...settings } });
  expect(await run({ PUBLIC_URL: url })).toMatchObject({ code: 0 });
  // The host that it is served under is another one: PORT alone leads to it, and it says so.
  expect((await run({ PORT: new URL(url).port })).error).toContain('set PERGAMIN_URL to its own address (PUBLIC_URL)');
  expect((await run({ PERGAMIN_URL: `http://127.0.0.1:${await freePort()}`, PUBLIC_URL: url })).error).toContain(
    '(PERGAMIN_URL) could not be reached',
  );
  expect(await run({ PUBLIC_URL: 'canary' })).toMatchObject({ code: 2, error: 'pergamin: PUBLIC_URL: canary is not an address\n' });
});

test('what stays until somebody puts it right is not tried again', async () => {
  let calls = 0;
  const call = async (): Promise<never> => {
    calls += 1;
    throw new RefusedError('its certificate has expired', { isLasting: true });
  };
  await expect(patiently(call, undefined)).rejects.toThrow('its certificate has expired');
  expect(calls).toBe(1);
});
