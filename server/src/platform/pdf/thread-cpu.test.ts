import { expect, test } from 'vitest';
import { threadCpuMs } from './thread-cpu.ts';

test.runIf(process.platform === 'linux')('a thread is known by the time it works, not by the time that passes', async () => {
  // The first thread of a process has its number.
  const workedMs = threadCpuMs(process.pid);
  if (workedMs === undefined) throw new Error('Linux tells it');
  const [before, usageBefore] = [workedMs(), process.cpuUsage()];
  while (workedMs() - before < 60);
  const { user, system } = process.cpuUsage(usageBefore);
  expect((user + system) / 1_000).toBeGreaterThan(40);
});

test('of a thread that is not there nothing is told', () => {
  expect(threadCpuMs(undefined)).toBeUndefined();
  expect(threadCpuMs(2 ** 30)).toBeUndefined();
});
