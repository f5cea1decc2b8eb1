import type { FastifyReply } from 'fastify';

/**
 * A connection that was silent for a minute is ended. From here on this one is not: its client is silent because it waits for us, and not we
 * for it. A request still ends with its own time. What is returned makes silence count again.
 */
export const ignoreSilence = ({ raw }: Pick<FastifyReply, 'raw'>): (() => void) => {
  // Without a listener Node ends the connection.
  const listen = (): void => {};
  raw.on('timeout', listen);
  return () => void raw.off('timeout', listen);
};
