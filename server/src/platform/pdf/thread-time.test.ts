import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchThread } from './thread-time.ts';

type Over = Parameters<Parameters<typeof watchThread>[1]['onOver']>[0];

const cpuMs = 1_000;
const usedBeforeMs = 40;
let over: Over[];

beforeEach(() => {
  vi.useFakeTimers();
  over = [];
});
afterEach(() => void vi.useRealTimers());

/** A thread that gets this share of a processor from now on. */
const threadWith = (share: number) => {
  const fromMs = performance.now();
  const usedMs = (): number => usedBeforeMs + (performance.now() - fromMs) * share;
  return { cpuUsage: async () => ({ user: usedMs() * 900, system: usedMs() * 100 }) };
};

const watch = (thread: Parameters<typeof watchThread>[0]): (() => void) =>
  watchThread(thread, { cpuMs, usedBeforeMs, onOver: (reason) => over.push(reason) });

test('a thread that has a processor to itself has its time, and no more', async () => {
  watch(threadWith(1));
  await vi.advanceTimersByTimeAsync(cpuMs - 1);
  expect(over).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect(over).toEqual([{ reason: 'no answer within 1000 ms of processor time', isOfWork: true }]);
});

test('a thread that gets a fifth of a processor may take five times as long', async () => {
  watch(threadWith(0.2));
  await vi.advanceTimersByTimeAsync(5 * cpuMs - 10);
  expect(over).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(over).toMatchObject([{ isOfWork: true }]);
});

test('a thread that gets next to nothing ends after a bound of time itself, which says nothing of its work', async () => {
  watch(threadWith(0.01));
  await vi.advanceTimersByTimeAsync(12 * cpuMs + 10);
  expect(over).toEqual([{ reason: 'no answer within 12000 ms', isOfWork: false }]);
});

test('a thread that does not say what it has used ends after that bound, too', async () => {
  watch({ cpuUsage: () => Promise.withResolvers<NodeJS.CpuUsage>().promise });
  await vi.advanceTimersByTimeAsync(12 * cpuMs + 10);
  expect(over).toMatchObject([{ isOfWork: false }]);
});

test('once the watch is ended nothing is told', async () => {
  const end = watch(threadWith(1));
  end();
  await vi.advanceTimersByTimeAsync(100 * cpuMs);
  expect([over, vi.getTimerCount()]).toEqual([[], 0]);
});
