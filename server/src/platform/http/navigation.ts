import type { FastifyRequest } from 'fastify';

/** Whether a browser navigates to the address, as opposed to a script that fetches it. */
export const isNavigation = ({ headers }: FastifyRequest): boolean => {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
};
