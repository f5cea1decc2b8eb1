import { logout } from '@pergamin/contract';
import { callForHeaders } from '#platform/api.ts';
import { tellLogout } from '#platform/cross-tab.ts';
import { clearSession } from '#platform/session-token.ts';

/**
 * Ends the session on the server and in every tab, and answers where to go (B9): the location the server names when it is ours, else the
 * sign-in page. What this browser holds is cleared even when the server cannot be reached.
 */
export const logOut = async (): Promise<string> => {
  const headers = await callForHeaders(logout, {}).catch(() => undefined);
  clearSession();
  tellLogout();
  return ownPath(headers?.get('location') ?? '') ?? '/login-ex';
};

const ownPath = (location: string): string | undefined => {
  const target = URL.parse(location, globalThis.location.origin);
  if (location === '' || target === null || target.origin !== globalThis.location.origin) return undefined;
  return target.pathname + target.search;
};
