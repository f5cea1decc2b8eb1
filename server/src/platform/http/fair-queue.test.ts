import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

afterEach(() => void vi.useRealTimers());

const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** What is at work, and how each piece of it ends. */
const createWork = (limits: Parameters<typeof createFairQueue>[0]) => {
  const queue = createFairQueue(limits);
  const running: string[] = [];
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const places = new Map<string, () => void>();
  return {
    running,
    begun,
    keepPlace: (name: string): void => places.get(name)?.(),
    ask(caller: string, name: string, signal?: AbortSignal): Promise<void> {
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      return queue.pass(
        caller,
        async (keepPlace) => {
          running.push(name);
          begun.push(name);
          places.set(name, keepPlace);
          await end.promise.finally(() => running.splice(running.indexOf(name), 1));
        },
        signal,
      );
    },
    async end(name: string, how: 'well' | 'badly' = 'well'): Promise<void> {
      if (how === 'well') ends.get(name)?.resolve();
      else ends.get(name)?.reject(new Error(name));
      await aMoment();
    },
  };
};

const standard = { atOnce: 2, perCaller: 2, countsForMs: 60_000 };

test('no more than so many run, the others follow in their order, whether those before succeed or fail', async () => {
  const work = createWork(standard);
  const all = ['a', 'b', 'c', 'd'].map((name) => work.ask(name, name));
  expect(work.running).toEqual(['a', 'b']);
  await work.end('a');
  expect(work.running).toEqual(['b', 'c']);
  await Promise.all([expect(all[1]).rejects.toThrow('b'), work.end('b', 'badly')]);
  expect(work.running).toEqual(['c', 'd']);
});

test('one caller never has all places', async () => {
  const work = createWork({ ...standard, atOnce: 3 });
  for (const name of ['a1', 'a2', 'a3']) void work.ask('a', name);
  void work.ask('b', 'b1');
  expect(work.running).toEqual(['a1', 'a2', 'b1']);
  await work.end('b1');
  expect(work.running).toEqual(['a1', 'a2']);
  await work.end('a1');
  expect(work.running).toEqual(['a2', 'a3']);
});

describe('who is next', () => {
  test('callers who wait take turns, however much one of them asked for before', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const work = createWork({ ...standard, atOnce: 1 });
    for (const name of ['a1', 'a2', 'a3']) void work.ask('a', name);
    for (const name of ['b1', 'b2']) void work.ask('b', name);
    for (const name of ['a1', 'b1', 'a2', 'b2']) {
      vi.advanceTimersByTime(10);
      await work.end(name);
    }
    expect(work.begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('a new caller runs before ten who keep the queue busy', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const work = createWork({ ...standard, atOnce: 1 });
    const crowd = Array.from({ length: 10 }, (_, index) => `greedy ${index}`);
    for (const turn of [1, 2, 3]) for (const name of crowd) void work.ask(name, `${name} ${turn}`);
    for (const name of crowd) {
      vi.advanceTimersByTime(100);
      await work.end(`${name} 1`);
    }
    for (const turn of [1, 2, 3]) {
      const asked = work.ask('modest', `modest ${turn}`);
      vi.advanceTimersByTime(100);
      await work.end(work.running[0] ?? '');
      expect(work.running).toEqual([`modest ${turn}`]);
      vi.advanceTimersByTime(5);
      await work.end(`modest ${turn}`);
      await asked;
    }
  });

  test('a slow call is answered before a line of short calls has been worked off', async () => {
    const queue = createFairQueue({ ...standard, perCaller: 1 });
    let done = 0;
    const line = Array.from({ length: 50 }, () =>
      queue.pass('a', async () => {
        done += 1;
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBeLessThan(5);
    await Promise.all(line);
    expect(done).toBe(50);
  });
});

describe('what is slow', () => {
  const slow = { atOnce: 1, perCaller: 1, countsForMs: 100 };

  test('goes on, and another runs beside it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const work = createWork(slow);
    for (const name of ['slow', 'next', 'last']) void work.ask(name, name);
    await vi.advanceTimersByTimeAsync(100);
    expect(work.running).toEqual(['slow', 'next']);
    await work.end('slow');
    expect(work.running).toEqual(['next']);
    await work.end('next');
    expect(work.running).toEqual(['last']);
  });

  test('keeps its place when it is work of ours', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const work = createWork(slow);
    for (const name of ['first', 'next']) void work.ask(name, name);
    await vi.advanceTimersByTimeAsync(99);
    work.keepPlace('first');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work.running).toEqual(['first']);
    await work.end('first');
    expect(work.running).toEqual(['next']);
  });

  test('lets others run, and its own caller wait, where that is wanted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const work = createWork({ ...slow, slowCountsForCaller: true });
    for (const name of ['a1', 'a2']) void work.ask('a', name);
    void work.ask('b', 'b1');
    await vi.advanceTimersByTimeAsync(100);
    expect(work.running).toEqual(['a1', 'b1']);
    await work.end('b1');
    expect(work.running).toEqual(['a1']);
    await work.end('a1');
    expect(work.running).toEqual(['a2']);
  });
});

describe('a line', () => {
  const refused = { code: 'CALL_NOT_PERMITTED', retryAfterSeconds: 5 };

  test('the line of one caller has a limit, and more calls are refused', async () => {
    const work = createWork({ ...standard, atOnce: 1, waiting: { perCaller: 2, inAll: 10 } });
    for (const name of ['a1', 'a2', 'a3']) void work.ask('a', name);
    await expect(work.ask('a', 'a4')).rejects.toMatchObject(refused);
    void work.ask('b', 'b1');
    for (const name of ['a1', 'b1', 'a2', 'a3']) await work.end(name);
    expect(work.begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('the longest line loses a call when too many wait in all', async () => {
    const work = createWork({ ...standard, atOnce: 1, waiting: { perCaller: 10, inAll: 3 } });
    const [, , , last] = ['a1', 'a2', 'a3', 'a4'].map((name) => work.ask('a', name));
    void work.ask('b', 'b1');
    await expect(last).rejects.toMatchObject(refused);
    for (const name of ['a1', 'b1', 'a2', 'a3']) await work.end(name);
    expect(work.begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('a caller who goes away leaves the line, and the call is not run', async () => {
    const work = createWork({ ...standard, atOnce: 1 });
    const gone = new AbortController();
    void work.ask('a', 'a1');
    const left = work.ask('b', 'b1', gone.signal);
    void work.ask('c', 'c1');
    gone.abort();
    await expect(left).rejects.toMatchObject(refused);
    await work.end('a1');
    expect(work.begun).toEqual(['a1', 'c1']);
    await expect(work.ask('b', 'b2', gone.signal)).rejects.toMatchObject(refused);
  });
});
