import type { FastifyRequest } from 'fastify';

/**
 * Limits the bytes of a whole multipart body: the parser counts only the contents of its parts, and neither what it skips of them, nor what is
 * between them. Call it before the parts are read. Throws `error`, or makes the reading of the parts throw it.
 */
export const limitMultipart = ({ raw, headers }: FastifyRequest, { maxBytes, error }: { maxBytes: number; error: Error }): void => {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw error;
  let left = maxBytes;
  const count = (piece: Buffer): void => {
    left -= piece.length;
    if (left >= 0) return;
    raw.off('data', count);
    // Makes the parser stop.
    raw.emit('error', error);
  };
  // Not before the body is read: a listener would start the flow.
  raw.once('resume', () => raw.on('data', count));
};
