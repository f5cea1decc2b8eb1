import {
  documentQuery,
  documentRow,
  errorBody,
  metadataMap,
  pageNumber,
  patternedText,
  publication,
  storableText,
} from '@pergamin/contract';
import { expect, test } from 'vitest';
import { checkSchemas, findSlowness, patternsIn, problemsOfSchema } from './check-patterns.ts';

/** A string as zod describes it, with these checks in this order. */
const string = (...checks: { check: string; abort?: boolean }[]) => ({
  _zod: { def: { type: 'string', checks: checks.map((def) => ({ _zod: { def } })) } },
});
const of = (def: object) => ({ _zod: { def } });

test.each([
  ['a length and a pattern behind it', patternedText(/^a+$/, { maxLength: 5 })],
  ['text that is kept', storableText(5)],
  ['a text that becomes a number', pageNumber],
  ['numbers, lists, words and what may be left out', documentQuery],
  ['keys and values of a record', publication],
])('a schema of %s raises nothing', (_what, schema) => {
  expect(problemsOfSchema(schema, 'x')).toEqual([]);
});

test.each([
  ['a string of any length', string(), 'without a greatest length'],
  ['a pattern without a length', string({ check: 'string_format' }), 'without a greatest length'],
  [
    'a pattern before the length',
    string({ check: 'string_format' }, { check: 'max_length', abort: true }),
    'string_format is judged before the length',
  ],
  [
    'a pattern that is tried although the text is too long',
    string({ check: 'max_length' }, { check: 'string_format' }),
    'the length lacks `abort`',
  ],
  [
    'a format of the library',
    of({ type: 'string', check: 'string_format', checks: string({ check: 'max_length', abort: true })._zod.def.checks }),
    'string_format is judged before the length',
  ],
  ['a kind that the check has never seen', of({ type: 'lazy' }), 'does not know lazy'],
])('%s is named', (_what, schema, problem) => {
  expect(problemsOfSchema(schema, 'x')).toEqual([expect.stringContaining(problem)]);
});

test('strings without a length are found wherever a schema holds them', () => {
  const places = problemsOfSchema(of({ type: 'object', shape: { map: metadataMap, row: documentRow, body: errorBody } }), 'x');
  expect(places.map((problem) => problem.split(':')[0])).toEqual([
    'x.map.(key)',
    'x.map.*',
    'x.row.id',
    'x.row.metadata.(key)',
    'x.row.metadata.*',
    'x.body.message',
    'x.body.fields.(key)',
    'x.body.fields.*',
    'x.body.requestId',
  ]);
});

test('every part that a call takes is checked, and what it answers is not', () => {
  const bad = metadataMap;
  const call = { name: 'call', params: bad, query: bad, body: bad, form: { description: bad, file: 'file' as const }, answer: bad };
  expect(new Set(checkSchemas([call]).map((problem) => problem.split('.')[0]))).toEqual(
    new Set(['call params', 'call query', 'call body', 'call description']),
  );
});

test.each([
  ['the address pattern that stood in the contract once', /^[^\s\p{Cc}\p{Cs}@<>"]+@[^\s\p{Cc}\p{Cs}@<>"]+\.[^\s\p{Cc}\p{Cs}@<>"]+$/u],
  ['one repetition within another', /^(a+)+$/],
  ['a trim by hand', /\s+$/],
])('%s is slow', async (_what, { source, flags }) => {
  expect(await findSlowness({ source, flags })).toMatch(/polynomial|exponential/);
});

test.each([/^[\w-]{1,400}$/, /^a+$/, /^(?!\.{1,2}$)[A-Za-z0-9._@-]{1,64}$/])('%s takes linear time', async ({ source, flags }) => {
  expect(await findSlowness({ source, flags })).toBeUndefined();
});

test('patterns are found in the code, not in its comments, and those that the code composes are named', () => {
  const source = `// /a+/\nconst a = /b+/g;\nconst c = new RegExp(given);\nconst d = RegExp(given);\nconst e = z.string().check(z.regex(/f/));`;
  expect(patternsIn('server/src/a.ts', source)).toEqual({
    patterns: [
      { source: 'b+', flags: 'g', place: 'server/src/a.ts:2' },
      { source: 'f', flags: '', place: 'server/src/a.ts:5' },
    ],
    problems: [
      expect.stringMatching(/:3: .*read off the page/),
      expect.stringMatching(/:4: .*read off the page/),
      expect.stringMatching(/:5: patternedText/),
    ],
  });
});
