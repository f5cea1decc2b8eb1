import type { FastifyRequest } from 'fastify';

/**
 * Ends a multipart body that is larger than this: the parser counts what is in its parts, and neither what it skips of them, nor what stands
 * around them. To be called before the parts are read. Throws `error`, or has the reading of the parts throw it.
 */
export const limitMultipart = ({ raw, headers }: FastifyRequest, { maxBytes, error }: { maxBytes: number; error: Error }): void => {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw error;
  let left = maxBytes;
  const count = (piece: Buffer): void => {
    left -= piece.length;
    if (left >= 0) return;
    raw.off('data', count);
    // The parser gives up whatever it is at.
    raw.emit('error', error);
  };
  // Not before somebody reads: a listener would set the bytes flowing.
  raw.once('resume', () => raw.on('data', count));
};
