import { createConnection } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVerifier, goToPasswordPage, locationOf, returnToPortal, submitPassword, type TestBrowser } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** The negative cases of the embedded identity service, by the numbers that the security design gives them. */

const personalId = '10000001';

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal();
  await portal.addPerson(personalId);
  await portal.addPerson('10000002', 'Another-horse-8');
  await portal.addPerson('10000003');
  await portal.disable('10000003');
});
afterAll(() => portal[Symbol.asyncDispose]());

/** The address of the provider that the portal would send a browser to. */
const authorizationUrl = async (browser: TestBrowser, id = personalId, lang = 'PL'): Promise<URL> => {
  const query = new URLSearchParams({ state: createVerifier().state, lang }).toString();
  return new URL(locationOf(await browser.request('GET', `/api/open/redirect/login/${id}?${query}`)));
};

const openPasswordPage = (browser: TestBrowser, id = personalId, lang = 'PL'): Promise<string> =>
  goToPasswordPage(browser, { personalId: id, state: createVerifier().state, lang });

const pageOf = (body: string): string => body.replaceAll(/interaction\/[\w-]+/g, 'interaction/…');

describe('an authorization request', () => {
  const ask = async (change: (parameters: URLSearchParams) => void) => {
    const browser = portal.newBrowser();
    const url = await authorizationUrl(browser);
    change(url.searchParams);
    return browser.request('GET', url.href);
  };

  test.each([
    ['a foreign address', 'https://evil.example/cb'],
    ['an address that begins like ours', 'http://localhost:8080/api/open/redirect/back/pergamin/../../evil'],
    ['an address with ours as its user', 'http://localhost:8080\\@evil.example/api/open/redirect/back/pergamin'],
    ['an address with a query', 'http://localhost:8080/api/open/redirect/back/pergamin?next=https://evil.example'],
    ['another service’s way back', 'http://localhost:8080/api/open/redirect/back/partner'],
  ])('40: an authorization request with %s to return to is answered with a page and no redirect', async (_what, redirectUri) => {
    const response = await ask((parameters) => parameters.set('redirect_uri', redirectUri));
    expect(response.statusCode).toBe(400);
    expect(response.headers['location']).toBeUndefined();
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.body).not.toContain('evil');
  });

  test.each([
    ['of an unknown client', 'client_id', 'evil'],
    ['without an address to return to', 'redirect_uri', ''],
  ])('40: %s is answered with a page and no redirect', async (_what, name, value) => {
    const response = await ask((parameters) => parameters.set(name, value));
    expect(response.statusCode).toBe(400);
    expect(response.headers['location']).toBeUndefined();
  });

  test.each<[string, (parameters: URLSearchParams) => void, string]>([
    ['without PKCE', (parameters) => parameters.delete('code_challenge'), 'invalid_request'],
    ['with plain PKCE', (parameters) => parameters.set('code_challenge_method', 'plain'), 'invalid_request'],
    ['for a token in the address', (parameters) => parameters.set('response_type', 'id_token'), 'invalid_request'],
  ])('41: %s is refused', async (_what, change, error) => {
    const target = new URL(locationOf(await ask(change)));
    expect(target.pathname).toBe('/api/open/redirect/back/pergamin');
    expect(target.searchParams.get('error') ?? new URLSearchParams(target.hash.slice(1)).get('error')).toBe(error);
  });

  test.each(['form_post', 'fragment', 'web_message', 'jwt'])(
    '41: an authorization request for an answer by %s is answered with a page',
    async (mode) => {
      const response = await ask((parameters) => parameters.set('response_mode', mode));
      expect(response.statusCode).toBe(400);
      expect(response.body).not.toContain('<form');
      expect(response.headers['location']).toBeUndefined();
    },
  );
});

