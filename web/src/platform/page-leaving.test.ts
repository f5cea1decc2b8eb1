import { getSelf, sessionStorageKeys } from '@pergamin/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { call } from './api.ts';

beforeEach(() => sessionStorage.clear());

test('what a reload breaks off is not told as a network error afterwards', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  dispatchEvent(new Event('beforeunload'));
  await expect(call(getSelf, {})).rejects.toThrow('Network Error');
  expect(sessionStorage.getItem(sessionStorageKeys.error)).toBeNull();
});

test('a page that was not left after all tells of network errors again', async () => {
  vi.useFakeTimers();
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  dispatchEvent(new Event('beforeunload'));
  vi.advanceTimersByTime(3_000);
  vi.useRealTimers();
  await expect(call(getSelf, {})).rejects.toThrow('Network Error');
  expect(sessionStorage.getItem(sessionStorageKeys.error)).toBe('Network Error');
});
