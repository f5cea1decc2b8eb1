import type { JWTPayload } from 'jose';
import type { Configuration, CustomFetch } from 'openid-client';
import type { LanguageCode } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { Log } from '#platform/log/log.ts';
import { outagesOf } from '#platform/log/outages.ts';
import { createServiceKeys, type KeyUse, type ServiceKeys } from './service-keys.ts';
import { createServiceMetadata } from './service-metadata.ts';
import { TokenRefusal } from './service-refusal.ts';
import { assertAddress } from './service-transport.ts';
import { challengeOf, isPersonalId } from './sign-in.rules.ts';
import { watchedTransport } from './watched-transport.ts';

/** An OpenID Connect provider that people may sign in at: the embedded one, or an outside one by its issuer. */
export interface SignInService {
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim of the ID token that holds the personal id. Never an e-mail address: those change hands. */
  readonly claim: string;
  /** Which personal ids belong to this service, by their form alone; null: no typed id leads here, and the service may name any of its people. */
  readonly pattern: RegExp | null;
  /** A sign-in counts only with one of these `acr`, and with each of these `amr`; none: with any. */
  readonly acr?: readonly string[];
  readonly amr?: readonly string[];
  /** The issuer of assertions for single sign-on, when it is not the service itself with the keys of its metadata. */
  readonly sso?: { readonly issuer: string; readonly jwksUrl: string | null; readonly audience: string } | null;
  /** How requests reach it. */
  readonly transport: CustomFetch;
  /** It is a part of this process: its answers cross no network, so the signature of its tokens is not verified. */
  readonly isEmbedded?: boolean;
  /** It may be in the organisation's own network. */
  readonly privateNetwork?: boolean;
  /** Ends a session there, by the `sid` of the ID token, without the person's help. */
  readonly endSession?: (sid: string) => Promise<void>;
}

export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignedIn {
  readonly personalId: string;
  readonly serviceSession: string | null;
  readonly serviceSubject: string | null;
  readonly idToken: string | null;
}

export interface LogoutUrl {
  readonly url: string;
  readonly endpoint: string;
}

/** A signed token that a service sends beside signing in. */
interface TokenKind {
  readonly typ: string;
  readonly maxAgeSeconds: number;
}

export interface ServiceClient {
  readonly service: SignInService;
  /** Where to send the browser. */
  authorizationUrl(attempt: Attempt, wishes: { hint: string | null; language: LanguageCode }): Promise<string>;
  /** Turns the parameters the service sent the browser back with into a person. Throws for anything that does not fit the attempt. */
  complete(parameters: URLSearchParams, attempt: Attempt): Promise<SignedIn>;
  /** The claims of an assertion for single sign-on. Throws unless it is one, addressed to this portal, fresh and signed by the configured issuer. */
  verifyAssertion(token: string): Promise<JWTPayload>;
  /** The claims of a logout token, likewise. */
  verifyLogoutToken(token: string): Promise<JWTPayload>;
  /** Where the browser ends its session there, and the end point that this belongs to; undefined when the service has none. */
  findLogoutUrl(idToken: string): Promise<LogoutUrl | undefined>;
}

const timeoutSeconds = 5;
const maxMarkLength = 255;
/** It becomes a part of the address in a header, which proxies limit. */
const maxIdTokenLength = 4_096;
const algorithms = ['ES256', 'RS256'];
const toleranceSeconds = 5;

export const assertionKind: TokenKind = { typ: 'portal-sso+jwt', maxAgeSeconds: 60 };
export const logoutKind: TokenKind = { typ: 'logout+jwt', maxAgeSeconds: 120 };

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'end_session_endpoint'] as const;

/** With the first sign-in, as is what checks tokens. */
const loadOpenId = () => import('openid-client');
const loadJose = () => import('jose');

