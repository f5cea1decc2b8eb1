import { describe, expect, test } from 'vitest';
import { type Asker, createHashQueue, TooBusyError } from './hash-queue.ts';

const createWork = () => {
  const begun: string[] = [];
  const finishers: (() => void)[] = [];
  return {
    named: (name: string) => async (): Promise<void> => {
      begun.push(name);
      await new Promise<void>((resolve) => finishers.push(resolve));
    },
    begun,
    get running() {
      return finishers.length;
    },
    async finishOne() {
      finishers.shift()?.();
      await settled();
    },
    async finishAll() {
      while (finishers.length > 0) await this.finishOne();
    },
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const stranger = (lane: string): Asker => ({ lane, isKnown: false });
const known = (lane: string): Asker => ({ lane, isKnown: true });

test('up to a limit run at once, up to a limit wait, and the next is refused', async () => {
  const queue = createHashQueue({ concurrency: 2, maxWaiting: 3 });
  const jobs = createWork();
  const accepted = Array.from({ length: 5 }, () => queue.run(stranger('a'), jobs.named('a')));
  await expect(queue.run(stranger('a'), jobs.named('a'))).rejects.toThrow(TooBusyError);
  await settled();
  expect(jobs.running).toBe(2);
  for (let finished = 0; finished < 5; finished += 1) {
    await jobs.finishOne();
    expect(jobs.running).toBeLessThanOrEqual(2);
  }
  await Promise.all(accepted);
  expect(jobs.running).toBe(0);
});

test('work that fails lets the next begin', async () => {
  const queue = createHashQueue({ concurrency: 1, maxWaiting: 1 });
  const failing = queue.run(stranger('a'), () => Promise.reject(new Error('no')));
  const next = queue.run(stranger('a'), async () => 'done');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('done');
  await expect(queue.run(stranger('a'), async () => 'again')).resolves.toBe('again');
});

/** One piece of work runs, these wait behind it; gives the order in which they begin, and the names of those that were refused. */
const watch = async (asked: readonly Asker[], waiting = 50) => {
  const queue = createHashQueue({ concurrency: 1, maxWaiting: waiting });
  const jobs = createWork();
  const refused: string[] = [];
  const all = [stranger('first'), ...asked].map((asker, index) => {
    const name = index === 0 ? 'first' : `${asker.lane}${asked.slice(0, index).filter(({ lane }) => lane === asker.lane).length}`;
    return queue.run(asker, jobs.named(name)).catch((error: unknown) => {
      if (!(error instanceof TooBusyError)) throw error;
      refused.push(name);
    });
  });
  await settled();
  await jobs.finishAll();
  await Promise.all(all);
  return { begun: jobs.begun.slice(1), refused };
};

const times = (count: number, asker: Asker): Asker[] => Array.from({ length: count }, () => asker);

describe('the queue', () => {
  test('serves networks round-robin, however long the lane of one is, and each lane in order', async () => {
    const { begun } = await watch([...times(4, stranger('a')), stranger('b'), stranger('c'), stranger('b')]);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('serves known people first, and a stranger every fourth time', async () => {
    const { begun } = await watch([stranger('a'), stranger('a'), ...[1, 2, 3, 4, 5].map((person) => known(`k${person}-`))]);
    expect(begun).toEqual(['k1-1', 'k2-1', 'k3-1', 'a1', 'k4-1', 'k5-1', 'a2']);
  });

  test('serves known people round-robin, too', async () => {
    expect((await watch([...times(3, known('a')), known('b')])).begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });
});

describe('of a full queue', () => {
  test('a newcomer takes the last place of the longest lane', async () => {
    expect(await watch([...times(4, stranger('a')), stranger('b')], 4)).toEqual({ begun: ['a1', 'b1', 'a2', 'a3'], refused: ['a4'] });
  });

  test('in a full queue no lane takes a place from one that is not longer', async () => {
    expect((await watch([...times(2, stranger('a')), ...times(3, stranger('b'))], 4)).refused).toEqual(['b3']);
    expect((await watch([stranger('a'), stranger('b'), stranger('c')], 2)).refused).toEqual(['c1']);
  });

  test('a known person takes a place from strangers who have one each, and strangers none from known people', async () => {
    expect((await watch([stranger('a'), stranger('b'), known('k')], 2)).refused).toHaveLength(1);
    expect((await watch([known('k'), known('l'), stranger('a')], 2)).refused).toEqual(['a1']);
  });

  test('one known person who fills it makes room for strangers', async () => {
    expect((await watch([...times(4, known('k')), stranger('a')], 4)).refused).toEqual(['k4']);
  });
});
