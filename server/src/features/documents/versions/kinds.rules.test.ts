import { expect, test } from 'vitest';
import { kindOf } from './kinds.rules.ts';

test.each([
  ['PUBLIC', 'STATEMENTS', 'public'],
  ['PUBLIC', null, 'public'],
  ['PRIVATE', 'STATEMENTS', 'statement'],
  ['PRIVATE', 'statements', 'private'],
  ['PRIVATE', null, 'private'],
  ['GROUP', null, 'private'],
] as const)('a document of type %s with the marker %s is in the list %s', (type, marker, kind) => {
  expect(kindOf({ type, marker })).toBe(kind);
});
