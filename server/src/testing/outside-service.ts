import { once } from 'node:events';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SignJWT } from 'jose';
import { type Adapter, type AdapterPayload, type Configuration, type ErrorOut, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { portOf } from './raw-http.ts';

interface Person {
  /** Who this is there. */
  readonly subject: string;
  /** Who this is to the portal. */
  readonly personalId: string;
  readonly acr?: string;
  readonly amr?: string[];
}

export interface OutsideBrowser {
  /** Goes where it is sent until it is sent away from the service; gives that address. */
  follow(url: string): Promise<string>;
  /** Presses the one button of the service's page of logging out; gives the address it is then sent to. */
  confirmLogout(url: string): Promise<string>;
}

/** A whole OpenID provider on a port of its own: what Keycloak or Entra are to a portal in production. */
export interface OutsideService extends AsyncDisposable {
  readonly issuer: string;
  /** The entry of IDENTITY_SERVICES that describes it. */
  setting(changes?: Record<string, unknown>): Record<string, unknown>;
  /** Who will be at its keyboard from now on. */
  signInAs(person: Person): void;
  newBrowser(): OutsideBrowser;
  /** A signed word to the portal that this is who comes, for single sign-on. */
  assertionFor(person: Person): Promise<string>;
  /** What it sends by itself is handed over here. */
  deliverTo(receive: (request: { url: string; contentType: string; body: string }) => Promise<number>): void;
}

const clientId = 'the-portal';
const clientSecret = 'a secret with signs: +/%&=?';

/** The provider's own one in memory warns of itself. */
const createMemoryAdapter = () => {
  const kept = new Map<string, AdapterPayload>();
  return (model: string): Adapter => {
    const key = (id: string): string => `${model}:${id}`;
    const find = async (fits: (payload: AdapterPayload) => boolean) => kept.values().find(fits);
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: (uid) => find((payload) => payload.uid === uid),
      findByUserCode: (userCode) => find((payload) => payload.userCode === userCode),
      destroy: async (id) => void kept.delete(key(id)),
      consume: async (id) => void Object.assign(kept.get(key(id)) ?? {}, { consumed: 1 }),
      async revokeByGrantId(grantId) {
        for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name);
      },
    };
  };
};

const renderError = (context: KoaContextWithOIDC, out: ErrorOut): void => {
  context.type = 'text/plain';
  context.body = `${out.error}: ${out.error_description ?? ''}`;
};

interface Options {
  /** Shows a page with one button; otherwise the person is signed in without interaction. */
  readonly hasPage?: boolean;
}

const signInPage = (subject: string): string => `<!doctype html>
<html lang="en"><title>Outside account</title><link rel="icon" href="data:,">
<h1>Outside account</h1>
<form method="post"><button>Continue as ${subject}</button></form>`;

export const startOutsideService = async (id: string, portalOrigin: string, { hasPage = false }: Options = {}): Promise<OutsideService> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${portOf(server)}`;

  let atTheKeyboard: Person = { subject: 'nobody', personalId: 'nobody' };
  const people = new Map<string, Person>();
  let deliver: Parameters<OutsideService['deliverTo']>[0] = async () => 204;

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = privateKey.export({ format: 'jwk' });
  const configuration: Configuration = {
    adapter: createMemoryAdapter(),
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 300, Interaction: 600, Grant: 600, Session: 600 },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${portalOrigin}/api/open/redirect/back/${id}`],
        post_logout_redirect_uris: [`${portalOrigin}/login-ex`],
        backchannel_logout_uri: `${portalOrigin}/api/open/backchannel-logout/${id}`,
        backchannel_logout_session_required: true,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...signingKey, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'outside' }] },
    claims: { openid: ['sub', 'personal_id', 'amr'] },
    acrValues: ['two-factors'],
    conformIdTokenClaims: false,
    findAccount: async (_context, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, personal_id: people.get(subject)?.personalId }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = `<link rel="icon" href="data:,">${form}<button form="op.logoutForm" name="logout" value="yes">Log out</button>`;
        },
        postLogoutSuccessSource: (context) => {
          context.body = '<link rel="icon" href="data:,">Logged out';
        },
      },
    },
    cookies: { keys: ['a key of these tests'] },
    fetch: async (url, options) => {
      const request = new Request(url, options);
      const { pathname } = new URL(request.url);
      const status = await deliver({
        url: pathname,
        contentType: request.headers.get('content-type') ?? '',
        body: await request.text(),
      });
      return new Response(null, { status });
    },
    renderError,
  };
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    const { subject, acr, amr } = atTheKeyboard;
    if (hasPage && request.method === 'GET')
      return void response.setHeader('content-type', 'text/html; charset=utf-8').end(signInPage(subject));
    people.set(subject, atTheKeyboard);
    const login = { accountId: subject, ...(acr === undefined ? {} : { acr }), ...(amr === undefined ? {} : { amr }) };
    return void provider.interactionFinished(request, response, { login });
  });

  const newBrowser = (): OutsideBrowser => {
    const cookies = new Map<string, string>();
    const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    };
    const sentTo = async (response: Response): Promise<string> => {
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the outside service answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
      return new URL(location, issuer).href;
    };
    return {
      async follow(url) {
        let next = url;
        while (next.startsWith(`${issuer}/`)) next = await sentTo(await visit(next));
        return next;
      },
      async confirmLogout(url) {
        const page = await (await visit(url)).text();
        const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1];
        const action = /action="([^"]+)"/.exec(page)?.[1];
        if (xsrf === undefined || action === undefined) throw new Error(`no form: ${page.slice(0, 300)}`);
        return sentTo(await visit(action, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) }));
      },
    };
  };

  return {
    issuer,
    setting: (changes = {}) => ({
      id,
      name: 'Outside',
      issuer,
      clientId,
      clientSecret,
      claim: 'personal_id',
      button: { color: '#003366 #ffffff' },
      ...changes,
    }),
    signInAs(person) {
      atTheKeyboard = person;
    },
    newBrowser,
    assertionFor: ({ subject, personalId }) =>
      new SignJWT({ personal_id: personalId, jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'outside', typ: 'portal-sso+jwt' })
        .setIssuer(issuer)
        .setAudience('portal')
        .setSubject(subject)
        .setIssuedAt()
        .sign(privateKey),
    deliverTo(receive) {
      deliver = receive;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
