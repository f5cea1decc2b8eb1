import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PdfThread } from './pdf-thread.ts';
import { createTurns, type Priority, type Turns } from './turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Threads that draw nothing: how long a page takes, and what comes of it, is the test's. */
const aThread = (busyForMs: () => number = () => 0): PdfThread => ({
  call: () => Promise.reject(new Error('nobody draws here')),
  release: () => {},
  busyForMs,
  giveWay: () => {},
  start: async () => {},
  stop: async () => {},
});

interface Asked {
  readonly priority: Priority;
  readonly isNowToItsEnd: boolean;
  readonly pages: number;
  /** The page that cannot be drawn. */
  readonly failsAt: number | undefined;
  /** The page before which nobody wants the rest any more. */
  readonly isLeftAt: number | undefined;
  /** So many pages of others are drawn before anybody asks. */
  readonly asksAfter: number;
}

/** What became of one work, as it draws like a document does: page by page, asking after each whether others go first. */
const draw = (turns: Turns, asked: Asked, drawPage: (thread: PdfThread) => Promise<unknown>) => {
  const seen = { drawn: [] as number[], turns: 0, threads: [] as PdfThread[], outcome: undefined as string | undefined };
  const left = new AbortController();
  let page = 1;
  const taken = turns.take({
    priority: asked.priority,
    isNowToItsEnd: asked.isNowToItsEnd,
    signal: left.signal,
    async onTurn(thread) {
      seen.turns += 1;
      seen.threads.push(thread);
      for (let drawnPages = 0; ; drawnPages += 1) {
        if (turns.shouldYield(asked, { thread, drawnPages })) return 'again';
        if (page > asked.pages) return 'done';
        await drawPage(thread);
        left.signal.throwIfAborted();
        if (page === asked.failsAt) throw new Error('failed');
        seen.drawn.push(page);
        page += 1;
        if (page === asked.isLeftAt && page <= asked.pages) left.abort(new Error('left'));
      }
    },
  });
  taken.then(
    () => (seen.outcome = 'done'),
    (error: unknown) => (seen.outcome = error instanceof Error ? error.message : String(error)),
  );
  return seen;
};

const pages = fc.integer({ min: 0, max: 12 });
const asked: fc.Arbitrary<Asked> = fc.record({
  priority: fc.constantFrom<Priority>('now', 'soon', 'background'),
  isNowToItsEnd: fc.boolean(),
  pages,
  failsAt: fc.option(pages, { nil: undefined, freq: 4 }),
  isLeftAt: fc.option(pages, { nil: undefined, freq: 4 }),
  asksAfter: fc.integer({ min: 0, max: 6 }),
});
/** What threads say when they are asked how long they have been at it. */
const busy = fc.array(fc.constantFrom(0, 50, 150, 250, 1_500), { minLength: 1, maxLength: 8 });

test('whoever asks, gives way, fails or leaves, and when: each page is drawn once, in no more turns than there are pages, and nobody is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(asked, { minLength: 1, maxLength: 8 }),
      fc.record({ calm: fc.integer({ min: 1, max: 3 }), spares: fc.integer({ min: 0, max: 2 }), busy }),
      async (scheduler, documents, machine) => {
        let told = 0;
        const threads = (count: number): PdfThread[] =>
          Array.from({ length: count }, () => aThread(() => machine.busy[told++ % machine.busy.length] ?? 0));
        const swift = threads(1);
        const turns = createTurns({ swift, calm: threads(machine.calm), spares: threads(machine.spares) });
        const inUse = new Set<PdfThread>();
        const onSwift: number[] = [];
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        const drawn: { is: Asked; seen: ReturnType<typeof draw>; ahead: number; swiftUntilFirst: () => number }[] = [];
        for (const [number, document] of documents.entries()) {
          const ahead = drawn.filter(({ is, seen }) => is.priority === 'now' && seen.turns === 0).length;
          const swiftBefore = onSwift.length;
          let swiftUntilFirst: number | undefined;
          const seen = draw(turns, document, async (thread) => {
            swiftUntilFirst ??= onSwift.length - swiftBefore;
            expect(inUse.has(thread)).toBe(false);
            inUse.add(thread);
            await scheduler.schedule(Promise.resolve());
            inUse.delete(thread);
            if (thread === swift[0]) onSwift.push(number);
          });
          drawn.push({ is: document, seen, ahead, swiftUntilFirst: () => swiftUntilFirst ?? 0 });
          await settle();
          for (let page = 0; page < document.asksAfter && scheduler.count() > 0; page += 1) {
            await scheduler.waitOne();
            await settle();
          }
        }
        while (scheduler.count() > 0) {
          await scheduler.waitOne();
          await settle();
          vi.advanceTimersByTime(30);
        }
        for (const { is, seen, ahead, swiftUntilFirst } of drawn) {
          // No page is being drawn any more: whoever waits now waits for ever.
          expect(seen.outcome).toBe(outcomeOf(is));
          expect(seen.drawn).toEqual(Array.from({ length: seen.drawn.length }, (_, index) => index + 1));
          if (seen.outcome === 'done') expect(seen.drawn).toHaveLength(is.pages);
          expect(seen.turns).toBeLessThanOrEqual(seen.drawn.length + 1);
          // Each of those before it draws one page there, and so does who is at it.
          if (is.priority === 'now') expect(swiftUntilFirst()).toBeLessThanOrEqual(ahead + 1);
        }
      },
    ),
    { numRuns: process.env['NIGHTLY'] === '1' ? 5_000 : 500 },
  );
});

/** The first page cannot be left before it is drawn. */
function outcomeOf({ pages: last, failsAt = 0, isLeftAt = 0 }: Asked): string {
  const fails = failsAt >= 1 && failsAt <= last ? failsAt : Infinity;
  const leaves = isLeftAt >= 2 && isLeftAt <= last ? isLeftAt : Infinity;
  if (fails < leaves) return 'failed';
  return leaves <= last ? 'left' : 'done';
}

describe('who opens a document while the swift thread draws another', () => {
  const now: Asked = { priority: 'now', isNowToItsEnd: false, pages: 1, failsAt: undefined, isLeftAt: undefined, asksAfter: 0 };
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  const open = async (busyForMs: () => number) => {
    const [swift, calm] = [aThread(busyForMs), aThread()];
    const turns = createTurns({ swift: [swift], calm: [calm] });
    const first = Promise.withResolvers<void>();
    draw(turns, { ...now, pages: 8 }, () => first.promise);
    const other = draw(turns, now, async () => {});
    await settle();
    return { swift, calm, other, first };
  };

  test('gets its next page, though a calm one has nothing to do', async () => {
    const { swift, other, first } = await open(() => 20);
    vi.advanceTimersByTime(50);
    await settle();
    expect(other.turns).toBe(0);
    first.resolve();
    await settle();
    expect([other.outcome, other.threads]).toEqual(['done', [swift]]);
  });

  test('gets the calm one when the page takes longer than some pages do', async () => {
    const { calm, other } = await open(() => 0);
    vi.advanceTimersByTime(120);
    await settle();
    expect([other.outcome, other.threads]).toEqual(['done', [calm]]);
  });

  test('gets it at once when that page has taken so long already', async () => {
    const { calm, other } = await open(() => 120);
    expect([other.outcome, other.threads]).toEqual(['done', [calm]]);
  });
});