describe('the provider', () => {
  const discover = (headers: Record<string, string> = {}) =>
    portal.server.inject({ url: '/identity/.well-known/openid-configuration', headers: { host: portal.host, ...headers } });

  test('offers the authorization code flow, one way to authenticate and one algorithm, and nothing else', async () => {
    expect((await discover()).json()).toMatchObject({
      issuer: 'http://localhost:8080/identity',
      authorization_endpoint: 'http://localhost:8080/identity/auth',
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    for (const absent of ['userinfo_endpoint', 'registration_endpoint', 'end_session_endpoint', 'pushed_authorization_request_endpoint'])
      expect((await discover()).json()).not.toHaveProperty(absent);
  });

  test('42: the provider asked under another name says 421 and nothing about itself', async () => {
    const response = await discover({ host: 'evil.example' });
    expect(response.statusCode).toBe(421);
    expect(response.body).toBe('');
  });

  test('42: does not believe a proxy’s headers about its own address', async () => {
    const response = await discover({ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' });
    expect(response.body).not.toContain('evil');
    expect(response.json()).toMatchObject({ token_endpoint: 'http://localhost:8080/identity/token' });
  });

  test('42: behind a proxy that ends TLS it still has its https address', async () => {
    await using secure = await startSignInPortal({ publicUrl: 'https://portal.example' });
    const response = await secure.server.inject({ url: '/identity/.well-known/openid-configuration', headers: { host: secure.host } });
    expect(response.json()).toMatchObject({ authorization_endpoint: 'https://portal.example/identity/auth' });
  });

  test.each(['//identity/.well-known/openid-configuration', 'http://evil.example/identity/.well-known/openid-configuration'])(
    '42: the target %s is no path of ours',
    async (target) => {
      await portal.server.listen({ port: 0, host: '127.0.0.1' }).catch(() => undefined);
      const { port } = portal.server.server.address() as AddressInfo;
      const answer = await new Promise<string>((resolve, reject) => {
        let text = '';
        const socket = createConnection({ port, host: '127.0.0.1' }, () =>
          socket.write(`GET ${target} HTTP/1.1\r\nHost: ${portal.host}\r\nConnection: close\r\n\r\n`),
        );
        socket.setEncoding('utf8');
        socket.on('data', (chunk: string) => (text += chunk));
        socket.on('end', () => resolve(text));
        socket.on('error', reject);
      });
      expect(answer.split('\r\n')[0]).toContain(' 400 ');
      expect(answer).not.toContain('authorization_endpoint');
    },
  );

  test.each(['/identity/.well-known/openid-configuration', '/identity/jwks', '/identity/token', '/identity/auth'])(
    'lets no other origin read %s',
    async (url) => {
      const headers = { host: portal.host, origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      for (const method of ['OPTIONS', 'GET', 'POST'] as const) {
        const response = await portal.server.inject({ method, url, headers });
        expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(response.headers['cache-control']).toContain('no-store');
      }
    },
  );

  test.each(['client_id=%00', 'client_id=%ED%A0%80', `client_id=${'a'.repeat(8_000)}`, 'client_id=pergamin&redirect_uri=%00'])(
    'finds no client by %s',
    async (query) => {
      const response = await portal.newBrowser().request('GET', `/identity/auth?${query}`);
      expect(response.statusCode).toBe(400);
    },
  );

  test('exchanges no code without the portal’s secret', async () => {
    const response = await portal.newBrowser().request('POST', '/identity/token', {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from('pergamin:guess').toString('base64')}`,
      },
      payload: 'grant_type=authorization_code&code=a&redirect_uri=b&code_verifier=c',
    });
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ error: 'invalid_client' });
  });

  test.each(['/identity/me', '/identity/reg', '/identity/interaction', '/identity/assets/../parts.ts', '/identity/assets/nothing.css'])(
    'has nothing at %s but a calm page',
    async (path) => {
      const response = await portal.newBrowser().request('GET', path);
      expect(response.statusCode).toBe(404);
      expect(response.headers['content-type']).toContain('text/html');
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    },
  );
});

describe('the page that asks for the password', () => {
  test('says whose, in the language of the portal, and can be read in the other', async () => {
    const browser = portal.newBrowser();
    const page = await openPasswordPage(browser, personalId, 'EN');
    const english = await browser.request('GET', page);
    expect(english.statusCode).toBe(200);
    expect(english.body).toContain('<html lang="en">');
    expect(english.body).toContain('Enter your password');
    expect(english.body).toContain(personalId);
    const polish = await browser.request('GET', page.replace('lang=en', 'lang=pl'));
    expect(polish.body).toContain('<html lang="pl">');
    expect(polish.body).toContain('Podaj hasło');
  });

  test('has one script, a file of its own, and no style in the page, and may not be framed, kept or sent elsewhere', async () => {
    const browser = portal.newBrowser();
    const { body, headers } = await browser.request('GET', await openPasswordPage(browser));
    expect(body).not.toMatch(/<style| style=| on\w+=|javascript:/i);
    expect(body.match(/<script[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<script src="\/identity\/assets\/sign-in-[0-9a-f]{12}\.js" defer>$/),
    ]);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const addresses = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address ?? '');
    const assets = addresses.filter((address) => address.startsWith('/identity/assets/'));
    expect(assets.length).toBeGreaterThanOrEqual(4);
    for (const asset of assets) expect((await browser.request('GET', asset)).statusCode).toBe(200);
  });

  test('serves the fonts that its styles name', async () => {
    const browser = portal.newBrowser();
    const { body } = await browser.request('GET', await openPasswordPage(browser));
    const [, styles = ''] = /rel="stylesheet" href="([^"]+)"/.exec(body) ?? [];
    const fonts = [...(await browser.request('GET', styles)).body.matchAll(/url\(([^)]+)\)/g)].map(([, address]) => address ?? '');
    expect(fonts).toHaveLength(4);
    for (const font of fonts) expect((await browser.request('GET', font)).headers['content-type']).toBe('font/woff2');
  });

  test('44: an unknown id, a wrong password and a disabled account get the same page', async () => {
    const answers = [];
    for (const [id, secret] of [
      ['10000001', 'wrong'],
      ['99999999', password],
      ['10000003', password],
    ] as const) {
      const browser = portal.newBrowser();
      const response = await submitPassword(browser, await openPasswordPage(browser, id), { password: secret });
      expect(response.statusCode).toBe(401);
      expect(response.body).toContain('role="alert"');
      answers.push(pageOf(response.body).replaceAll(id, 'ID'));
    }
    expect(new Set(answers).size).toBe(1);
  });

  test.each(['%00', '1%00', 'a'.repeat(5_000), '%F0%9F%98%80', '%ED%A0%80', "'%20or%20true--"])(
    '44: the id %s is answered as unknown',
    async (personalId) => {
      const browser = portal.newBrowser();
      const state = encodeURIComponent(createVerifier().state);
      const service = locationOf(await browser.request('GET', `/api/open/redirect/back/pergamin?state=${state}`));
      const page = locationOf(await browser.request('GET', service));
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await browser.request('POST', page, { headers, payload: `personalId=${personalId}&password=x` });
      expect(response.statusCode).toBe(401);
    },
  );

  test('lets the person in after a mistake', async () => {
    const browser = portal.newBrowser();
    const page = await openPasswordPage(browser);
    expect((await submitPassword(browser, page, { password: 'wrong' })).statusCode).toBe(401);
    expect(await returnToPortal(browser, await submitPassword(browser, page, { password }))).toMatch(/^\/oauth\//);
  });

  test('asks for the id too when the portal has not told it', async () => {
    const browser = portal.newBrowser();
    const { state } = createVerifier();
    const start = await browser.request('GET', `/api/open/redirect/back/pergamin?${new URLSearchParams({ state, lang: 'EN' }).toString()}`);
    const page = locationOf(await browser.request('GET', locationOf(start)));
    expect((await browser.request('GET', page)).body).toContain('<label for="personalId">ID</label>');
    const empty = await submitPassword(browser, page, { personalId: ' ', password });
    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain('Field required');
    const foreign = await submitPassword(browser, page, { personalId: '"><b>', password });
    expect(foreign.statusCode).toBe(401);
    expect(await returnToPortal(browser, await submitPassword(browser, page, { personalId, password }))).toMatch(/^\/oauth\//);
  });

  test('believes the id that the portal told, not one that the form brings', async () => {
    const browser = portal.newBrowser();
    const page = await openPasswordPage(browser, '10000002');
    expect((await submitPassword(browser, page, { personalId, password })).statusCode).toBe(401);
  });

  test('lets another person sign in where one is signed in already', async () => {
    const browser = portal.newBrowser();
    await returnToPortal(browser, await submitPassword(browser, await openPasswordPage(browser), { password }));
    const answer = await submitPassword(browser, await openPasswordPage(browser, '10000002'), { password: 'Another-horse-8' });
    expect(await returnToPortal(browser, answer)).toMatch(/^\/oauth\//);
  });

  test('lets two pages that one browser has open sign in different people, one after the other', async () => {
    const browser = portal.newBrowser();
    const first = await openPasswordPage(browser);
    const firstCookies = new Map(browser.cookies);
    await returnToPortal(browser, await submitPassword(browser, first, { password }));
    const session = browser.cookies.get('identity');
    for (const [name, cookie] of firstCookies) browser.cookies.set(name, cookie);
    if (session !== undefined) browser.cookies.set('identity', session);
    const second = await openPasswordPage(browser, '10000002');
    expect(await returnToPortal(browser, await submitPassword(browser, second, { password: 'Another-horse-8' }))).toMatch(/^\/oauth\//);
  });

  test('the page in another browser, or after it was used, says calmly that the sign-in is over', async () => {
    const browser = portal.newBrowser();
    const page = await openPasswordPage(browser);
    const elsewhere = await portal.newBrowser().request('GET', page);
    expect(elsewhere.statusCode).toBe(400);
    expect(elsewhere.body).toContain('Czas na zalogowanie minął');
    expect(elsewhere.body).toContain(`href="http://${portal.host}/login-ex"`);
    await returnToPortal(browser, await submitPassword(browser, page, { password }));
    expect((await browser.request('GET', page)).statusCode).toBe(400);
    expect((await submitPassword(browser, page, { password })).statusCode).toBe(400);
  });

  test.each<[string, { headers: Record<string, string>; payload: string }, number]>([
    ['from another site', { headers: { origin: 'https://evil.example' }, payload: 'password=a' }, 403],
    ['by a page of another site', { headers: { 'sec-fetch-site': 'cross-site' }, payload: 'password=a' }, 403],
    ['as JSON', { headers: { 'content-type': 'application/json' }, payload: '{}' }, 415],
    ['with a megabyte in it', { headers: {}, payload: `password=${'a'.repeat(1_000_000)}` }, 413],
  ])('an answer sent %s is turned away before any password is checked', async (_what, { headers, payload }, status) => {
    const browser = portal.newBrowser();
    const page = await openPasswordPage(browser);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await browser.request('POST', page, { headers: { ...type, ...headers }, payload });
    expect(response.statusCode).toBe(status);
  });
});

describe('an account', () => {
  test('is created once; its password is never replaced by a second creation', async () => {
    const { accounts } = portal.identity;
    expect(await accounts.exists('20000001')).toBe(false);
    const created = await Promise.all([accounts.create('20000001', 'First-horse-1'), accounts.create('20000001', 'Second-horse-2')]);
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await accounts.create('20000001', 'Third-horse-3')).toBe(false);
    expect(await accounts.exists('20000001')).toBe(true);
    await accounts.remove(['20000001', 'nobody']);
    expect(await accounts.exists('20000001')).toBe(false);
  });

  test('keeps its password as argon2id only', async () => {
    const { rows } = await portal.database.pool.query<{ hash: string }>('select password_hash as hash from identity.account');
    for (const { hash } of rows) expect(hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/);
  });
});
