import { expect, test } from 'vitest';
import { createDayOf } from './days.ts';

const dayOf = createDayOf('Europe/Warsaw');

test.each([
  ['2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['2026-03-28T23:00:00.000Z', '2026-03-29'],
  // The clocks go forward that night, so that this day ends an hour earlier.
  ['2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['2026-03-29T22:00:00.000Z', '2026-03-30'],
  ['2026-10-24T21:59:59.999Z', '2026-10-24'],
  ['2026-10-24T22:00:00.000Z', '2026-10-25'],
  // And back that night.
  ['2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['2026-10-25T23:00:00.000Z', '2026-10-26'],
])('%s is on %s in Warsaw', (moment, day) => {
  expect(dayOf(Date.parse(moment))).toBe(day);
});

test('moments at the ends of time are before and after every document', () => {
  expect(dayOf(-8.64e15)).toBe('-infinity');
  expect(dayOf(8.64e15)).toBe('infinity');
});
