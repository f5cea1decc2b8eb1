import type { IncomingMessage, ServerResponse } from 'node:http';
import { deviceLifetimeMs } from './accounts/devices.ts';
import { mountPath } from './parts.ts';
import { readCookie } from './read-cookie.ts';

const tokenPattern = /^[\w-]{43}$/;

/** The cookie of a known device. It grants nothing: the password is required all the same. */
export const createDeviceCookie = ({ https }: { https: boolean }) => {
  const name = https ? '__Secure-identity-device' : 'identity-device';
  return {
    read(request: IncomingMessage): string | undefined {
      const value = readCookie(request, name);
      return value !== undefined && tokenPattern.test(value) ? value : undefined;
    },

    set(response: ServerResponse, token: string): void {
      const attributes = [
        `Path=${mountPath}`,
        `Max-Age=${deviceLifetimeMs / 1_000}`,
        'HttpOnly',
        'SameSite=Lax',
        ...(https ? ['Secure'] : []),
      ];
      response.appendHeader('set-cookie', [`${name}=${token}`, ...attributes].join('; '));
    },
  };
};

export type DeviceCookie = ReturnType<typeof createDeviceCookie>;
