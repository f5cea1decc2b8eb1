import type { FastifyRequest } from 'fastify';

/** Whether a browser goes there and shows what it gets, as opposed to a script that asks. */
export const isNavigation = ({ headers }: FastifyRequest): boolean => {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
};
