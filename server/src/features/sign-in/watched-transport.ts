import type { CustomFetch } from 'openid-client';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import type { Outage } from '#platform/log/outages.ts';
import { ServiceUnreachable } from './service-refusal.ts';

/** A service that gives no answer, or one of 500 to 599, is away; every other answer shows that it is there. Throws ServiceUnreachable. */
export const watchedTransport =
  (transport: CustomFetch, outage: Outage): CustomFetch =>
  async (address, options) => {
    const away = (reason: string, cause?: unknown): ServiceUnreachable => {
      const error = new ServiceUnreachable(reason, { cause });
      outage.failed(error);
      return error;
    };
    const { pathname } = new URL(address);
    const response = await transport(address, options).catch((error: unknown) => {
      throw away(`${pathname}: ${error instanceof Error ? error.message : 'no answer'}`, error);
    });
    if (response.status >= 500) throw away(`${pathname}: HTTP ${response.status}`);
    outage.worked();
    return response;
  };

/** Whether a failure is that the service is away. Of the embedded service it is the database. */
export const isUnreachable = (error: unknown): boolean => {
  for (let cause = error, depth = 0; depth < 6 && cause instanceof Error; depth += 1, { cause } = cause)
    if (cause instanceof ServiceUnreachable || isDatabaseUnavailable(cause)) return true;
  return false;
};
