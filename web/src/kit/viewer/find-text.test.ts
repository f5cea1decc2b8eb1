import type { PageText } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { boxesOf, findOnPage, foldPage, foldQuery } from './find-text.ts';

/** Each letter is two points wide, each line ten points high. */
const pageOf = (...lines: readonly string[][]): PageText => ({
  language: null,
  lines: lines.map((runs, index) => {
    let at = 0;
    return {
      x: 5,
      y: 10 * index,
      height: 10,
      angle: 0,
      runs: runs.map((text) => {
        const start = at;
        const ends = Array.from({ length: text.length }, (_, letter) => start + 2 * (letter + 1));
        at = (ends.at(-1) ?? at) + 20;
        return { at: start, text, ends };
      }),
    };
  }),
});
const find = (page: PageText, query: string) => findOnPage(foldPage(page), 1, foldQuery(query));

test('case and accents do not matter, on either side', () => {
  const page = pageOf(['Spłata RATY, rata']);
  expect(find(page, 'raty')).toHaveLength(1);
  expect(find(page, 'rat')).toHaveLength(2);
  expect(find(page, 'SPLATA')).toHaveLength(1);
  expect(find(page, 'spłatą')).toHaveLength(1);
  expect(find(page, 'ratę')).toHaveLength(0);
});

test('words are found over ends of lines and columns, and where a line’s end breaks them', () => {
  const page = pageOf(['umowa kre\u{AD}'], ['dytu  hipotecznego', '12,50']);
  expect(find(page, 'kredytu')).toEqual([
    {
      page: 1,
      parts: [
        { line: 0, run: 0, from: 6, to: 9 },
        { line: 1, run: 0, from: 0, to: 4 },
      ],
    },
  ]);
  expect(find(page, 'kredytu hipotecznego')).toHaveLength(1);
  expect(find(page, 'hipotecznego 12')).toHaveLength(1);
});

test('a hit lies where its letters lie', () => {
  const page = pageOf(['Ala ma kota'], ['a', 'kot']);
  const boxes = find(page, 'kot').map((hit) => boxesOf(hit, page));
  expect(boxes).toEqual([[{ x: 19, y: 0, width: 6, height: 10, angle: 0 }], [{ x: 27, y: 10, width: 6, height: 10, angle: 0 }]]);
});

test('in a line that runs upwards it lies along it', () => {
  const flat = pageOf(['abc']);
  const page = { ...flat, lines: flat.lines.map((line) => ({ ...line, y: 100, angle: -90 })) };
  const [box] = find(page, 'c').flatMap((hit) => boxesOf(hit, page));
  expect(box).toMatchObject({ width: 2, height: 10, angle: -90 });
  expect(box?.x).toBeCloseTo(5);
  expect(box?.y).toBeCloseTo(96);
});

test('in a line that is read from right to left it is counted from the right edge', () => {
  const flat = pageOf(['abcd'], ['ab', 'c']);
  const page = { ...flat, lines: flat.lines.map((line) => ({ ...line, rightToLeft: true })) };
  const boxes = find(page, 'b').flatMap((hit) => boxesOf(hit, page));
  expect(boxes.map(({ x, width }) => [x, width])).toEqual([
    [9, 2],
    [5 + 26 - 4, 2],
  ]);
});

test('hits do not overlap, an empty query finds nothing, and one of spaces neither', () => {
  expect(find(pageOf(['aaaa']), 'aa')).toHaveLength(2);
  expect(find(pageOf(['aaaa']), '')).toEqual([]);
  expect(find(pageOf(['a a']), '   ')).toEqual([]);
});
