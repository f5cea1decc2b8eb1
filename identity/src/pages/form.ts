import type { IncomingMessage } from 'node:http';

/** The status with which a form is turned away before anything is done with it. */
export class FormRefusedError extends Error {
  override readonly name = 'FormRefusedError';
  readonly status: 403 | 413 | 415;

  constructor(status: 403 | 413 | 415) {
    super(`form refused with ${status}`);
    this.status = status;
  }
}

const maxBytes = 8 * 1024;

const refuseForeign = (request: IncomingMessage, origin: string): void => {
  const site = request.headers['sec-fetch-site'];
  if (request.headers.origin !== undefined && request.headers.origin !== origin) throw new FormRefusedError(403);
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new FormRefusedError(403);
};

/** Reads a small form of one of our own pages. Throws FormRefusedError for another site's, another content type and a large body. */
export const readForm = async (request: IncomingMessage, { origin }: { origin: string }): Promise<URLSearchParams> => {
  refuseForeign(request, origin);
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw new FormRefusedError(415);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Left early, an iterator destroys what it reads, and here the connection with it, before the error is sent.
  const stream: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FormRefusedError(413);
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
};
