import { logout, sessionHeaders } from '@pergamin/contract';
import { callForHeaders } from '#platform/api.ts';
import { tellLogout } from '#platform/cross-tab.ts';
import { clearSession, currentToken } from '#platform/session-token.ts';

const signInPage = '/login-ex';

/** Ends the session on the server and in every tab, here even when the server cannot be reached, and answers where to go (B9, B15). */
export const logOut = async (): Promise<string> => {
  const token = currentToken();
  const headers = await callForHeaders(logout, {}).catch(() => undefined);
  clearSession();
  const location = headers?.get('location') ?? '';
  const own = ownPath(location);
  // The service's own page of leaving is for one tab; the others go to ours.
  tellLogout({ token, to: own });
  return own ?? endSessionAddress(location, headers?.get(sessionHeaders.endSession) ?? '') ?? signInPage;
};

const ownPath = (location: string): string | undefined => {
  const target = URL.parse(location, globalThis.location.origin);
  if (location === '' || target === null || target.origin !== globalThis.location.origin) return undefined;
  return target.pathname + target.search;
};

/** As the settings have it for a service's issuer: without TLS on this very machine only. */
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

const isSafe = ({ protocol, hostname, username, password }: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))) && username === '' && password === '';

/** An address elsewhere is followed only when it is https and the server names, in another header, the end-session endpoint that it is of. */
const endSessionAddress = (location: string, endpoint: string): string | undefined => {
  const [target, allowed] = [URL.parse(location), URL.parse(endpoint)];
  if (target === null || allowed === null || !isSafe(target)) return undefined;
  return target.origin === allowed.origin && target.pathname === allowed.pathname ? target.href : undefined;
};
