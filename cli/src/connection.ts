import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnswerOf, type Call, type CallInput, errorBody, requestOf } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { RefusedError, UsageError } from './errors.ts';

export interface Connection {
  /** Throws RefusedError when the portal cannot be reached or refuses, UsageError when no key is at hand. */
  call<C extends Call>(call: C, input: CallInput<C>): Promise<AnswerOf<C>>;
  /** As `call`, for rows that answer with bytes: streamed. */
  open<C extends Call & { answer: 'bytes' }>(call: C, input: CallInput<C>): Promise<ReadableStream<Uint8Array>>;
}

const readKey = (environment: NodeJS.ProcessEnv): string => {
  const given = environment['PERGAMIN_KEY'];
  if (given !== undefined && given !== '') return given.trim();
  const path = join(environment['DATA_DIR'] ?? 'data', 'publisher.key');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageError(`no publisher's key: set PERGAMIN_KEY, or run where ${path} can be read`);
  }
};

const refusalOf = async (response: Response): Promise<RefusedError> => {
  if (response.status === 421)
    return new RefusedError('the portal is served under another name: set PERGAMIN_URL to its own address (PUBLIC_URL)');
  const read = safeParse(errorBody, await response.json().catch(() => undefined));
  const { status } = response;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(wait) ? wait : undefined;
  if (!read.success) return new RefusedError(`the portal answered ${status}`, { status, retryAfterSeconds });
  const { code, message, fields = {} } = read.data;
  const details = Object.entries(fields).map(([field, problem]) => `\n  ${field}: ${problem}`);
  return new RefusedError(`${code}: ${message}${details.join('')}`, { status, answer: read.data, retryAfterSeconds });
};

/** A client of the contract's calls, with the publisher's key where the call needs one. */
export const connect = (environment: NodeJS.ProcessEnv): Connection => {
  const url = environment['PERGAMIN_URL'] ?? 'http://localhost:8080';
  if (!URL.canParse(url)) throw new UsageError(`PERGAMIN_URL: ${url} is not an address`);
  const ask = async <C extends Call>(call: C, input: CallInput<C>): Promise<Response> => {
    const { path, init } = requestOf(call, input);
    const headers = new Headers(init.headers);
    if (call.area === 'publisher') headers.set('authorization', `Bearer ${readKey(environment)}`);
    let response: Response;
    try {
      response = await fetch(new URL(path, url), { ...init, headers });
    } catch (error) {
      throw new RefusedError(`the portal at ${url} could not be reached`, { cause: error });
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  };
  return {
    async open(call, input) {
      const { body } = await ask(call, input);
      if (body === null) throw new RefusedError('the portal sent an empty answer');
      return body;
    },
    async call(call, input) {
      const response = await ask(call, input);
      // The portal answers by the very schema that types this.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (response.status === 204 ? undefined : await response.json()) as AnswerOf<typeof call>;
    },
  };
};
