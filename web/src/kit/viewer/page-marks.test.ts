import { expect, test } from 'vitest';
import { createPageMarks } from './page-marks.ts';

/** Marks that fail as often as the test says, page by page. */
const setUp = (failures: Readonly<Record<number, number>> = {}) => {
  const left = new Map(Object.entries(failures).map(([page, times]) => [Number(page), times]));
  const asked: number[] = [];
  const marks = createPageMarks(async (page) => {
    asked.push(page);
    const times = left.get(page) ?? 0;
    if (times > 0) {
      left.set(page, times - 1);
      throw new Error(`page ${page}`);
    }
  });
  return { marks, asked };
};

test('reading on does not wait for the marks, finishing does', async () => {
  const { marks, asked } = setUp();
  marks.reach(1);
  marks.reach(2);
  await marks.settle();
  expect(asked).toEqual([1, 2]);
});

test('a mark that failed on the way is made up for at the end', async () => {
  const { marks, asked } = setUp({ 1: 1 });
  marks.reach(1);
  marks.reach(2);
  await marks.settle();
  expect(asked).toEqual([1, 2, 1]);
  await marks.settle();
  expect(asked).toEqual([1, 2, 1]);
});

test('a page that is shown after all is marked as shown behind the mark that it was not', async () => {
  const asked: string[] = [];
  const first = Promise.withResolvers<void>();
  const marks = createPageMarks(async (page, isShown) => {
    asked.push(`${page} ${isShown ? 'shown' : 'not shown'}`);
    if (!isShown) await first.promise;
  });
  marks.reach(1, false);
  marks.reach(1);
  const settled = marks.settle();
  first.resolve();
  await settled;
  expect(asked).toEqual(['1 not shown', '1 shown']);
});

test('a mark that cannot be made keeps the document from being finished, until it can', async () => {
  const { marks, asked } = setUp({ 2: 2 });
  marks.reach(2);
  await expect(marks.settle()).rejects.toThrow('page 2');
  await marks.settle();
  expect(asked).toEqual([2, 2, 2]);
});
