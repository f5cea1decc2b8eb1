import type { Transport } from './api.ts';

interface UploadOptions {
  /** Sent as `Idempotency-Key`: the same key again gives the answer that got lost. */
  readonly key: string;
  /** How much of the body is on its way, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Carries a call whose form has a file, and tells how much of it has been sent: `fetch` does not, XMLHttpRequest does. */
export const uploading =
  ({ key, onProgress }: UploadOptions): Transport =>
  (path, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, path);
      request.responseType = 'text';
      headers.set('idempotency-key', key);
      for (const [name, value] of headers) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total);
      });
      request.addEventListener('load', () => resolve(responseOf(request)));
      request.addEventListener('error', () => reject(new TypeError('The upload was not answered')));
      request.addEventListener('abort', () => reject(signal?.reason));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body instanceof FormData ? body : null);
    });

/** An answer that may not have a body must not be given one. */
const withoutBody = new Set([204, 205, 304]);

const responseOf = (request: XMLHttpRequest): Response => {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const [name = '', ...value] = line.split(':');
    if (name.trim() !== '') headers.append(name.trim(), value.join(':').trim());
  }
  return new Response(withoutBody.has(request.status) ? null : request.responseText, { status: request.status, headers });
};
