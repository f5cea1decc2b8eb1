import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';

export interface Asked {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly payload?: string | Uint8Array;
}

/**
 * To one process of several, under the name that a proxy would pass on: fetch does not let callers set Host. Rejects when the other side goes away
 * before it has answered.
 */
export const sendTo = async (port: number, host: string, { method = 'GET', url, headers = {}, payload = '' }: Asked) => {
  const asked = request({ agent: false, host: '127.0.0.1', port, method, path: url, headers: { host, ...headers } });
  asked.end(payload);
  const [answer] = await once(asked, 'response');
  return { statusCode: Number(answer.statusCode), headers: answer.headers, body: await text(answer) };
};

/** For what signs in: a server that is asked over the network. */
export const serverAt = (port: number, host: string): FastifyInstance => {
  const server: unknown = { inject: (asked: Asked) => sendTo(port, host, asked) };
  // Browsers of the tests use nothing else of it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return server as FastifyInstance;
};

/** A form as it goes over the wire. */
export const sentForm = async (form: FormData): Promise<{ headers: Record<string, string>; payload: Uint8Array }> => {
  const encoded = new Response(form);
  return { headers: { 'content-type': encoded.headers.get('content-type') ?? '' }, payload: new Uint8Array(await encoded.arrayBuffer()) };
};
