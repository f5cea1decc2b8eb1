import { expect, test } from 'vitest';
import { readIdempotencyKey, retentionDateOf } from './sent-documents.rules.ts';

test.each([
  ['2026-11-23', 1, '2026-11-24'],
  ['2026-11-23', 365, '2027-11-23'],
  ['2027-12-31', 60, '2028-02-29'],
])('what was sent on %s and is kept for %i days is kept to %s', (sentOn, days, last) => {
  expect(retentionDateOf(sentOn, days)).toBe(last);
});

test('what is kept indefinitely has no last day', () => {
  expect(retentionDateOf('2026-11-23', null)).toBeNull();
});

test.each(['1234567', 'x'.repeat(101), 'with a space', 'zażółć-gęślą', ''])('the idempotency key %j is refused', (key) => {
  expect(() => readIdempotencyKey(key)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test('an idempotency key is taken as it was sent, and none is none', () => {
  expect([readIdempotencyKey('12345678'), readIdempotencyKey('x'.repeat(100)), readIdempotencyKey(undefined)]).toEqual([
    '12345678',
    'x'.repeat(100),
    undefined,
  ]);
});
