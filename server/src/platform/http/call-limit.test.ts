import { expect, test } from 'vitest';
import { createCallLimit } from './call-limit.ts';
import { PortalError } from './errors.ts';

const aLimit = (perMinute: number) => {
  let nowMs = 1_000_000;
  const limit = createCallLimit({ perMinute, clock: { now: () => new Date(nowMs) } });
  const isLetIn = (address: string): boolean => {
    try {
      limit(address);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(PortalError);
      expect(error).toMatchObject({ code: 'CALL_NOT_PERMITTED', status: 429 });
      return false;
    }
  };
  return { limit, isLetIn, wait: (ms: number) => (nowMs += ms) };
};

test('a network may make its calls at once, then one whenever its time has come', () => {
  const { isLetIn, wait } = aLimit(10);
  const tries = Array.from({ length: 12 }, (_, index) => isLetIn(`2001:db8:1:2::${index + 1}`));
  expect(tries.filter(Boolean)).toHaveLength(10);
  expect(isLetIn('2001:db8:1:3::1')).toBe(true);
  wait(6_000);
  expect([isLetIn('2001:db8:1:2::1'), isLetIn('2001:db8:1:2::1')]).toEqual([true, false]);
  wait(60_000);
  expect(Array.from({ length: 10 }, () => isLetIn('2001:db8:1:2::1'))).toEqual(Array.from({ length: 10 }, () => true));
});

test('a refusal says when to come again, and costs nothing', () => {
  const { limit, isLetIn, wait } = aLimit(2);
  expect([isLetIn('192.0.2.1'), isLetIn('192.0.2.1'), isLetIn('192.0.2.1')]).toEqual([true, true, false]);
  expect(() => limit('192.0.2.1')).toThrow(expect.objectContaining({ retryAfterSeconds: 30 }));
  wait(30_000);
  expect(isLetIn('192.0.2.1')).toBe(true);
});

test('more networks than can be remembered let nobody be refused, and nothing grow', () => {
  const { isLetIn, wait } = aLimit(1);
  for (let index = 0; index < 30_000; index += 1) isLetIn(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  expect(isLetIn('10.0.117.47')).toBe(false);
  wait(61_000);
  expect(isLetIn('10.0.117.47')).toBe(true);
});
