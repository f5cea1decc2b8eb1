import { generateSync } from 'json-schema-faker';
import type { JsonSchema, Operation } from './operations.ts';
import type { Mutation, Oddity, Plan } from './plans.ts';

/** As it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Percent-encoded, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** In pieces, without saying how many bytes will come. */
  readonly isChunked: boolean;
}

/** What is right to send, as far as it is known without the schemas. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of a form; a Buffer is a file. */
  readonly form?: Readonly<Record<string, unknown>>;
  /** Neither JSON nor multipart. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly raw?: { readonly type: string; readonly text: string };
}

interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  form: Record<string, unknown> | undefined;
}

/** @NOTE `maxItems` applies to every array: one call may take a thousand groups of 50 000 members each. */
const generated = (schema: JsonSchema, seed: number): unknown =>
  generateSync(schema, { seed, optionalsProbability: 0.5, maxItems: 3, failOnInvalidTypes: false });

const generatedValues = (
  schemas: Readonly<Record<string, JsonSchema>>,
  { required, seed, known = {} }: { required: ReadonlySet<string>; seed: number; known?: Readonly<Record<string, unknown>> | undefined },
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schemas)
      .filter(([name], index) => required.has(name) || ((seed >> index) & 1) === 1)
      .map(([name, schema], index) => [name, Object.hasOwn(known, name) ? known[name] : generated(schema, seed + index)]),
  );

/** Generating is most of the work of a run: what an example gives is not made. */
const partsOf = ({ operation, seed, fromExample }: Plan, example: Example | undefined): Parts => {
  const { params, query, required, body, form } = operation;
  const known = example?.query;
  return {
    params: { ...generatedValues(params, { required, seed, known: example?.params }), ...example?.params },
    query: fromExample ? { ...known } : { ...generatedValues(query, { required, seed, known }), ...known },
    body: fromExample && example?.body !== undefined ? example.body : body && generated(body, seed),
    form: fromExample && example?.form !== undefined ? { ...example.form } : form && generatedValues(form, { required, seed }),
  };
};

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => value !== null && typeof value === 'object' && !Buffer.isBuffer(value);

interface Place {
  readonly within: Container;
  readonly name: string;
}

/** Every place in a value that can be replaced. */
const placesIn = (value: unknown): Place[] =>
  isContainer(value) ? Object.entries(value).flatMap(([name, inner]) => [{ within: value, name }, ...placesIn(inner)]) : [];

const valueAt = ({ within, name }: Place): unknown => Reflect.get(within, name);

const setOwn = (within: Container, name: string, given: unknown): void => {
  // The plans share their values: one that was put into itself would have no end.
  const value = structuredClone(given);
  // Own properties of any name, `__proto__` included.
  Object.defineProperty(within, name, { value, enumerable: true, configurable: true, writable: true });
};

const mutate = (parts: Parts, mutation: Mutation): void => {
  // The parts themselves stay what they are, but for the body, which may be anything.
  const all = placesIn(parts).filter(({ within, name }) => !Object.is(within, parts) || name === 'body');
  const places = mutation.kind === 'append' ? all.filter((place) => typeof valueAt(place) === 'string') : all;
  const place = places[mutation.place % Math.max(1, places.length)];
  if (place === undefined) return;
  const { within, name } = place;
  if (mutation.kind === 'replace') setOwn(within, name, mutation.value);
  else if (mutation.kind === 'append') setOwn(within, name, `${String(valueAt(place))}${mutation.value}`);
  else if (mutation.kind === 'add') setOwn(within, Array.isArray(within) ? String(within.length) : mutation.name, mutation.value);
  else if (Array.isArray(within)) within.splice(Number(name), 1);
  else Reflect.deleteProperty(within, name);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const encoded = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed());

const encodings: Partial<Record<Oddity, string>> = {
  'percent-encoded NUL': '%00',
  'percent-encoded half': '%ED%A0%80',
  'percent-encoded bytes': '%ff%fe',
  'broken percent encoding': '%ZZ',
};

const addressOf = ({ path }: Operation, { params, query }: Parts, oddity: Oddity | null): string => {
  const odd = oddity === null ? undefined : encodings[oddity];
  const hasParameter = path.includes('{');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${encoded(params[name])}${odd ?? ''}`);
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  if (odd !== undefined && !hasParameter) pairs.push(`${pairs.length > 0 ? Object.keys(query)[0] : 'x'}=${odd}`);
  if (oddity === 'repeated query') pairs.push(...pairs, 'x=1', 'x=2', 'x[]=3');
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
};

const boundary = 'fuzz-boundary';

const formOf = (parts: Readonly<Record<string, unknown>>): Buffer => {
  const lines = Object.entries(parts).flatMap(([name, value]) => {
    const label = name.replaceAll(/[^\w-]/g, '_');
    const isFile = Buffer.isBuffer(value) || name === 'file';
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${label}"${isFile ? '; filename="a.pdf"' : ''}\r\n\r\n`;
    return [Buffer.from(head), Buffer.isBuffer(value) ? value : Buffer.from(textOf(value)), Buffer.from('\r\n')];
  });
  return Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]);
};