const discover = async (service: SignInService, transport: CustomFetch): Promise<Configuration> => {
  const openid = await loadOpenId();
  const issuer = new URL(service.issuer);
  const configuration = await openid.discovery(issuer, service.clientId, undefined, openid.ClientSecretBasic(service.clientSecret), {
    // Settings allow http on loopback only.
    execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
    timeout: timeoutSeconds,
    [openid.customFetch]: transport,
  });
  // Nothing is waited for on a line, and a timer for each sign-in would go off for nothing.
  if (service.isEmbedded === true) configuration.timeout = 0;
  const metadata = configuration.serverMetadata();
  const { issuer: named, privateNetwork = false } = service;
  for (const endpoint of endpoints)
    if (metadata[endpoint] !== undefined) assertAddress(new URL(metadata[endpoint]), { issuer: named, privateNetwork });
  return configuration;
};

const shortText = (value: unknown): string | null => (typeof value === 'string' && value.length <= maxMarkLength ? value : null);

const assertStrength = (claims: JWTPayload, { acr = [], amr = [] }: SignInService): void => {
  const used = Array.isArray(claims['amr']) ? claims['amr'].map(String) : [];
  if (acr.length > 0 && !acr.includes(String(claims['acr'])))
    throw new TokenRefusal('acr', { detail: 'signed in with another acr than the settings ask for' });
  if (!amr.every((method) => used.includes(method)))
    throw new TokenRefusal('amr', { detail: 'signed in without an amr that the settings ask for' });
};

/** The personal id that a token of this service names. Throws for none, and for one of another service's people. */
export const personalIdOf = (claims: JWTPayload, { claim, pattern }: SignInService): string => {
  const personalId = claims[claim];
  if (!isPersonalId(personalId)) throw new TokenRefusal('claim', { detail: `the claim ${claim} is missing or not a personal id` });
  if (pattern !== null && !pattern.test(personalId))
    throw new TokenRefusal('personal id', { detail: 'the personal id does not fit personalIds of this service', person: personalId });
  return personalId;
};

/** Its metadata are read when first needed, then hourly, and after a failure. */
interface Connection {
  readonly service: SignInService;
  readonly configure: () => Promise<Configuration>;
  readonly keys: ServiceKeys;
  /** Metadata that have become wrong would explain a failure. */
  readonly doubtful: <Result>(work: Promise<Result>) => Promise<Result>;
  /** The redirect URI: one per issuer, so that an answer of one service cannot be passed off as another's (mix-up). */
  readonly redirectUri: string;
  readonly publicUrl: URL;
  readonly clock: Clock;
}

/** All requests to one identity service. */
export const createServiceClient = (
  service: SignInService,
  { publicUrl, clock, log }: { publicUrl: URL; clock: Clock; log: Log },
): ServiceClient => {
  const transport =
    service.isEmbedded === true
      ? service.transport
      : watchedTransport(service.transport, outagesOf(log).of('identity', { which: service.id }));
  const onFailure = (error: unknown): void =>
    log.warn(
      { err: error, service: service.id },
      'the metadata of an identity service could not be refreshed; the former ones stay in use',
    );
  const metadata = createServiceMetadata(() => discover(service, transport), { clock, onFailure });
  const connection: Connection = {
    service,
    configure: () => metadata.current(),
    keys: createServiceKeys(transport, clock),
    async doubtful(work) {
      try {
        return await work;
      } catch (error) {
        metadata.doubt();
        throw error;
      }
    },
    redirectUri: new URL(`/api/open/redirect/back/${service.id}`, publicUrl).href,
    publicUrl,
    clock,
  };
  const verify = createVerify(connection);
  return {
    service,
    authorizationUrl: (attempt, wishes) => authorizationUrl(connection, attempt, wishes),
    complete: (parameters, attempt) => complete(connection, parameters, attempt),

    async verifyAssertion(token) {
      const { sso } = service;
      if (sso === undefined || sso === null) throw new TokenRefusal('no single sign-on');
      return verify(token, assertionKind, sso);
    },

    verifyLogoutToken: (token) => verify(token, logoutKind, { issuer: service.issuer, audience: service.clientId }),
    findLogoutUrl: (idToken) => findLogoutUrl(connection, idToken),
  };
};

