/** The service gave no answer, or said that it cannot answer now. Not a refusal: later it may work. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** What is wrong with a token, or with whom it names. */
export class TokenRefusal extends Error {
  override readonly name = 'TokenRefusal';
  /** One of few words. */
  readonly what: string;
  /** Whom a token of the service names, where that is known. */
  readonly person: string | undefined;

  constructor(what: string, { detail = what, person }: { detail?: string; person?: string } = {}) {
    super(detail);
    this.what = what;
    this.person = person;
  }
}

/** What does not fit, in one of few words, and what the operator needs to put it right. */
export interface Misfit {
  readonly what: string;
  readonly detail: string;
}

const ofClaims: Readonly<Record<string, string>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  exp: 'expiry',
  nbf: 'expiry',
  iat: 'expiry',
  auth_time: 'expiry',
  sub: 'subject',
  jti: 'jti',
  typ: 'typ',
};

const ofCodes: Readonly<Record<string, string>> = {
  // jose
  ERR_JWKS_NO_MATCHING_KEY: 'kid',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'kid',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'algorithm',
  ERR_JWT_EXPIRED: 'expiry',
  ERR_JWS_INVALID: 'form of the token',
  ERR_JWT_INVALID: 'form of the token',
  ERR_JWKS_INVALID: 'keys of the service',
  // oauth4webapi
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'issuer of the metadata',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'answer of the service',
  OAUTH_RESPONSE_IS_NOT_JSON: 'answer of the service',
  OAUTH_PARSE_ERROR: 'answer of the service',
};

const ofSentences: readonly (readonly [RegExp, string])[] = [
  [/"alg"/, 'algorithm'],
  [/"iss"/, 'issuer'],
  [/"aud"/, 'audience'],
  [/"nonce"/, 'nonce'],
  [/"exp"|"nbf"|"iat"/, 'expiry'],
  [/signature/, 'signature'],
  [/state/, 'state'],
  [/unsupported operation/, 'algorithm'],
];

/** Of OAuth 2.0 and OpenID Connect; any other word is the browser's own and not repeated. */
const answers = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unmet_authentication_requirements',
  'unsupported_response_type',
]);

const maxCauses = 5;

const causesOf = (error: unknown): Record<string, unknown>[] => {
  const causes: Record<string, unknown>[] = [];
  for (let cause = error; causes.length < maxCauses && typeof cause === 'object' && cause !== null;) {
    const { ...fields } = cause;
    const { message, cause: next } = cause as { message?: unknown; cause?: unknown };
    causes.push({ ...fields, message });
    cause = next;
  }
  return causes;
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Issuers and audiences are names, no secrets. */
const gotOf = (claim: string, causes: readonly Record<string, unknown>[]): string => {
  if (claim !== 'iss' && claim !== 'aud') return '';
  for (const { claims, payload } of causes) {
    const told: unknown = claims ?? payload;
    const value: unknown = typeof told === 'object' && told !== null ? Reflect.get(told, claim) : undefined;
    if (value !== undefined) return `; the token says ${JSON.stringify(value).slice(0, 200)}`;
  }
  return '';
};

/** Names what an identity service, or a token of it, has got wrong. Repeats no token. */
export const findMisfit = (error: unknown): Misfit => {
  if (error instanceof TokenRefusal) return { what: error.what, detail: error.message };
  const causes = causesOf(error);
  const messages = causes.flatMap(({ message }) => textOf(message) ?? []);
  const detail = (messages.at(-1) ?? 'unknown').slice(0, 300);
  const answer = causes.map((cause) => textOf(cause['error'])).find((word) => word !== undefined);
  if (answer !== undefined) return { what: `answer ${answers.has(answer) ? answer : 'of an unknown kind'}`, detail: 'the service refuses' };
  const claim = causes.map((cause) => textOf(cause['claim'])).find((name) => name !== undefined);
  if (claim !== undefined && Object.hasOwn(ofClaims, claim)) {
    const what = ofClaims[claim] ?? claim;
    return { what, detail: `${detail}${gotOf(claim, causes)}` };
  }
  const sentence = messages.toReversed().flatMap((message) => ofSentences.find(([pattern]) => pattern.test(message))?.[1] ?? []);
  const code = causes.map((cause) => ofCodes[String(cause['code'])]).find((what) => what !== undefined);
  return { what: code ?? sentence[0] ?? 'something else', detail };
};

/** The service says of itself that it cannot work at the moment. */
export const saysLater = ({ what }: Misfit): boolean => what === 'answer temporarily_unavailable' || what === 'answer server_error';
