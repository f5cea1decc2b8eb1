import type { FastifyRequest } from 'fastify';
import { PortalError } from './errors.ts';

/**
 * The second defence against cross-site requests (the first: no call accepts the cookie alone). Browsers send the origin of a request; a
 * cross-site one is refused with CALL_NOT_PERMITTED.
 */
export const requireSameOrigin = (request: FastifyRequest, publicUrl: URL): void => {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isOwn = (origin === undefined || origin === publicUrl.origin) && (site === undefined || site === 'same-origin' || site === 'none');
  if (isOwn) return;
  request.log.info({ address: request.ip }, 'call of another site refused');
  throw new PortalError('CALL_NOT_PERMITTED');
};