const authorizationUrl = async (
  { service, configure, redirectUri }: Connection,
  { state, nonce, verifier }: Attempt,
  { hint, language }: Parameters<ServiceClient['authorizationUrl']>[1],
): Promise<string> => {
  const openid = await loadOpenId();
  const url = openid.buildAuthorizationUrl(await configure(), {
    redirect_uri: redirectUri,
    scope: 'openid',
    state,
    nonce,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    prompt: 'login',
    ui_locales: language.toLowerCase(),
    ...(hint === null ? {} : { login_hint: hint }),
    ...(service.acr === undefined || service.acr.length === 0 ? {} : { acr_values: service.acr.join(' ') }),
  });
  return url.href;
};

const complete = async (connection: Connection, parameters: URLSearchParams, { state, nonce, verifier }: Attempt): Promise<SignedIn> => {
  const { service, configure, doubtful, redirectUri } = connection;
  const openid = await loadOpenId();
  const returned = new URL(redirectUri);
  returned.search = parameters.toString();
  const tokens = await doubtful(
    openid.authorizationCodeGrant(await configure(), returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  );
  const claims = tokens.claims();
  const idToken = tokens.id_token ?? '';
  if (claims === undefined) throw new TokenRefusal('no ID token');
  if (service.isEmbedded !== true) await doubtful(verifySignature(connection, idToken));
  assertStrength(claims, service);
  return {
    personalId: personalIdOf(claims, service),
    serviceSession: shortText(claims['sid']),
    serviceSubject: shortText(claims.sub),
    // The embedded service ends its session without it.
    idToken: service.endSession !== undefined || idToken.length > maxIdTokenLength ? null : idToken,
  };
};

const findLogoutUrl = async ({ configure, publicUrl }: Connection, idToken: string): Promise<LogoutUrl | undefined> => {
  const known = await configure();
  const endpoint = known.serverMetadata().end_session_endpoint;
  if (endpoint === undefined) return undefined;
  const { buildEndSessionUrl } = await loadOpenId();
  const { href } = buildEndSessionUrl(known, {
    id_token_hint: idToken,
    post_logout_redirect_uri: new URL('/login-ex', publicUrl).href,
  });
  return { url: href, endpoint };
};

interface From {
  readonly issuer: string;
  readonly audience: string;
  /** Left out: the keys of the service's metadata. */
  readonly jwksUrl?: string | null;
}

/** The keys of the service, at the address that its metadata name unless the settings name another one. */
const findKeys = async ({ configure, keys }: Connection, use: KeyUse, jwksUrl?: string | null) => {
  const address = jwksUrl ?? (await configure()).serverMetadata().jwks_uri;
  if (address === undefined) throw new TokenRefusal('keys of the service', { detail: 'its metadata name no keys' });
  return keys(await loadJose(), address, use);
};

/** Of an ID token, whose claims were checked already. */
const verifySignature = async (connection: Connection, idToken: string): Promise<void> => {
  const { compactVerify } = await loadJose();
  await compactVerify(idToken, await findKeys(connection, 'signIn'), { algorithms });
};

/** Checks a token that is sent beside signing in. */
const createVerify = (connection: Connection) => {
  const { doubtful, clock } = connection;
  return async (token: string, kind: TokenKind, { issuer, audience, jwksUrl }: From): Promise<JWTPayload> => {
    const jose = await loadJose();
    // Checked before any key is fetched.
    if (jose.decodeProtectedHeader(token).typ?.toLowerCase() !== kind.typ)
      throw new TokenRefusal('typ', { detail: `not a token of the type ${kind.typ}` });
    const verified = jose.jwtVerify(token, await findKeys(connection, 'messages', jwksUrl), {
      issuer,
      audience,
      algorithms,
      typ: kind.typ,
      maxTokenAge: kind.maxAgeSeconds,
      clockTolerance: toleranceSeconds,
      currentDate: clock.now(),
      requiredClaims: ['iat', 'jti'],
    });
    return (await doubtful(verified)).payload;
  };
};
