import { once } from 'node:events';
import { type Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { WireRequest } from './requests.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly ms: number;
}

const maxMs = 30_000;

/** One request over HTTP to a loopback port, and all of its answer. Rejects when the connection breaks before the answer. */
export const exchange = async (
  { method, path, headers, body, isChunked }: WireRequest,
  { port, agent }: { port: number; agent: Agent },
): Promise<Answer> => {
  const begun = performance.now();
  const length = body === undefined || isChunked ? {} : { 'content-length': String(body.length) };
  const asked = request({ host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length }, timeout: maxMs });
  asked.once('timeout', () => asked.destroy(new Error(`no answer within ${maxMs} ms`)));
  const answered = once(asked, 'response');
  // What is refused early is answered before its body was read; the answer is what counts.
  asked.on('error', () => {});
  if (isChunked && body !== undefined) for (let at = 0; at < body.length; at += 1_024) asked.write(body.subarray(at, at + 1_024));
  asked.end(isChunked ? undefined : body);
  const [response] = await answered;
  const whole = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body: whole, ms: performance.now() - begun };
};
