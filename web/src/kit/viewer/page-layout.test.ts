import { expect, test } from 'vitest';
import { layOutPages, movedY, pageAt } from './page-layout.ts';

const area = { width: 600, height: 800, gap: 24 };
const upright = { width: 595, height: 842 };
const pages = (count: number, zoom: 'width' | number = 'width', rotation: 0 | 90 = 0) =>
  layOutPages({ count, sizes: [upright], zoom, rotation, area });

test('pages lie below one another with a gap, and a margin below the last', () => {
  const { boxes, height, width } = pages(2);
  const tall = (600 * 842) / 595;
  expect(width).toBe(648);
  expect(boxes).toEqual([
    { top: 24, width: 600, height: tall },
    { top: 48 + tall, width: 600, height: tall },
  ]);
  expect(height).toBeCloseTo(48 + 2 * tall + 32);
});

test('the page at a place is found in the pages, in the gaps, above and below them all', () => {
  const layout = pages(5_000);
  const third = layout.boxes[2]?.top ?? 0;
  expect([0, 30, third - 1, third, third + 5].map((y) => pageAt(layout, y))).toEqual([1, 1, 2, 3, 3]);
  expect(pageAt(layout, layout.height + 100)).toBe(5_000);
});

test('pages of different sizes keep their own shape', () => {
  const { boxes } = layOutPages({ count: 2, sizes: [upright, { width: 842, height: 595 }], zoom: 100, rotation: 0, area });
  expect(boxes.map(({ width }) => Math.round(width))).toEqual([793, 1123]);
});

test('the same line stays where it was when pages grow, shrink or turn', () => {
  const [small, large] = [pages(9), pages(9, 200)];
  const [before, after] = [small.boxes[6], large.boxes[6]];
  if (before === undefined || after === undefined) throw new Error('there are nine pages');
  expect(movedY(small, large, before.top + before.height / 4)).toBeCloseTo(after.top + after.height / 4);
  // In the gap below a page, and above the first one, distances stay.
  expect(movedY(small, large, before.top + before.height + 10)).toBeCloseTo(after.top + after.height + 10);
  expect(movedY(small, large, 0)).toBe(0);
  expect(movedY(large, small, movedY(small, large, 3_000))).toBeCloseTo(3_000);
});
