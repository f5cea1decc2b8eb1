import { isErrorCode, requestOf, sessionHeaders, type AnswerOf, type Call, type CallInput, type ErrorCode } from '@pergamin/contract';
import * as z from 'zod/mini';
import { readContinued } from './continued-bytes.ts';
import { emit } from './events.ts';
import { keepError } from './last-error.ts';
import { isLeavingPage } from './page-leaving.ts';
import { clearSession, currentToken, storeFromResponse } from './session-token.ts';

/** Any refusal or failure of a call. `message` is for logs; what a customer reads comes from `errors.ts`. */
export class CallError extends Error {
  override readonly name = 'CallError';
  declare readonly code?: ErrorCode | undefined;
  /** A code that this client does not know, as the server wrote it. */
  declare readonly rawCode?: string | undefined;
  /** 0 when no response came. */
  declare readonly status: number;
  declare readonly fields?: Readonly<Record<string, string>> | undefined;
  declare readonly retryAfterMs?: number | undefined;
  /** The request carried a token. */
  declare readonly hadToken: boolean;

  constructor(message: string, failure: Omit<CallError, keyof Error>) {
    super(message);
    Object.assign(this, failure);
  }
}

const networkErrorMessage = 'Network Error';

export type ResultOf<C extends Call> = C['answer'] extends 'bytes' ? Blob : AnswerOf<C>;

/** Makes a call. Throws CallError, or fetch's AbortError; answers are not parsed again, as the contract check compares both sides. */
export const call = async <const C extends Call>(row: C, input: CallInput<C> & Way): Promise<ResultOf<C>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where an answer gets the type of its row
  (row.also?.[206] === 'bytes' ? await fetchContinued(row, input) : await answerOf(row, await callForStream(row, input))) as ResultOf<C>;

/** Like `call`, for rows whose answer is in the headers. */
export const callForHeaders = async <const C extends Call>(row: C, input: CallInput<C> & Way): Promise<Headers> =>
  (await callForStream(row, input)).headers;

/** Like `call`, for bytes that are too many to be held: the answer as it comes in. */
export const callForStream = <const C extends Call>(row: C, input: CallInput<C> & Way): Promise<Response> => {
  const { path, init } = requestOf(row, input);
  return exchange(path, { ...init, signal: input.signal ?? null }, input.transport);
};

/** A file of which a part can be asked for: a line that breaks on the way is waited for. */
const fetchContinued = async <const C extends Call>(row: C, input: CallInput<C> & Way): Promise<Blob> => {
  const { path, init } = requestOf(row, input);
  const ask = (headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    exchange(path, { ...init, headers, signal: input.signal ?? null }, input.transport);
  const isBroken = (error: unknown): boolean => input.signal?.aborted !== true && (!(error instanceof CallError) || error.status === 0);
  return readContinued(await ask(), { again: ask, isBroken });
};

/** Like `call`, for a text that says its own language. */
export const callForText = async <const C extends Call>(row: C, input: CallInput<C> & Way) => {
  const response = await callForStream(row, input);
  return { text: await response.text(), language: response.headers.get('content-language') ?? undefined };
};

/** A page image or another file by the path that a call answered with (F10). Only our own API is asked, for the token goes along. */
export const fetchBytes = async (path: string, signal?: AbortSignal): Promise<Blob> => {
  if (!path.startsWith('/api/')) throw new Error('Only paths of the portal itself are fetched');
  return (await exchange(path, { signal: signal ?? null })).blob();
};

/** What carries a request; `fetch` unless told. Fails as `fetch` does: by rejecting when no answer came. */
export type Transport = (path: string, init: RequestInit & { readonly headers: Headers }) => Promise<Response>;

interface Way {
  readonly signal?: AbortSignal | undefined;
  readonly transport?: Transport | undefined;
}

const exchange = async (path: string, init: RequestInit, transport: Transport = (...request) => fetch(...request)): Promise<Response> => {
  const token = currentToken();
  const hadToken = token !== undefined;
  const headers = new Headers(init.headers);
  if (hadToken) headers.set(sessionHeaders.token, token);
  const response = await transport(path, { ...init, headers, credentials: 'same-origin' }).catch((cause: unknown) => {
    if (init.signal?.aborted) throw cause;
    if (!isLeavingPage()) keepError(networkErrorMessage);
    throw new CallError(networkErrorMessage, { status: 0, hadToken });
  });
  // An answer that comes after a logout, or after another person signed in, says nothing about the present session.
  const stillOurs = currentToken() === token;
  if (stillOurs && response.status !== 401) storeFromResponse(response.headers);
  if (response.ok) return response;
  const error = await errorOf(response, hadToken);
  if (error.status === 401 && stillOurs) {
    clearSession();
    emit('sessionEnded', { hadToken });
  } else if (error.status === 403 && error.code === 'CALL_NOT_PERMITTED' && path.startsWith('/api/protected/'))
    emit('statuteRequired', undefined);
  throw error;
};

const answerOf = async (row: Call, response: Response): Promise<unknown> => {
  if (row.answer === 'bytes') return response.blob();
  if (row.answer === 'nothing' || row.answer === 'redirect') return undefined;
  return response.json().catch(() => {
    throw new CallError(`${row.name} was not answered with JSON`, { status: response.status, hadToken: currentToken() !== undefined });
  });
};

const refusal = z.object({ code: z.string(), message: z.optional(z.string()), fields: z.optional(z.record(z.string(), z.string())) });

const errorOf = async (response: Response, hadToken: boolean): Promise<CallError> => {
  const { data } = refusal.safeParse(await response.json().catch(() => undefined));
  return new CallError(data?.message ?? `The call was answered with ${response.status}`, {
    code: isErrorCode(data?.code) ? data?.code : undefined,
    rawCode: data?.code,
    status: response.status,
    fields: data?.fields,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    hadToken,
  });
};

/** Retry-After is a number of seconds or a date. */
const retryAfterMs = (header: string | null): number | undefined => {
  if (header === null) return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};
