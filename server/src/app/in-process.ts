import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Identity } from '@pergamin/identity';
import type { CustomFetch } from 'openid-client';

type Body = Parameters<CustomFetch>[1]['body'];

const textOf = (body: Body): string => {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('only text is sent in process');
};

/**
 * Calls the embedded identity service without a connection: no port, no certificate and no host name have to be right for the portal to reach
 * its own part. It gets a request and a response of Node's classes, of which nothing is ever written to a socket.
 */
export const askInProcess =
  (identity: Pick<Identity, 'handle'>, publicUrl: URL): CustomFetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address);
    if (url.origin !== publicUrl.origin) throw new Error('the embedded identity service has no other address');
    const payload = textOf(body);
    const request = new IncomingMessage(new Socket());
    request.method = method === 'POST' ? 'POST' : 'GET';
    request.url = url.pathname + url.search;
    request.headers = {
      ...headers,
      host: publicUrl.host,
      ...(payload === '' ? {} : { 'content-length': String(Buffer.byteLength(payload)) }),
    };
    if (payload !== '') request.push(payload);
    request.push(null);
    // Otherwise the end looks like an aborted request, which is reported as an error.
    request.complete = true;
    const response = new ServerResponse(request);
    const chunks: (string | Uint8Array)[] = [];
    const keep = (chunk: unknown): void => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(chunk);
    };
    let isAnswered = false;
    Object.defineProperties(response, {
      write: { value: (chunk: unknown) => (keep(chunk), true) },
      end: {
        value: (chunk?: unknown) => {
          keep(chunk);
          isAnswered = true;
          return response;
        },
      },
    });
    await identity.handle(request, response, { address: '127.0.0.1' });
    if (!isAnswered) throw new Error('the embedded identity service gave no answer');
    const answered = new Headers();
    for (const [name, value] of Object.entries(response.getHeaders())) if (value !== undefined) answered.set(name, String(value));
    return new Response(chunks.length === 0 ? null : Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))), {
      status: response.statusCode,
      headers: answered,
    });
  };
