import { describe, expect, test } from 'vitest';
import { holdsTag, readByteRange } from './byte-range.ts';

describe('of a hundred bytes', () => {
  test.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=50-1000', { start: 50, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
  ])('%s is a part', (header, range) => {
    expect(readByteRange(header, 100)).toEqual(range);
  });

  test.each(['bytes=100-', 'bytes=200-300', 'bytes=-0'])('%s is none', (header) => {
    expect(readByteRange(header, 100)).toBe('unsatisfiable');
  });

  test.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=9-0', 'bytes=a-b', 'bytes=0-1,5-6', 'pages=1-2', 'bytes=0-99999999999999999999'])(
    '%s is all of it',
    (header) => {
      expect(readByteRange(header, 100)).toBeUndefined();
    },
  );
});

test('a tag is found among others, weak or not', () => {
  expect(holdsTag('"a", W/"b"', '"b"')).toBe(true);
  expect(holdsTag('*', '"b"')).toBe(true);
  expect(holdsTag('"a"', '"b"')).toBe(false);
  expect(holdsTag(undefined, '"b"')).toBe(false);
});
