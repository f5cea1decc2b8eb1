import type { ZodMiniType } from 'zod/mini';
import type * as z from 'zod/mini';

/** Which of the areas a call belongs to (A16). The path prefix of an area is the same everywhere; `system` is health, languages and the like. */
export type Area = 'open' | 'protected' | 'auth' | 'publisher' | 'system';

/** A test walks all rows: the path of each begins with the prefix of its area (A16). */
export const areaPrefixes: Record<Exclude<Area, 'system'>, string> = {
  open: '/api/open/',
  protected: '/api/protected/',
  auth: '/api/auth/',
  publisher: '/api/publisher/',
};

type Schema = ZodMiniType;

/**
 * One row of the contract. `path` is absolute with `:name` parameters. `answer` is a schema (JSON), or another kind of answer:
 * `nothing` (204), `redirect` (303 with location) or `bytes` (a file or an image).
 */
export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly area: Area;
  readonly summary: string;
  /** Protected calls only: refused with CALL_NOT_PERMITTED until the statute in force is accepted (C3). */
  readonly needsStatute: boolean;
  /** Protected calls only: a user's own action slides the idle expiry; polling and images do not (B19). */
  readonly keepsSessionAlive: boolean;
  /** Open calls only: a session is optional, and names the caller when it is sent. One that has ended is refused as in protected calls. */
  readonly session?: 'optional';
  /** Calls a minute of one network, of one client or of one key, where they are counted apart from the others of the area (`callLimits`). */
  readonly perMinute?: number;
  /**
   * The cost of a call; it decides how many calls of one caller run concurrently while the others queue. `heavy`: may scan many rows. `stream`:
   * sends a whole file. Left out: cheap.
   */
  readonly load?: 'heavy' | 'stream';
  /** Publisher calls only: the scope that the key must hold. */
  readonly scope?: PublisherScope;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Multipart calls: the parts by name; `file` parts are streamed, `field` parts are text, a schema's part is its value as JSON text. */
  readonly form?: Readonly<Record<string, 'file' | 'field' | Schema>>;
  readonly answer: Schema | 'nothing' | 'redirect' | 'bytes';
  /** Of an answer by schema, when it is not 200. */
  readonly status?: 201;
  /** Answers beside it that are no errors: a part (206), none since a kept copy is right (304), no such part (416), or another state (503). */
  readonly also?: Readonly<Partial<Record<206 | 304 | 416 | 503, Schema | 'bytes' | 'nothing'>>>;
  /** GET calls only: HEAD tells what GET would answer, and marks nothing. System calls have it anyway. */
  readonly answersHead?: true;
}

/**
 * A file that is sent whole or from where a copy of it broke off. Its entity tag is the SHA-256 of all of it, for If-Range. Several ranges at once
 * are answered with all of it.
 */
export const wholeOrPart = {
  load: 'stream',
  answer: 'bytes',
  answersHead: true,
  also: { 206: 'bytes', 416: 'nothing' },
} as const;

/** What a publisher’s key may allow, one by one; a call without its scope is CALL_NOT_PERMITTED (R1). */
export const publisherScopes = [
  'documents:publish',
  'documents:release',
  'documents:read',
  'documents:status',
  'documents:hold',
  'documents:retain',
  'documents:forget',
  'documents:remove-early',
  'clients:write',
  'statutes:publish',
  'dictionaries:write',
  'metadata:write',
  'categories:write',
  'configuration:read',
  'received:read',
  'received:acknowledge',
  'notices:read',
  'notices:bounce',
  'webhooks:read',
  'webhooks:retry',
  'demo:remove',
] as const;
export type PublisherScope = (typeof publisherScopes)[number];

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

export type ParamsOf<C extends Call> = Output<C['params']>;
export type QueryOf<C extends Call> = Output<C['query']>;
export type BodyOf<C extends Call> = Output<C['body']>;
export type AnswerOf<C extends Call> = C['answer'] extends Schema ? z.output<C['answer']> : undefined;

type Part<Name extends string, S> = S extends Schema ? { [K in Name]: Input<S> } : { [K in Name]?: undefined };

/** A query of which nothing is required need not be handed in. */
type Query<S> = S extends Schema
  ? Partial<Input<S>> extends Input<S>
    ? { query?: Input<S> }
    : { query: Input<S> }
  : { query?: undefined };

/** What a caller hands in: the parts that the row declares, and a FormData for multipart rows. */
export type CallInput<C extends Call> = Part<'params', C['params']> &
  Query<C['query']> &
  Part<'body', C['body']> &
  (C['form'] extends object ? { form: FormData } : { form?: undefined });

/** The annotation on it and on its like lets a bundler leave out the rows that a page does not call. */
/* @__NO_SIDE_EFFECTS__ */
const row = <const C extends Omit<Call, 'needsStatute' | 'keepsSessionAlive'> & { needsStatute: boolean; keepsSessionAlive: boolean }>(
  call: C,
): C => call;

type Row = Omit<Call, 'area' | 'needsStatute' | 'keepsSessionAlive'>;

/* @__NO_SIDE_EFFECTS__ */
export const openCall = <const R extends Row>(call: R): R & { area: 'open'; needsStatute: false; keepsSessionAlive: false } =>
  row({ ...call, area: 'open', needsStatute: false, keepsSessionAlive: false });

/* @__NO_SIDE_EFFECTS__ */
export const authCall = <const R extends Row>(call: R): R & { area: 'auth'; needsStatute: false; keepsSessionAlive: false } =>
  row({ ...call, area: 'auth', needsStatute: false, keepsSessionAlive: false });

/* @__NO_SIDE_EFFECTS__ */
export const systemCall = <const R extends Row>(call: R): R & { area: 'system'; needsStatute: false; keepsSessionAlive: false } =>
  row({ ...call, area: 'system', needsStatute: false, keepsSessionAlive: false });

/* @__NO_SIDE_EFFECTS__ */
export const publisherCall = <const R extends Row & { scope: PublisherScope }>(
  call: R,
): R & { area: 'publisher'; needsStatute: false; keepsSessionAlive: false } =>
  row({ ...call, area: 'publisher', needsStatute: false, keepsSessionAlive: false });

/* @__NO_SIDE_EFFECTS__ */
export const protectedCall = <const R extends Row & { needsStatute: boolean; keepsSessionAlive: boolean }>(
  call: R,
): R & { area: 'protected' } => row({ ...call, area: 'protected' });
