import * as z from 'zod/mini';
import { authCall, openCall, protectedCall } from './call.ts';
import { openCallLimits, signInLimits } from './limits.ts';
import { keptText, languageCode, limitedText, patternedText, personalId, storableText } from './values.ts';

/** Names of headers and of the keys of the browser's session storage (B6, B18). */
export const sessionHeaders = {
  token: 'authorization',
  expiry: 'auth-expired-epoch',
  /** Of a logout whose location is elsewhere: the end-session endpoint of a configured service that it belongs to; else it is not followed (B15). */
  endSession: 'end-session-endpoint',
} as const;
/** B18; `verifier` is removed by the post that uses it (B12). */
export const sessionStorageKeys = {
  token: 'authorization',
  expiry: 'auth-expired-epoch',
  language: 'lang',
  verifier: 'v',
  error: 'error',
} as const;
/** B18, C6: `{personalId, version}` of the terms that were accepted in this browser. */
export const localStorageKeys = { statute: 'statute-accepted' } as const;

/** Service id of the embedded identity service. */
export const embeddedServiceId = 'pergamin';

/** The router takes no longer ones. */
const pathPartMaxLength = 4_096;

/** Any such id is well-formed; an unknown one is RESOURCE_NOT_FOUND. */
const serviceId = patternedText(/^[A-Za-z0-9_-]{1,64}$/, { maxLength: 64 });

/** `state` of B2: base64 of JSON `{challenge, method:"S256"}`; every other field is ignored. */
const stateParameter = keptText(signInLimits.stateMaxLength);

/** B1, B14. Throws RESOURCE_NOT_FOUND when no service is responsible for ids of this form. */
export const findSignInService = openCall({
  name: 'findSignInService',
  method: 'GET',
  path: '/api/open/sign-in/redirection/:personalId',
  perMinute: openCallLimits.signInsBegunPerMinute,
  summary: 'Whether a sign-in service exists for an id; decided by the id alone, never by looking an account up',
  params: z.object({ personalId: limitedText(pathPartMaxLength) }),
  answer: z.object({ redirection: z.literal(true) }),
});

/** B2. Throws RESOURCE_NOT_FOUND without a service for the id, CALL_NOT_PERMITTED with Retry-After while too many sign-ins are in progress. */
export const startSignIn = openCall({
  name: 'startSignIn',
  method: 'GET',
  path: '/api/open/redirect/login/:personalId',
  perMinute: openCallLimits.signInsBegunPerMinute,
  summary: 'Sends the browser to the identity service of this id',
  params: z.object({ personalId }),
  query: z.object({ state: stateParameter, lang: z._default(languageCode, 'PL') }),
  answer: 'redirect',
});

/** Two modes (B5): with `code` or `error` the return from the service; with only the portal's own state it starts at that service. */
export const returnFromService = openCall({
  name: 'returnFromService',
  method: 'GET',
  path: '/api/open/redirect/back/:serviceId',
  perMinute: openCallLimits.returnsPerMinute,
  summary: 'The way back from an identity service, or the start at a named one',
  params: z.object({ serviceId }),
  query: z.looseObject({ state: z.optional(stateParameter) }),
  answer: 'redirect',
});

/**
 * B3, B12: `code` is base64 of JSON `{code, v}`. One statement redeems the code, creates the session and ends the former one of this browser.
 * Throws INVALID_CREDENTIALS_ERROR for a code that is unknown, used, expired, or bound to another browser or verifier.
 */
export const login = authCall({
  name: 'login',
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Turns a one-time code and the browser’s verifier into a session: headers authorization and auth-expired-epoch, and a cookie',
  form: { code: 'field' },
  answer: 'nothing',
});

/** B9, B15. Throws ACCESS_DENIED without a living session. */
export const logout = authCall({
  name: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'Ends the session on the server at once; the location header says where to go',
  answer: 'nothing',
});

export const userInfo = z.object({
  personalId: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  managed: z.boolean(),
  /** Of mail, and the one shown first where none was chosen. */
  language: languageCode,
  /** Of a managed client: the service that keeps the password, and where it is changed (K3). */
  passwordService: z.optional(z.object({ name: z.string(), url: z.nullable(z.string()) })),
});
export type UserInfo = z.output<typeof userInfo>;

export const getSelf = protectedCall({
  name: 'getSelf',
  method: 'GET',
  path: '/api/protected/account/self/info',
  summary: 'Who is signed in',
  needsStatute: false,
  keepsSessionAlive: true,
  answer: userInfo,
});

/** Only the newest token of a session may refresh; the one before it still reads for ten seconds (parallel requests). */
export const refresh = authCall({
  name: 'refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  summary: 'A new token for the same session: headers authorization and auth-expired-epoch',
  answer: 'nothing',
});

/** `color`: background and text colour, separated by a space; both checked when the settings load (A8). */
export const signInOption = z.object({
  id: z.string(),
  name: z.string(),
  logo: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  color: z.string(),
});
export type SignInOption = z.output<typeof signInOption>;

export const listSignInOptions = openCall({
  name: 'listSignInOptions',
  method: 'GET',
  path: '/api/open/sign-in/extra',
  summary: 'Further ways to sign in, as buttons',
  answer: z.array(signInOption),
});

/** `id` is a one-time assertion of a configured issuer (a signed JWT), not an API token. The answer names its person, who may refuse. */
export const verifySso = openCall({
  name: 'verifySso',
  method: 'GET',
  path: '/api/open/sso/verify/:id',
  perMinute: openCallLimits.assertionsPerMinute,
  summary: 'Turns a single sign-on assertion into a one-time code bound to this browser',
  params: z.object({ id: storableText(pathPartMaxLength) }),
  query: z.object({ state: stateParameter }),
  answer: z.object({ code: z.string(), name: z.string() }),
});

/** Throws RESOURCE_NOT_FOUND for an unknown service. Specification: OpenID Connect Back-Channel Logout 1.0, sections 2.5 to 2.7. */
export const backchannelLogout = openCall({
  name: 'backchannelLogout',
  method: 'POST',
  path: '/api/open/backchannel-logout/:serviceId',
  perMinute: openCallLimits.logoutTokensPerMinute,
  summary: 'An identity service ends the sessions that began there (OpenID Connect Back-Channel Logout 1.0); body logout_token, urlencoded',
  params: z.object({ serviceId }),
  answer: 'nothing',
});
