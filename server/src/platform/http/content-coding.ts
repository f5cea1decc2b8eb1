import type { FastifyRequest } from 'fastify';

/** Whether the caller reads bodies that are compressed so. */
export const accepts = (request: FastifyRequest, coding: 'br' | 'gzip'): boolean =>
  (request.headers['accept-encoding'] ?? '')
    .split(',')
    .some((part) => part.trim().split(';')[0] === coding && !/;\s*q=0(\.0*)?$/.test(part));
