import { expect, test } from 'vitest';
import { readPattern } from './wildcards.ts';

test.each([
  ['%umowa%', 'umowa', true],
  ['umowa', 'umowa', false],
  ['%%', '', true],
  ['%', '%', false],
  ['%50\\%%', '50%', true],
  ['%a\\_b%', 'a_b', true],
  ['%a_b%c%', 'a_b%c', true],
  ['%back\\\\slash%', 'back\\slash', true],
  ['%end\\\\%', 'end\\', true],
  ['%escaped\\%', '%escaped%', false],
  ['%umowa', '%umowa', false],
  ['a\\nb', 'a\\nb', false],
  ['%two\nlines%', 'two\nlines', true],
])('%j asks for %j, anywhere: %j', (value, text, anywhere) => {
  expect(readPattern(value)).toEqual({ text, anywhere });
});

test('a long run of signs is read quickly', () => {
  expect(readPattern(`%${'\\'.repeat(100_001)}%`).anywhere).toBe(false);
  expect(readPattern(`%${'%_'.repeat(50_000)}`).anywhere).toBe(false);
});
