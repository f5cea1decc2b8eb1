import { expect, test } from 'vitest';
import { nextPart, wrongPart } from './print-pages.ts';

const bounds = { count: 250, most: 100 };

test('a long document is printed in parts that follow one another', () => {
  const parts = [];
  for (let to = 0; to < bounds.count; to = parts.at(-1)?.to ?? bounds.count) parts.push(nextPart(to, bounds));
  expect(parts).toEqual([
    { from: 1, to: 100 },
    { from: 101, to: 200 },
    { from: 201, to: 250 },
  ]);
});

test('pages that do not exist, in the wrong order, or too many, are refused', () => {
  expect(wrongPart({ from: 1, to: 100 }, bounds)).toBeUndefined();
  expect(wrongPart({ from: 250, to: 250 }, bounds)).toBeUndefined();
  for (const part of [
    { from: 0, to: 5 },
    { from: 6, to: 5 },
    { from: 200, to: 251 },
  ])
    expect(wrongPart(part, bounds)).toBe('pages');
  expect(wrongPart({ from: 1, to: 101 }, bounds)).toBe('tooMany');
});
