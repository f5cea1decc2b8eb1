import type { FastifyRequest } from 'fastify';
import { PortalError } from './errors.ts';

/**
 * The second defence against cross-site requests (the first: no call accepts the cookie alone). Browsers say where a request comes from;
 * what another site started is refused with CALL_NOT_PERMITTED.
 */
export const requireSameOrigin = (request: FastifyRequest, publicUrl: URL): void => {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined && origin !== publicUrl.origin) throw new PortalError('CALL_NOT_PERMITTED');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new PortalError('CALL_NOT_PERMITTED');
};
