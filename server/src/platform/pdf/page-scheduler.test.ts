import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { propertyRuns } from '#testing/nightly.ts';
import { createPageScheduler, type Priority, type TaskOptions } from './page-scheduler.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tasks that run until the test ends them. */
const createWork = (limits: Parameters<typeof createPageScheduler>[0]) => {
  const scheduler = createPageScheduler(limits);
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const hurried: string[] = [];
  return {
    scheduler,
    running,
    add(name: string, task: TaskOptions): Promise<void> {
      return scheduler.run(task, async (onStart, hurry) => {
        onStart();
        running.push(name);
        hurry.addEventListener('abort', () => hurried.push(name));
        await new Promise<void>((resolve) => ends.set(name, resolve));
        running.splice(running.indexOf(name), 1);
      });
    },
    hurried,
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await settle();
    },
  };
};

test('one with a hundred pages leaves the next place to another', async () => {
  const work = createWork({ threads: 2, spareThreads: 0 });
  for (let page = 0; page < 100; page += 1) void work.add(`greedy ${page}`, { priority: 'waiting', client: 'greedy' });
  void work.add('modest', { priority: 'waiting', client: 'modest' });
  expect(work.running).toEqual(['greedy 0', 'modest']);
  void work.add('late', { priority: 'waiting', client: 'late' });
  await work.end('greedy 0');
  expect(work.running).toEqual(['modest', 'late']);
});

test('one place is reserved for pages that a person waits for', async () => {
  const work = createWork({ threads: 2, spareThreads: 0 });
  for (const client of ['a', 'b']) void work.add(`prefetch ${client}`, { priority: 'prefetch', client });
  expect(work.running).toEqual(['prefetch a']);
  void work.add('waiting', { priority: 'waiting', client: 'c' });
  expect(work.running).toEqual(['prefetch a', 'waiting']);
});

test('what a person waits for starts beside pages that are drawn in the background for the same client', async () => {
  const work = createWork({ threads: 2, spareThreads: 2 });
  void work.add('prefetch', { priority: 'prefetch', client: 'reader' });
  void work.add('waiting', { priority: 'waiting', client: 'reader' });
  expect(work.running).toEqual(['prefetch', 'waiting']);
});

test('however slow the background is, two who begin to wait find places, and nothing is begun in the background meanwhile', async () => {
  const work = createWork({ threads: 2, spareThreads: 2 });
  for (const client of ['a', 'b', 'c', 'd']) {
    void work.add(`prefetch ${client}`, { priority: 'prefetch', client });
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(work.running).toEqual(['prefetch a', 'prefetch b']);
  for (const client of ['e', 'f']) void work.add(client, { priority: 'waiting', client });
  expect(work.running).toEqual(['prefetch a', 'prefetch b', 'e', 'f']);
  await work.end('prefetch a');
  expect(work.running).toEqual(['prefetch b', 'e', 'f']);
});

test('a client goes on reading beside one slow page, but does not take all places by slow pages', async () => {
  const work = createWork({ threads: 2, spareThreads: 2 });
  for (const page of [1, 2, 3]) void work.add(`page ${page}`, { priority: 'waiting', client: 'reader' });
  expect(work.running).toEqual(['page 1']);
  await vi.advanceTimersByTimeAsync(250);
  expect(work.running).toEqual(['page 1', 'page 2']);
  await vi.advanceTimersByTimeAsync(250);
  expect(work.running).toEqual(['page 1', 'page 2']);
});

describe('a page that a person begins to wait for while it is drawn in the background', () => {
  const waiting: TaskOptions = { priority: 'waiting', client: 'reader' };

  test('is left alone as long as others of its kind take', async () => {
    const work = createWork({ threads: 2, spareThreads: 0 });
    const task: TaskOptions = { priority: 'prefetch', client: 'another' };
    void work.add('page', task);
    work.scheduler.raise(task, waiting);
    expect(work.hurried).toEqual([]);
    await work.end('page');
    await vi.advanceTimersByTimeAsync(500);
    expect(work.hurried).toEqual([]);
  });

  test('is told to hurry when it takes long, before or after that person came, and no longer stands in the background', async () => {
    const work = createWork({ threads: 2, spareThreads: 2 });
    const tasks = ['a', 'b'].map((client): TaskOptions => ({ priority: 'prefetch', client }));
    const [first = waiting, second = waiting] = tasks;
    void work.add('first', first);
    await vi.advanceTimersByTimeAsync(250);
    work.scheduler.raise(first, waiting);
    expect(work.hurried).toEqual(['first']);
    void work.add('second', second);
    work.scheduler.raise(second, waiting);
    await vi.advanceTimersByTimeAsync(250);
    expect(work.hurried).toEqual(['first', 'second']);
    void work.add('prefetch', { priority: 'prefetch', client: 'c' });
    expect(work.running).toEqual(['first', 'second', 'prefetch']);
  });
});

test('a slow page goes on, and another runs beside it', async () => {
  const work = createWork({ threads: 2, spareThreads: 1 });
  for (const client of ['a', 'b', 'c']) void work.add(client, { priority: 'waiting', client });
  expect(work.running).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(250);
  expect(work.running).toEqual(['a', 'b', 'c']);
});

interface Asked {
  readonly priority: Priority;
  readonly client: string;
  readonly end: 'done' | 'failed' | 'left';
}

const asked: fc.Arbitrary<Asked> = fc.record({
  priority: fc.constantFrom<Priority>('waiting', 'publication', 'prefetch'),
  client: fc.constantFrom('a', 'b', 'c'),
  end: fc.constantFrom('done', 'failed', 'left'),
});

test('each of any tasks, failing and aborted ones included, ends, and never more run than there are threads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(asked, { minLength: 1, maxLength: 20 }),
      fc.record({
        threads: fc.integer({ min: 2, max: 4 }),
        spareThreads: fc.integer({ min: 0, max: 2 }),
        passesMs: fc.constantFrom(0, 100, 300),
      }),
      async (order, tasks, { passesMs, ...limits }) => {
        const scheduler = createPageScheduler(limits);
        let running = 0;
        const seen = tasks.map(({ end, ...task }) => {
          const left = new AbortController();
          const outcome = scheduler.run({ ...task, signal: left.signal }, async (onStart) => {
            onStart();
            expect((running += 1)).toBeLessThanOrEqual(limits.threads + limits.spareThreads);
            await order.schedule(Promise.resolve());
            running -= 1;
            if (end === 'failed') throw new Error('failed');
          });
          return {
            end,
            left,
            outcome: outcome.then(
              () => 'done',
              (error: Error) => error.message,
            ),
          };
        });
        for (const { end, left } of seen) if (end === 'left') left.abort(new Error('left'));
        while (order.count() > 0) {
          await order.waitOne();
          await settle();
          vi.advanceTimersByTime(passesMs);
          await settle();
        }
        for (const { end, outcome } of seen) expect(end === 'left' ? ['left', 'done'] : [end]).toContain(await outcome);
        expect(running).toBe(0);
      },
    ),
    propertyRuns({ day: 100, night: 5_000 }),
  );
});
