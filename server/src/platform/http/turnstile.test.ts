import { afterEach, expect, test, vi } from 'vitest';
import { createTurnstile } from './turnstile.ts';

afterEach(() => void vi.useRealTimers());

/** What has entered, and how each is let out. */
const createCrowd = (limits: Parameters<typeof createTurnstile>[0]) => {
  const turnstile = createTurnstile(limits);
  const inside: string[] = [];
  const doors = new Map<string, PromiseWithResolvers<void>>();
  const places = new Map<string, () => void>();
  return {
    inside,
    keepPlace: (name: string): void => places.get(name)?.(),
    come(caller: string, name: string): Promise<void> {
      const door = Promise.withResolvers<void>();
      doors.set(name, door);
      return turnstile.pass(caller, async (keepPlace) => {
        inside.push(name);
        places.set(name, keepPlace);
        await door.promise.finally(() => inside.splice(inside.indexOf(name), 1));
      });
    },
    let: async (name: string, how: 'out' | 'fail'): Promise<void> => {
      if (how === 'out') doors.get(name)?.resolve();
      else doors.get(name)?.reject(new Error(name));
      await new Promise<void>((settled) => setImmediate(settled));
    },
  };
};

test('no more than so many are inside, the others follow in their order, whether those before succeed or fail', async () => {
  const crowd = createCrowd({ atOnce: 2, perCaller: 2, countsForMs: 60_000 });
  const all = ['a', 'b', 'c', 'd'].map((name) => crowd.come(name, name));
  expect(crowd.inside).toEqual(['a', 'b']);
  await crowd.let('a', 'out');
  expect(crowd.inside).toEqual(['b', 'c']);
  await Promise.all([expect(all[1]).rejects.toThrow('b'), crowd.let('b', 'fail')]);
  expect(crowd.inside).toEqual(['c', 'd']);
});

test('one caller never holds all places', async () => {
  const crowd = createCrowd({ atOnce: 3, perCaller: 2, countsForMs: 60_000 });
  for (const name of ['a1', 'a2', 'a3']) void crowd.come('a', name);
  void crowd.come('b', 'b1');
  expect(crowd.inside).toEqual(['a1', 'a2', 'b1']);
  await crowd.let('b1', 'out');
  expect(crowd.inside).toEqual(['a1', 'a2']);
  await crowd.let('a1', 'out');
  expect(crowd.inside).toEqual(['a2', 'a3']);
});

test('who takes long keeps on, and another comes in beside', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const crowd = createCrowd({ atOnce: 1, perCaller: 1, countsForMs: 100 });
  void crowd.come('slow', 'slow');
  void crowd.come('next', 'next');
  void crowd.come('last', 'last');
  await vi.advanceTimersByTimeAsync(100);
  expect(crowd.inside).toEqual(['slow', 'next']);
  await crowd.let('slow', 'out');
  expect(crowd.inside).toEqual(['next']);
  await crowd.let('next', 'out');
  expect(crowd.inside).toEqual(['last']);
});

test('who takes long with work of ours keeps the place', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const crowd = createCrowd({ atOnce: 1, perCaller: 1, countsForMs: 100 });
  void crowd.come('first', 'first');
  void crowd.come('next', 'next');
  await vi.advanceTimersByTimeAsync(99);
  crowd.keepPlace('first');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(crowd.inside).toEqual(['first']);
  await crowd.let('first', 'out');
  expect(crowd.inside).toEqual(['next']);
});
