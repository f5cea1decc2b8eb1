import { expect, test } from 'vitest';
import { measure, median } from './measure.ts';
import { PeerAbsent, type Promised } from './promise.ts';
import { tableOf } from './table.ts';

const promised = (values: { ours: number[]; floor?: number[] }, limit: number): Promised => {
  const take = (from: number[]) => async (): Promise<number> => from.shift() ?? Number.NaN;
  return {
    name: 'example',
    promise: 'an example',
    unit: 'ms',
    limit,
    rounds: values.ours.length,
    open: async () => ({
      ours: take(values.ours),
      ...(values.floor === undefined ? {} : { floor: take(values.floor) }),
      [Symbol.asyncDispose]: async () => {},
    }),
  };
};

test('the median is the one in the middle, or half-way between the two', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

test('one round that the machine disturbed does not decide', async () => {
  const outcome = await measure(promised({ ours: [2, 2, 90, 2, 2], floor: [1, 1, 1, 1, 1] }, 2));
  expect(outcome).toMatchObject({ ours: 2, floor: 1, ratio: 2, isKept: true });
});

test('a machine that slows down half-way slows down both', async () => {
  const outcome = await measure(promised({ ours: [2, 2, 8, 8, 8], floor: [1, 1, 4, 4, 4] }, 2));
  expect(outcome).toMatchObject({ ratio: 2, isKept: true });
});

test('a ratio over the limit is a broken promise, and the table says so', async () => {
  const outcome = await measure(promised({ ours: [3.1], floor: [1] }, 3));
  expect(outcome.isKept).toBe(false);
  expect(tableOf([outcome])).toMatch(/example +an example +3\.10 +1\.00 +ms +3\.10 +≤ 3 +BROKEN/);
});

test('without a floor the number itself has the limit', async () => {
  expect(await measure(promised({ ours: [4.1, 3.9, 4.2] }, 4))).toMatchObject({ ours: 4.1, isKept: false });
  expect(tableOf([await measure(promised({ ours: [3.9] }, 4))])).toMatch(/≤ 4 ms +kept/);
});

test('a limit in milliseconds is of a machine, and on a slower one as much longer', async () => {
  const limited = (values: { ours: number[]; floor: number[] }) => measure({ ...promised(values, 30), limitAtFloor: 3 });
  expect(await limited({ ours: [31], floor: [3] })).toMatchObject({ ours: 31, isKept: false });
  expect(await limited({ ours: [55], floor: [6] })).toMatchObject({ ours: 55, isKept: true });
  expect(await limited({ ours: [29], floor: [2] })).toMatchObject({ ours: 29, isKept: false });
  expect(tableOf([await limited({ ours: [55], floor: [6] })])).toMatch(/≤ 30 ms at a floor of 3 +kept/);
});

test('a peer that is absent breaks no promise, an error does', async () => {
  const failing = (error: Error): Promised => ({
    ...promised({ ours: [1] }, 1),
    open: async () => {
      throw error;
    },
  });
  expect(await measure(failing(new PeerAbsent('pdftoppm')))).toMatchObject({ isKept: true, note: 'peer absent: pdftoppm' });
  expect(await measure(failing(new Error('out of memory')))).toMatchObject({ isKept: false, note: 'out of memory' });
});
