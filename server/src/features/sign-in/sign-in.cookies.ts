import { signInLimits } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type SignInCookies = ReturnType<typeof createSignInCookies>;

/** Ours have 43 characters; longer values are ignored. */
const maxLength = 100;
const secretPattern = /^[\w-]{43}$/;
/** Sign-ins that may be under way in the tabs of one browser; of more, the oldest have to begin anew. */
const maxBrowserSecrets = 4;
const separator = '.';

/**
 * On https the names carry `__Host-Http-`: no subdomain, no path and no script can set them. On http, which is allowed on loopback only, the
 * names are plain, since not every browser keeps Secure cookies there.
 * The browser's cookie is Lax: the way back from an identity service is a navigation that another site starts.
 */
export const createSignInCookies = (publicUrl: URL) => {
  const https = publicUrl.protocol === 'https:';
  const prefix = https ? '__Host-Http-' : '';
  const sessionName = `${prefix}portal`;
  const browserName = `${prefix}portal-tx`;
  const common = { path: '/', httpOnly: true, secure: https } as const;
  const session = { ...common, sameSite: 'strict' } as const;
  const browser = { ...common, sameSite: 'lax' } as const;
  const read = (request: FastifyRequest, name: string): string | undefined => {
    const value = request.cookies[name];
    return value === undefined || value === '' || value.length > maxLength ? undefined : value;
  };
  return {
    /** The session's secret, whose hash is in the token and in the row. */
    readSession: (request: FastifyRequest): string | undefined => read(request, sessionName),
    setSession: (reply: FastifyReply, secret: string): void => void reply.setCookie(sessionName, secret, session),
    clearSession: (reply: FastifyReply): void => void reply.clearCookie(sessionName, session),
    /** Each binds a sign-in that is under way to this browser: one for each tab that has begun one, the newest last. */
    readBrowser: (request: FastifyRequest): string[] =>
      (request.cookies[browserName] ?? '')
        .split(separator, maxBrowserSecrets + 1)
        .filter((secret) => secretPattern.test(secret))
        .slice(-maxBrowserSecrets),
    setBrowser(reply: FastifyReply, secrets: readonly string[]): void {
      const value = secrets.slice(-maxBrowserSecrets).join(separator);
      if (value === '') void reply.clearCookie(browserName, browser);
      else void reply.setCookie(browserName, value, { ...browser, maxAge: signInLimits.transactionLifetimeMs / 1_000 });
    },
  };
};
