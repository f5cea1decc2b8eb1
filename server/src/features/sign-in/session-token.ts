import { createHmac, type KeyObject } from 'node:crypto';
import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import * as z from 'zod/mini';
import { isEqual } from '#platform/crypto/secrets.ts';

/** The claims of the browser's token. The session's row is the authority; this only finds it and binds it to the cookie. */
export interface SessionClaims {
  /** Subject: the personal id (B6). */
  readonly sub: string;
  /** The session's row. */
  readonly sid: string;
  /** How often the session had been refreshed when this was made. */
  readonly gen: number;
  /** SHA-256 of the cookie's secret, base64url. */
  readonly bnd: string;
  /** The absolute end of the session, in seconds since 1970. */
  readonly exp: number;
}

const claimsSchema = z.object({
  sub: z.string(),
  sid: z.uuid(),
  // Tokens from before there was a refresh do not say it.
  gen: z._default(z.int(), 0),
  bnd: z.string(),
  exp: z.int(),
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * HS256 with a type of its own. There is exactly one header, compared as text: a token that names another algorithm, or another kind of JWT, is
 * refused before anything of it is parsed.
 */
const header = encode({ alg: 'HS256', typ: 'portal-session+jwt' });

const maxLength = 1_000;

/** With a KeyObject this takes a third of the time that it takes with the key's bytes. */
const sign = (key: KeyObject, content: string): string => createHmac('sha256', key).update(content).digest('base64url');

export const createSessionToken = (key: KeyObject, claims: SessionClaims): string => {
  const content = `${header}.${encode(claims)}`;
  return `${content}.${sign(key, content)}`;
};

/** Undefined for anything that this installation did not sign. Does not check the expiry: the caller has the clock. */
const readSessionToken = (key: KeyObject, token: string): SessionClaims | undefined => {
  const end = token.lastIndexOf('.');
  if (token.length > maxLength || !token.startsWith(`${header}.`) || end <= header.length) return undefined;
  const content = token.slice(0, end);
  if (!isEqual(Buffer.from(sign(key, content)), Buffer.from(token.slice(end + 1)))) return undefined;
  const read = z.safeParse(claimsSchema, JSON.parse(Buffer.from(content.slice(header.length + 1), 'base64url').toString('utf8')));
  return read.success ? read.data : undefined;
};

/** Some 500 bytes each. */
const maxRemembered = 10_000;

/**
 * Reads tokens, and caches verified ones, so that a signature is verified once and not with each call. The cache holds
 * only the claims: whether the session lives is read from its row every time.
 */
export const createTokenReader = (key: KeyObject, maxTokens = maxRemembered): ((token: string) => SessionClaims | undefined) => {
  const remembered = createBoundedCache<SessionClaims>(maxTokens);
  return (token) => {
    const known = remembered.get(token);
    if (known !== undefined) return known;
    const claims = readSessionToken(key, token);
    if (claims !== undefined) remembered.set(token, claims);
    return claims;
  };
};
