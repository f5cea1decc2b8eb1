import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMatch } from './palette-match.ts';

// The `binary` unit of fast-check's own strings takes seconds to build.
const anyText = fc.array(fc.oneof(fc.nat(0x17f), fc.nat(0xff_ff), fc.nat(0x10_ff_ff))).map((points) => String.fromCodePoint(...points));

test.each([
  ['Umowa o kredyt hipoteczny', 'kred', [[8, 12]], 1],
  [
    'Umowa o kredyt hipoteczny',
    'HIPO umo',
    [
      [0, 3],
      [15, 19],
    ],
    1,
  ],
  ['Wyloguj się', 'wyl', [[0, 3]], 0],
  ['Zażółć gęślą jaźń', 'zolc', [[2, 6]], 2],
  ['Zazolc', 'żółć', [[2, 6]], 2],
  ['Aneks nr 1 (kopia)', '(kop', [[11, 15]], 1],
  ['aaa', 'aa a', [[0, 2]], 0],
])('“%s” is found by “%s”', (text, query, ranges, rank) => {
  expect(findMatch(text, query)).toEqual({ ranges, rank });
});

test('a word that is not there leaves the text out', () => {
  expect(findMatch('Dokumenty otrzymane', 'dokumenty wysłane')).toBeUndefined();
});

test('no words leave everything in', () => {
  expect(findMatch('Konto', '  ')).toEqual({ ranges: [], rank: 0 });
});

test('whatever is asked, the places lie in the text, in order and apart', () => {
  fc.assert(
    fc.property(anyText, fc.string(), fc.nat(), fc.nat(), (text, other, start, length) => {
      const part = text.slice(start % (text.length + 1)).slice(0, length % 8);
      const match = findMatch(text, `${part} ${other}`);
      const places = [[-1, -1] as const, ...(match?.ranges ?? [])];
      const ordered = places.every(([from, to], i) => i === 0 || (from > (places[i - 1]?.[1] ?? 0) && to > from && to <= text.length));
      expect(ordered).toBe(true);
    }),
  );
});

test('every part of a text that is one word finds it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-zĄąŁłŻż.(*]{1,20}$/), fc.nat(), fc.integer({ min: 1, max: 20 }), (text, start, length) => {
      const part = text.slice(start % text.length).slice(0, length);
      expect(findMatch(text, part.toUpperCase())).toBeDefined();
    }),
  );
});
