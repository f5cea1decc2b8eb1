import { expect, test } from 'vitest';
import { createTurns, TooBusyError } from './turns.ts';

const createWork = () => {
  const finishers: (() => void)[] = [];
  let running = 0;
  return {
    work: async (): Promise<void> => {
      running += 1;
      await new Promise<void>((resolve) => finishers.push(resolve));
      running -= 1;
    },
    get running() {
      return running;
    },
    finishOne: () => finishers.shift()?.(),
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('so many work at once, so many wait, and the next is told to come again', async () => {
  const turns = createTurns({ atOnce: 2, waiting: 3 });
  const jobs = createWork();
  const accepted = Array.from({ length: 5 }, () => turns.take(jobs.work));
  await expect(turns.take(jobs.work)).rejects.toThrow(TooBusyError);
  await settled();
  expect(jobs.running).toBe(2);
  for (let finished = 0; finished < 5; finished += 1) {
    jobs.finishOne();
    await settled();
    expect(jobs.running).toBeLessThanOrEqual(2);
  }
  await Promise.all(accepted);
  expect(jobs.running).toBe(0);
});

test('work that fails gives its turn back', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 1 });
  const failing = turns.take(() => Promise.reject(new Error('no')));
  const next = turns.take(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
  await expect(turns.take(async () => 'again')).resolves.toBe('again');
});
