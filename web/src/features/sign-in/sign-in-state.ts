import { sessionStorageKeys, signInLimits } from '@pergamin/contract';

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

/** The `code` field of `login`: base64 of the one-time code and the verifier. Both consist of ASCII only. */
export const codeField = (code: string, verifier: string): string => btoa(JSON.stringify({ code, v: verifier }));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
