import { expect, test } from 'vitest';
import { createLocalTime } from './local-time.ts';

test.each([
  ['in winter', '2026-01-31T23:30:05Z', '2026-02-01T00:30:05+01:00'],
  ['in summer', '2026-07-01T22:00:00Z', '2026-07-02T00:00:00+02:00'],
  ['before the clocks go forward', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
  ['after the clocks went forward', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
  ['in the hour that comes twice, the first time', '2026-10-25T00:30:00Z', '2026-10-25T02:30:00+02:00'],
  ['in the hour that comes twice, the second time', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00+01:00'],
])('a moment %s is written with the offset that its clocks had', (_, moment, written) => {
  const { stampOf } = createLocalTime('Europe/Warsaw');
  for (let times = 0; times < 2; times += 1) expect(stampOf(new Date(moment))).toBe(written);
});

test('a moment west of Greenwich is written with its offset', () => {
  expect(createLocalTime('America/St_Johns').stampOf(new Date('2026-01-01T01:00:00Z'))).toBe('2025-12-31T21:30:00-03:30');
});
