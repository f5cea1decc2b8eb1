import { login, pathOf, returnFromService, sessionStorageKeys, signInLimits } from '@pergamin/contract';
import { call, CallError } from '#platform/api.ts';
import { currentLanguage, type TranslationKey } from '#platform/language.ts';

/** A new random verifier, kept in session storage until the code comes back (B2). */
export const newVerifier = (): string => {
  // Six bits a character: 48 random bytes fill 64 characters of the base64url alphabet exactly.
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array((signInLimits.verifierLength * 6) / 8)));
  sessionStorage.setItem(sessionStorageKeys.verifier, verifier);
  return verifier;
};

/** Reads the verifier and forgets it: it serves one attempt (B12). */
export const takeVerifier = (): string | undefined => {
  const verifier = sessionStorage.getItem(sessionStorageKeys.verifier) ?? undefined;
  sessionStorage.removeItem(sessionStorageKeys.verifier);
  return verifier;
};

/** The `state` of the redirect: base64 of `{challenge, method}`, the challenge being the verifier's SHA-256 in base64url. */
export const stateFor = async (verifier: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return btoa(JSON.stringify({ challenge: base64Url(new Uint8Array(digest)), method: 'S256' }));
};

/** The address that starts the sign-in at a service of its own (A12, B5). */
export const serviceAddress = async (serviceId: string): Promise<string> => {
  const state = await stateFor(newVerifier());
  return pathOf(returnFromService, { params: { serviceId }, query: { state, lang: currentLanguage() } });
};

/**
 * Posts the code with the verifier of this tab, which is removed in any case (B3, B12). Answers what a failure is told as, undefined with a
 * session.
 */
export const exchangeCode = async (code: string): Promise<TranslationKey | undefined> => {
  const verifier = takeVerifier();
  // Without the verifier of this tab the sign-in was begun elsewhere; the server would refuse the code.
  if (verifier === undefined) return 'signIn.unexpectedError';
  const form = new FormData();
  form.set('code', codeField(code, verifier));
  return call(login, { form }).then(() => undefined, failureOf);
};

/** What a failed sign-in is told as (B13): a code or assertion that is refused, or anything else, which may pass. */
export const failureOf = (error: unknown): TranslationKey => {
  const refused = error instanceof CallError && (error.code === 'INVALID_CREDENTIALS_ERROR' || error.code === 'VALIDATION_ERROR');
  return refused ? 'signIn.unexpectedError' : 'signIn.loginProblem';
};

/** The `code` field of `login`: base64 of the one-time code and the verifier. Both consist of ASCII only. */
export const codeField = (code: string, verifier: string): string => btoa(JSON.stringify({ code, v: verifier }));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