const depth = 50_000;

const bodyChanges: Partial<Record<Oddity, (body: Buffer) => Buffer>> = {
  truncated: (body) => body.subarray(0, Math.floor(body.length / 2)),
  'doubled keys': (body) => Buffer.from(body.toString('latin1').replace(/\{"(\w+)":/, '{"$1":null,"$1":'), 'latin1'),
  'byte order mark': (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
  'invalid UTF-8': (body) => Buffer.from(body.toString('latin1').replace(/"([^"]*)"(?=[,}\]])/, '"$1\u00ff\u00c0\u0080"'), 'latin1'),
  'NUL behind the body': (body) => Buffer.concat([body, Buffer.from([0])]),
  'number too large': (body) => Buffer.from(body.toString('latin1').replace(/:-?\d+/, ':1e999'), 'latin1'),
  'deep nesting': () => Buffer.from(`{"text":${'['.repeat(depth)}${']'.repeat(depth)}}`),
  'empty body': () => Buffer.alloc(0),
};

const typeChanges: Partial<Record<Oddity, string>> = {
  'text/plain': 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
  'another charset': 'application/json; charset=utf-16',
  'multipart without a boundary': 'multipart/form-data',
};

const headerChanges: Partial<Record<Oddity, Record<string, string>>> = {
  'odd headers': {
    'accept-language': 'x'.repeat(2_000),
    'accept-encoding': 'zstd;q=9, *;q=-1,,',
    'if-none-match': '*, W/"',
    'if-modified-since': 'yesterday',
    'idempotency-key': '__proto__\u00ff',
    'user-agent': '\u00c3\u00a9\u00ff',
    'x-request-id': '${jndi:ldap://x}',
    expect: '',
  },
  'foreign origin': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  range: { range: 'bytes=5-2,0-0,999999999999999999-', 'if-range': '"x"' },
};

/** What is sent of a body by itself, without what is odd about it. */
const plainBody = (
  { operation }: Plan,
  { body, form }: Parts,
  example: Example | undefined,
): { type: string; bytes: Buffer } | undefined => {
  if (operation.form !== undefined) return { type: `multipart/form-data; boundary=${boundary}`, bytes: formOf(form ?? {}) };
  if (example?.raw !== undefined) return { type: example.raw.type, bytes: Buffer.from(example.raw.text) };
  return operation.body === undefined ? undefined : { type: 'application/json', bytes: Buffer.from(textOf(body)) };
};

/** The request of a plan, but for who asks. `example`: what is known to be right. */
export const requestOf = (plan: Plan, example: Example | undefined): WireRequest => {
  const { operation, oddity, mutations } = plan;
  const parts: Parts = structuredCloneWithFiles(partsOf(plan, example));
  for (const mutation of mutations) mutate(parts, mutation);
  const path = addressOf(operation, parts, oddity);
  const plain =
    plainBody(plan, parts, example) ?? (oddity === 'body of a GET' ? { type: 'application/json', bytes: Buffer.from('{}') } : undefined);
  const headers = { ...example?.headers, ...(oddity === null ? {} : headerChanges[oddity]) };
  if (plain === undefined) return { method: operation.method, path, headers, body: undefined, isChunked: false };
  const type = (oddity === null ? undefined : typeChanges[oddity]) ?? plain.type;
  const change = oddity === null ? undefined : bodyChanges[oddity];
  return {
    method: operation.method,
    path,
    headers: { ...headers, ...(oddity === 'no content type' ? {} : { 'content-type': type }) },
    body: change === undefined ? plain.bytes : change(plain.bytes),
    isChunked: oddity === 'chunked',
  };
};

/** Files are never changed within, and a clone of one would be no Buffer any more. */
const structuredCloneWithFiles = (parts: Parts): Parts => {
  const { form, ...rest } = parts;
  const clone = (value: unknown): unknown => (Buffer.isBuffer(value) ? value : structuredClone(value));
  return {
    ...structuredClone(rest),
    form: form === undefined ? undefined : Object.fromEntries(Object.entries(form).map(([name, value]) => [name, clone(value)])),
  };
};
