import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnswerOf, type Call, type CallInput, errorBody, requestOf } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { connectionProblem } from './connection-problem.ts';
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

interface PortalAddress {
  readonly url: string;
  /** The setting that names it; undefined: none does. */
  readonly setting: string | undefined;
}

/** On the portal's machine, where its settings are, nothing else has to be set. */
const addressOf = (environment: NodeJS.ProcessEnv): PortalAddress => {
  for (const setting of ['PERGAMIN_URL', 'PUBLIC_URL']) {
    const url = environment[setting] ?? '';
    if (url === '') continue;
    if (!URL.canParse(url)) throw new UsageError(`${setting}: ${url} is not an address`);
    return { url, setting };
  }
  const port = environment['PORT'] ?? '';
  return /^\d{1,5}$/.test(port)
    ? { url: `http://localhost:${port}`, setting: 'PORT' }
    : { url: 'http://localhost:8080', setting: undefined };
};

const unreachable = ({ url, setting }: PortalAddress, error: unknown): RefusedError => {
  const named = setting === undefined ? `${url} (set PERGAMIN_URL where it is elsewhere)` : `${url} (${setting})`;
  const problem = connectionProblem(error);
  const reason = problem === undefined ? '' : `: ${problem.sentence}`;
  return new RefusedError(`the portal at ${named} could not be reached${reason}`, { cause: error, isLasting: problem?.isLasting });
};

/** A client of the contract's calls, with the publisher's key where the call needs one. */
export const connect = (environment: NodeJS.ProcessEnv): Connection => {
  const address = addressOf(environment);
  const { url } = address;
  const ask = async <C extends Call>(call: C, input: CallInput<C>): Promise<Response> => {
    const { path, init } = requestOf(call, input);
    const headers = new Headers(init.headers);
    if (call.area === 'publisher') headers.set('authorization', `Bearer ${readKey(environment)}`);
    let response: Response;
    try {
      response = await fetch(new URL(path, url), { ...init, headers });
    } catch (error) {
      throw unreachable(address, error);
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
