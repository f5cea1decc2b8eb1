import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDemo } from './demo.ts';
import { silentLog } from '#platform/log/log.ts';
import { createFakeIdentityService, type FakeIdentityService } from '#testing/fake-identity-service.ts';
import { createTestBrowser, createVerifier, locationOf, redeemCode, type TestBrowser } from '#testing/sign-in-as.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let provider: Server;
let fake: FakeIdentityService;
let portal: TestPortal;

/** The fake service behind a real port: the portal finds it by nothing but its address. */
const startProvider = async (): Promise<string> => {
  provider = createServer((request, response) => {
    const options = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const;
    void fake.service.transport?.(`${fake.issuer}${request.url}`, options).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const address = provider.address();
  if (address === null || typeof address === 'string') throw new Error('the provider does not listen');
  return `http://127.0.0.1:${address.port}`;
};

beforeAll(async () => {
  const issuer = await startProvider();
  fake = createFakeIdentityService('unused', issuer);
  portal = await startTestPortal({
    environment: { DEMO: 'auto', IDENTITY_ISSUER: issuer, IDENTITY_CLIENT_ID: fake.clientId, IDENTITY_CLIENT_SECRET: 'secret' },
  });
});

afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  provider.close();
});

const start = async (browser: TestBrowser, state: string): Promise<URL> => {
  const query = new URLSearchParams({ state }).toString();
  return new URL(locationOf(await browser.request('GET', `/api/open/redirect/login/10000001?${query}`)));
};

describe('with an outside identity service', () => {
  test('a client signs in there, and is told that the password is kept there', async () => {
    await portal.addClient('10000001');
    const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host);
    const { verifier, state } = createVerifier();
    const target = await start(browser, state);
    expect(target.origin + target.pathname).toBe(`${fake.issuer}/authorize`);
    expect(target.searchParams.get('redirect_uri')).toBe('http://localhost:8080/api/open/redirect/back/identity');
    fake.answerWith((claims) => fake.honestToken(claims), target.href);
    const back = new URLSearchParams({ code: 'any', state: target.searchParams.get('state') ?? '' });
    const [, code = ''] =
      /^\/oauth\/([\w-]+)$/.exec(locationOf(await browser.request('GET', `/api/open/redirect/back/identity?${back.toString()}`))) ?? [];
    const login = await redeemCode(browser, { code, verifier });
    expect(login.statusCode).toBe(204);
    const self = await browser.request('GET', '/api/protected/account/self/info', {
      headers: { authorization: String(login.headers['authorization']) },
    });
    expect(self.json()).toEqual({ personalId: '10000001', firstName: 'Anna', lastName: 'Nowak', managed: true });
  });

  test('there is no identity service of our own', async () => {
    const host = portal.settings.publicUrl.host;
    const discovery = await portal.server.inject({ url: '/identity/.well-known/openid-configuration', headers: { host } });
    expect(discovery.statusCode).toBe(404);
  });

  test('there is no demonstration, whose people could not sign in', async () => {
    expect(await openDemo({ ...portal, log: silentLog() })).toBeUndefined();
  });
});
