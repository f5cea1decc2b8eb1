import type { RenderResult } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPollDelay, pollDelayMs, pollRendering, type RenderState } from './render-poll.ts';

const page = (number: number) => ({ page: number, url: `/api/page/${number}` });
const underWay: RenderResult = { done: false, progress: 40, sources: [page(1)] };
const done: RenderResult = { done: true, progress: 100, sources: [page(1), page(2)] };

/** Polls with these answers one after another, the last one for good, and keeps the moments of the calls. */
const poll = (answers: readonly (RenderResult | Error)[]) => {
  const stop = new AbortController();
  const states: RenderState[] = [];
  const askedAtMs: number[] = [];
  const start = Date.now();
  const delay = createPollDelay();
  const finished = pollRendering({
    poll: async () => {
      const answer = answers[Math.min(askedAtMs.length, answers.length - 1)];
      askedAtMs.push(Date.now() - start);
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
      return answer;
    },
    tell: (state) => states.push(state),
    signal: stop.signal,
    delay,
  });
  return { stop, states, askedAtMs, finished, delay };
};

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

describe('asking for page images', () => {
  test('waits a second after the first answer, a second more each time, five at most', async () => {
    expect([1, 2, 3, 4, 5, 6, 50].map(pollDelayMs)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 5_000, 5_000]);
    const { askedAtMs, stop } = poll([underWay]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(askedAtMs).toEqual([0, 1_000, 3_000, 6_000, 10_000, 15_000, 20_000]);
    stop.abort();
  });

  test('asks at once when the reader has gone to another page, and waits anew from there', async () => {
    const { askedAtMs, stop, delay } = poll([underWay]);
    await vi.advanceTimersByTimeAsync(3_500);
    delay.skip();
    await vi.advanceTimersByTimeAsync(3_500);
    expect(askedAtMs).toEqual([0, 1_000, 3_000, 3_500, 4_500, 6_500]);
    stop.abort();
  });

  test('ends with the last page', async () => {
    const { states, askedAtMs, finished } = poll([underWay, done]);
    await vi.advanceTimersByTimeAsync(60_000);
    await finished;
    expect(states.map(({ status, progress, urls }) => [status, progress, urls.size])).toEqual([
      ['rendering', 40, 1],
      ['done', 100, 2],
    ]);
    expect(askedAtMs).toEqual([0, 1_000]);
  });

  test('ends with the first error, and keeps nothing that came before it', async () => {
    const error = new Error('refused');
    const { states, askedAtMs, finished } = poll([underWay, error, done]);
    await vi.advanceTimersByTimeAsync(60_000);
    await finished;
    expect(states.at(-1)).toMatchObject({ status: 'failed', error });
    expect(states.at(-1)?.urls.size).toBe(0);
    expect(askedAtMs).toHaveLength(2);
  });

  test('ends when the viewer is closed, at once and silently', async () => {
    const { states, askedAtMs, stop, finished } = poll([underWay]);
    await vi.advanceTimersByTimeAsync(500);
    stop.abort();
    await finished;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(askedAtMs).toEqual([0]);
    expect(states).toHaveLength(1);
  });

  test('an answer that comes after the viewer was closed is not told', async () => {
    const answer = Promise.withResolvers<RenderResult>();
    const stop = new AbortController();
    const tell = vi.fn<(state: RenderState) => void>();
    const finished = pollRendering({ poll: () => answer.promise, tell, signal: stop.signal });
    stop.abort();
    answer.resolve(done);
    await finished;
    expect(tell).not.toHaveBeenCalled();
  });
});
