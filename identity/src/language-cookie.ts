import type { IncomingMessage, ServerResponse } from 'node:http';
import { readCookie } from './read-cookie.ts';

const name = 'lang';
const lifetimeS = 365 * 24 * 60 * 60;

/** The language that was chosen in this browser, here or in the portal, which reads it by script. */
export const createLanguageCookie = ({ https }: { https: boolean }) => ({
  read: (request: IncomingMessage): string | undefined => readCookie(request, name)?.toLowerCase(),

  set(response: ServerResponse, tag: string): void {
    const attributes = ['Path=/', `Max-Age=${lifetimeS}`, 'SameSite=Lax', ...(https ? ['Secure'] : [])];
    response.appendHeader('set-cookie', [`${name}=${tag.toUpperCase()}`, ...attributes].join('; '));
  },
});

export type LanguageCookie = ReturnType<typeof createLanguageCookie>;
