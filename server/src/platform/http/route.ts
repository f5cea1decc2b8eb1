import type { Readable } from 'node:stream';
import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientCaller, PublisherCaller } from './caller.ts';
import type { PortalError } from './errors.ts';

/** A file or an image as an answer. Headers beyond the type are the room's own affair (names of downloads, cache rules). */
export interface Bytes {
  readonly body: Uint8Array | Readable;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** 206: a part. 304: the caller has it already. 416: a range that it does not have. */
  readonly status?: 206 | 304 | 416;
}

type CallerOf<C extends Call> = C['area'] extends 'protected'
  ? ClientCaller
  : C['area'] extends 'publisher'
    ? PublisherCaller
    : C extends { session: 'optional' }
      ? ClientCaller | undefined
      : undefined;

type Answer<C extends Call> = C['answer'] extends 'nothing'
  ? void
  : C['answer'] extends 'redirect'
    ? string
    : C['answer'] extends 'bytes'
      ? Bytes
      : AnswerOf<C>;

/** What a handler is given: validated parts of the request, and who calls. */
export interface Context<C extends Call> {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly caller: CallerOf<C>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A row of the contract with its handler; a PortalError thrown by the handler becomes the answer of its code. */
export interface Route {
  readonly call: Call;
  readonly handle: (context: Context<Call>) => Promise<unknown>;
  /** Body limit in bytes when it differs from the default of 256 KiB; multipart rooms set their own limits as they read. */
  readonly bodyLimit?: number;
  /** Takes the body of a form (urlencoded) and nothing else, as URLSearchParams in `request.body`. */
  readonly isForm?: boolean;
  /** For reports of other programs: takes any form or JSON, as URLSearchParams or the parsed value in `request.body`. */
  readonly isReport?: boolean;
  /** Where a navigation is redirected when it is refused; a script gets the error. */
  readonly leadBack?: (error: PortalError) => string;
}

/**
 * Binds a handler to a row of the contract. The answer is sent by the row: a schema's value as JSON, nothing as 204, a string of a redirect as
 * 303 with location, bytes as they are.
 */
export const route = <C extends Call>(
  call: C,
  handle: (context: Context<C>) => Promise<Answer<C>>,
  options: Pick<Route, 'bodyLimit' | 'isForm' | 'isReport' | 'leadBack'> = {},
): Route => ({
  call,
  // The row's own types are checked where route() is written; the table of routes holds them all under one shape.
  handle,
  ...options,
});
