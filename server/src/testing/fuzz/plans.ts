import * as fc from 'fast-check';
import type { Operation } from './operations.ts';

/** Values that have broken programs before. */
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  'a\r\nb: c',
  '\u202efdp.exe',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' or 1=1 --",
  '%',
  '%_%\\',
  '\\',
  '{{constructor}}',
  '=cmd|calc',
  'infinity',
  'NaN',
  'null',
  '-1',
  '1e400',
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  'İ'.repeat(100),
  '💥'.repeat(40),
];
const lengths = [1, 63, 64, 65, 255, 256, 257, 514, 515, 2_000, 2_001, 4_096, 4_097, 70_000];
const numbers = [0, -0, -1, 0.5, 1e-320, 1e300, -1e300, 2 ** 31, 2 ** 53, 2 ** 63, 8.64e15, 8.64e15 + 2, -62_135_596_800_001];

const deep = (times: number): unknown => {
  let value: unknown = 1;
  for (let depth = 0; depth < times; depth += 1) value = depth % 2 === 0 ? [value] : { a: value };
  return value;
};

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...texts) },
  { weight: 2, arbitrary: fc.constantFrom(...lengths).map((length) => 'x'.repeat(length)) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(true, false, null, [], {}, [[]], ['a'], { a: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 70 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(20, 500).map(deep) },
);

/** Signs that a text must not bring where it is stored, compared or shown. */
const signs = ['\0', '\0', '\0', '\ud800', '\ud800', '\udc00', '\u202e', '%', '\\'];

/** One change of what is sent: `place` is the index of one of its values, for `append` of one of its texts. */
export type Mutation =
  | { readonly kind: 'replace'; readonly place: number; readonly value: unknown }
  | { readonly kind: 'append'; readonly place: number; readonly value: string }
  | { readonly kind: 'remove'; readonly place: number }
  | { readonly kind: 'add'; readonly place: number; readonly name: string; readonly value: unknown };

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('replace' as const), place: fc.nat(), value: hostile }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append' as const), place: fc.nat(), value: fc.constantFrom(...signs) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), place: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      place: fc.nat(),
      name: fc.constantFrom('__proto__', 'constructor', 'strange', 'id', '', 'a\0b', '\ud800'),
      value: hostile,
    }),
  },
);

/** What is malformed about the transport of a request, independent of its values. */
export const oddities = [
  'no content type',
  'text/plain',
  'urlencoded',
  'another charset',
  'multipart without a boundary',
  'truncated',
  'doubled keys',
  'byte order mark',
  'invalid UTF-8',
  'NUL behind the body',
  'number too large',
  'deep nesting',
  'empty body',
  'chunked',
  'body of a GET',
  'repeated query',
  'percent-encoded NUL',
  'percent-encoded half',
  'percent-encoded bytes',
  'broken percent encoding',
  'odd headers',
  'foreign origin',
  'range',
] as const;
export type Oddity = (typeof oddities)[number];

export interface Plan {
  readonly operation: Operation;
  /** The caller: mostly the one that the operation is meant for. */
  readonly actor: 'fitting' | 'anonymous' | 'client' | 'publisher';
  /** Of the values that are made from the schemas. */
  readonly seed: number;
  /** Begins with what is known to be right, where that is known. */
  readonly fromExample: boolean;
  /** The id for a parameter: one that fits, or one of the others (an index). */
  readonly id: 'fitting' | number;
  readonly mutations: readonly Mutation[];
  readonly oddity: Oddity | null;
}

/** So many requests, the same for the same seed. */
export const planRequests = (operations: readonly Operation[], { seed, count }: { seed: number; count: number }): Plan[] =>
  fc.sample(
    fc.record<Plan>({
      // What can be sent in a body is more than what fits into an address.
      operation: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...operations) },
        { weight: 2, arbitrary: fc.constantFrom(...operations.filter(({ body }) => body !== undefined)) },
      ),
      actor: fc.oneof(
        { weight: 8, arbitrary: fc.constant('fitting' as const) },
        { weight: 2, arbitrary: fc.constantFrom('anonymous' as const, 'client' as const, 'publisher' as const) },
      ),
      seed: fc.nat(),
      fromExample: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      id: fc.oneof({ weight: 3, arbitrary: fc.constant('fitting' as const) }, { weight: 1, arbitrary: fc.nat() }),
      mutations: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 4, arbitrary: fc.tuple(mutation) },
        { weight: 2, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 4 }) },
      ),
      oddity: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...oddities) }),
    }),
    { seed, numRuns: count },
  );
