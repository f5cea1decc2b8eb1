import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import type { CustomFetch } from 'openid-client';
import type { SignInService } from '#features/sign-in/sign-in.door.ts';

interface Claims {
  readonly nonce: string;
  readonly subject: string;
}

type MakeIdToken = (claims: Claims) => Promise<string> | string;

/** An outside identity service that answers as it is told, for what an honest one never does. */
export interface FakeIdentityService {
  readonly service: SignInService;
  readonly issuer: string;
  readonly clientId: string;
  /** The ID token that the next exchange of a code is answered with; the nonce is that of the address the browser was sent to. */
  answerWith(make: MakeIdToken, authorizationUrl: string): void;
  /** An ID token as it should be, but for what is given. */
  honestToken(
    claims: Claims,
    changes?: { audience?: string; issuer?: string; expiresInSeconds?: number; key?: KeyObject },
  ): Promise<string>;
  /** Signed with the public key as if it were a secret one. */
  tokenSignedWithPublicKey(claims: Claims): Promise<string>;
  unsignedToken(claims: Claims): string;
  /** Any other token, signed as its own unless a key is given. */
  sign(claims: Record<string, unknown>, header: { typ: string; key?: KeyObject; kid?: string }): Promise<string>;
  /** From now on it signs with another key, under another `kid`, and names only that one. */
  changeKeys(): void;
  /** How it answers everything, until the status is undefined again; 0: not at all. */
  answerAllWith(status: number | undefined): void;
  /** How often its keys were asked for. */
  keyRequests(): number;
}

const partnerIssuer = 'https://identity.partner.example';
const clientId = 'portal';

const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { status: 200, headers: { 'content-type': 'application/json' } });

export const createFakeIdentityService = (id: string, issuer = partnerIssuer): FakeIdentityService => {
  let keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let kid = 'one';
  let answersWith: number | undefined;
  const now = (): number => Math.floor(Date.now() / 1_000);

  const honestToken: FakeIdentityService['honestToken'] = ({ nonce, subject }, changes = {}) =>
    new SignJWT({ nonce, sid: 'a-session' })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(changes.issuer ?? issuer)
      .setAudience(changes.audience ?? clientId)
      .setSubject(subject)
      .setIssuedAt(now() - 400)
      .setExpirationTime(now() + (changes.expiresInSeconds ?? 300))
      .sign(changes.key ?? keys.privateKey);

  let makeIdToken: MakeIdToken = honestToken;
  let nonce = '';
  let keyRequests = 0;

  const transport: CustomFetch = async (address) => {
    const { pathname } = new URL(address);
    if (answersWith === 0) throw new Error('connect ECONNREFUSED');
    if (answersWith !== undefined) return new Response('{}', { status: answersWith });
    if (pathname === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      });
    if (pathname === '/keys') {
      keyRequests += 1;
      return json({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] });
    }
    return json({ access_token: 'unused', token_type: 'Bearer', id_token: await makeIdToken({ nonce, subject: '20000001' }) });
  };

  return {
    // Its pattern matches no typed id; signing in starts at the service itself.
    service: {
      id,
      issuer,
      clientId,
      clientSecret: 'secret',
      claim: 'sub',
      pattern: null,
      transport,
      sso: { issuer, jwksUrl: null, audience: 'portal' },
    },
    issuer,
    clientId,
    answerWith(make, authorizationUrl) {
      makeIdToken = make;
      nonce = new URL(authorizationUrl).searchParams.get('nonce') ?? '';
    },
    honestToken,
    tokenSignedWithPublicKey: ({ nonce, subject }) =>
      new SignJWT({ nonce })
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(Buffer.from(keys.publicKey.export({ format: 'pem', type: 'spki' }))),
    unsignedToken: ({ nonce, subject }) =>
      new UnsecuredJWT({ nonce })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime('5m')
        .encode(),
    sign: (claims, header) => {
      const { typ, key = keys.privateKey, kid: named = kid } = header;
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: named, typ }).sign(key);
    },
    changeKeys() {
      keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      kid = `${kid}-next`;
    },
    answerAllWith(status) {
      answersWith = status;
    },
    keyRequests: () => keyRequests,
  };
};
