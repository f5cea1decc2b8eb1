import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { type AdapterPayload, type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Statements } from '../database/statements.ts';
import type { Languages } from '../pages/languages.ts';
import { type Clock, type IdentityLog, mountPath, unavailableSeconds } from '../parts.ts';
import { createAdapter } from './adapter.ts';
import type { CookieNames } from './cookie-names.ts';
import type { Interactions } from './interactions.ts';
import { issuerOf, portalClient } from './relying-party.ts';
import type { Secrets } from './secrets.ts';

const hour = 3_600;

interface Parts {
  readonly statements: Statements;
  readonly interactions: Pick<Interactions, 'adapter'>;
  readonly cookies: CookieNames;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  readonly clock: Clock;
  readonly log: IdentityLog;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly languages: Languages;
  /** The calm page for errors before a return address is known. */
  readonly renderError: (context: KoaContextWithOIDC) => void;
  readonly notFoundPage: string;
}

const grantPattern = /^[\w-]{22}-[\w-]{1,200}$/;

/**
 * The first-party client needs no consent: each scope that it asks for (only `openid` exists) is granted. So there is nothing to store:
 * the id of a grant names its owner. It never leaves this package, except for the rows of what was issued under it.
 */
const grantTo = (personalId: string): string => `${randomBytes(16).toString('base64url')}-${Buffer.from(personalId).toString('base64url')}`;

const findGrant = (id: string, clientId: string): AdapterPayload | undefined => {
  if (!grantPattern.test(id)) return undefined;
  const accountId = Buffer.from(id.slice(23), 'base64url').toString('utf8');
  return { kind: 'Grant', jti: id, accountId, clientId, openid: { scope: 'openid' } };
};

const grantToPortal: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  const { client, session } = oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.jti = grantTo(session.accountId);
  grant.addOIDCScope('openid');
  return grant;
};

const configure = ({ statements, interactions, cookies, secrets, publicUrl, clock, languages, renderError }: Parts): Configuration => {
  const https = publicUrl.protocol === 'https:';
  const client = portalClient(publicUrl);
  return {
    adapter: createAdapter({ statements, clock, interactions: interactions.adapter, findGrant: (id) => findGrant(id, client.id) }),
    clients: [
      {
        client_id: client.id,
        client_secret: secrets.clientSecret,
        redirect_uris: [client.redirectUri],
        response_types: ['code'],
        response_modes: ['query'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [secrets.signingKey] },
    scopes: ['openid'],
    // `sid` names the session here, so that the portal's logout can end it.
    claims: { openid: ['sub', 'sid'] },
    async findAccount(_context, personalId, token) {
      // The statement that exchanges the code also checks that the account is open (adapter.ts).
      const sid = token !== undefined && 'sessionUid' in token ? token.sessionUid : undefined;
      return { accountId: personalId, claims: async () => ({ sub: personalId, ...(sid === undefined ? {} : { sid }) }) };
    },
    loadExistingGrant: grantToPortal,
    // A sign-in that is ended takes its codes along (identity.door.ts).
    expiresWithSession: () => false,
    interactions: {
      url: (_context, { uid, params }) => `${mountPath}/interaction/${uid}?lang=${languages.choose(params['ui_locales'])}`,
    },
    pkce: { required: () => true },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => false,
    conformIdTokenClaims: true,
    cookies: {
      keys: [...secrets.cookieKeys],
      names: { ...cookies },
      // Their values are random names of rows; a signature would protect nothing.
      long: { httpOnly: true, sameSite: 'lax', secure: https, path: '/', signed: false },
      short: { httpOnly: true, sameSite: 'lax', secure: https, signed: false },
    },
    discovery: { ui_locales_supported: languages.offered.map(({ tag }) => tag) },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 300, Interaction: 600, Grant: hour, Session: 12 * hour },
    renderError,
  };
};

/**
 * @NOTE the provider builds its addresses from the request, so a caller who chooses the Host would choose where tokens are sent (and behind a
 * proxy that ends TLS it would call itself http). It is given the public address here instead.
 */
const pinAddress = (provider: Provider, publicUrl: URL): void => {
  Object.defineProperties(provider.request, {
    protocol: { get: () => publicUrl.protocol.slice(0, -1) },
    host: { get: () => publicUrl.host },
    secure: { get: () => publicUrl.protocol === 'https:' },
  });
};

/** The provider, and what answers a request with it; made when first asked for. */
export type LoadProvider = () => Promise<{ readonly provider: Provider; readonly ask: ReturnType<Provider['callback']> }>;

/** A standards-conforming OpenID provider with one client, the authorization code flow, PKCE and ES256, and nothing else. */
export const createProvider = (parts: Parts): Provider => {
  const { publicUrl, log, isUnavailable, notFoundPage } = parts;
  const provider = new Provider(issuerOf(publicUrl), configure(parts));
  pinAddress(provider, publicUrl);
  provider.use(async (context, next) => {
    await next();
    // The provider allows every origin to read what needs no credentials; only the portal calls it, and the portal is no browser.
    for (const name of Object.keys(context.response.headers)) if (name.startsWith('access-control-')) context.remove(name);
    if (context.status !== 404 || (context.body !== undefined && context.body !== null)) return;
    context.body = notFoundPage;
    context.type = 'html';
    context.status = 404;
  });
  provider.on('server_error', (context, error) => {
    log.error({ err: error }, 'identity: the provider failed');
    if (!isUnavailable(error)) return;
    // Its answer is made, and not sent yet.
    context.status = 503;
    context.set('retry-after', String(unavailableSeconds));
  });
  provider.on('authorization.error', (_context, error) =>
    log.info({ reason: error.error, detail: error.error_description }, 'identity: sign-in refused'),
  );
  provider.on('grant.error', (_context, error) =>
    log.info({ reason: error.error, detail: error.error_description }, 'identity: token refused'),
  );
  // Koa's own event, which the provider's types leave out; without a listener it is printed to the console.
  const application: EventEmitter = provider;
  application.on('error', (error: unknown) => log.error({ err: error }, 'identity: the provider failed'));
  return provider;
};
