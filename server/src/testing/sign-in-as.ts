import { createHash, randomBytes } from 'node:crypto';
import { calls, pathOf } from '@pergamin/contract';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

/** A browser as far as signing in needs one: it keeps cookies by name and path, and goes where it is sent. */
export interface TestBrowser {
  /** By name; those of one interaction, which each tab has of its own, by name and path. */
  readonly cookies: Map<string, { value: string; path: string }>;
  request(
    method: 'GET' | 'POST',
    url: string,
    options?: { headers?: Record<string, string>; payload?: string | Buffer },
  ): Promise<LightMyRequestResponse>;
  /** The Cookie header that it would send there. */
  cookieHeader(path: string): string;
}

/** `address`: where its requests come from. */
export const createTestBrowser = (server: FastifyInstance, host: string, address = '127.0.0.1'): TestBrowser => {
  const cookies: TestBrowser['cookies'] = new Map();
  const cookieHeader = (path: string): string =>
    [...cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  const keep = (line: string): void => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const separator = pair.indexOf('=');
    const name = pair.slice(0, separator);
    const value = pair.slice(separator + 1);
    const attribute = (wanted: string): string | undefined =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const expires = attribute('expires');
    const isGone = value === '' || attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
    const path = attribute('path') ?? '/';
    const key = path.startsWith('/identity/interaction/') ? `${name} ${path}` : name;
    if (isGone) cookies.delete(key);
    else cookies.set(key, { value, path });
  };
  return {
    cookies,
    cookieHeader,
    async request(method, url, { headers = {}, payload } = {}) {
      const { pathname, search } = new URL(url, `http://${host}`);
      const cookie = cookieHeader(pathname);
      const response = await server.inject({
        method,
        url: pathname + search,
        remoteAddress: address,
        headers: { host, ...(cookie === '' ? {} : { cookie }), ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
      for (const line of [response.headers['set-cookie'] ?? []].flat()) keep(line);
      return response;
    },
  };
};

export const locationOf = (response: LightMyRequestResponse): string => {
  const { location } = response.headers;
  if (typeof location !== 'string') throw new Error(`expected a redirect, got ${response.statusCode}: ${response.body.slice(0, 300)}`);
  return location;
};

/** What the web client keeps in session storage and what it sends of it (B2). */
export const createVerifier = (): { verifier: string; state: string } => {
  const verifier = randomBytes(48).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, state: Buffer.from(JSON.stringify({ challenge, method: 'S256' })).toString('base64') };
};

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };

/** From the portal's redirect to the page that asks for the password; gives that page's address. */
export const goToPasswordPage = async (
  browser: TestBrowser,
  { personalId, state, lang = 'PL' }: { personalId: string; state: string; lang?: string },
): Promise<string> => {
  const toService = await browser.request('GET', pathOf(calls.startSignIn, { params: { personalId }, query: { state, lang } }));
  return locationOf(await browser.request('GET', locationOf(toService)));
};

export const submitPassword = (browser: TestBrowser, page: string, fields: Record<string, string>): Promise<LightMyRequestResponse> =>
  browser.request('POST', page, { headers: urlencoded, payload: new URLSearchParams(fields).toString() });

/** Follows the identity service's answer back to the portal; gives the portal's own redirect. */
export const returnToPortal = async (browser: TestBrowser, answer: LightMyRequestResponse): Promise<string> =>
  locationOf(await browser.request('GET', locationOf(answer)));

/** Steps 1 to 6: a fresh one-time code of this browser. */
export const obtainCode = async (
  browser: TestBrowser,
  { personalId, password }: { personalId: string; password: string },
): Promise<{ code: string; verifier: string }> => {
  const { verifier, state } = createVerifier();
  const page = await goToPasswordPage(browser, { personalId, state });
  const target = await returnToPortal(browser, await submitPassword(browser, page, { password }));
  const [, code] = /^\/oauth\/([\w-]+)$/.exec(target) ?? [];
  if (code === undefined) throw new Error(`signing in ended at ${target}`);
  return { code, verifier };
};

const boundary = 'test-boundary';

export const loginPayload = (field: string, name = 'code'): { headers: Record<string, string>; payload: string } => ({
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  payload: `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${field}\r\n--${boundary}--\r\n`,
});

export const encodeLogin = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Step 7. */
export const redeemCode = (browser: TestBrowser, { code, verifier }: { code: string; verifier: string }): Promise<LightMyRequestResponse> =>
  browser.request('POST', calls.login.path, loginPayload(encodeLogin({ code, v: verifier })));

/**
 * Walks the whole way of a person's sign-in: portal, identity service, its page, back, login. `token` and `cookie` are the values of the
 * headers Authorization and Cookie.
 */
export const signInThroughIdentity = async (
  server: FastifyInstance,
  { personalId, password, host }: { personalId: string; password: string; host: string },
): Promise<{ token: string; cookie: string }> => {
  const browser = createTestBrowser(server, host);
  const response = await redeemCode(browser, await obtainCode(browser, { personalId, password }));
  const token = response.headers['authorization'];
  if (response.statusCode !== 204 || typeof token !== 'string')
    throw new Error(`login was answered ${response.statusCode}: ${response.body}`);
  return { token, cookie: browser.cookieHeader('/api/protected/') };
};
