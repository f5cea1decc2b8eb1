import type { PdfThread } from './pdf-thread.ts';

/** `now`: somebody is waiting. `background`: work done ahead of time. */
export type Priority = 'now' | 'background';

export interface Work {
  priority: Priority;
  signal?: AbortSignal;
  /** `again` puts the work at the end of its line. */
  onTurn(thread: PdfThread): Promise<'done' | 'again'>;
}

export interface Turns {
  /** Resolves when the work says it is done, rejects with what it threw, or with the signal's reason. */
  take(work: Work): Promise<void>;
  /** Whether a work that has drawn so many pages in this turn should let others go first. */
  shouldYield(priority: Priority, drawnPages: number): boolean;
  throwIfClosed(): void;
  close(): void;
}

interface Threads {
  readonly threads: readonly PdfThread[];
  /** Take the place of threads that are stuck in a page, while somebody waits. */
  readonly spares?: readonly PdfThread[];
}

/**
 * Who gets a thread next: two lines, the one of `now` first. A long document gives way after a few pages, and at once to one that has had no
 * turn yet: whoever opens a document sees its first page soon. When every thread is stuck in a page that does not end, those who wait get a
 * spare one, and what is stuck goes on behind everything else.
 */
export function createTurns({ threads, spares = [] }: Threads): Turns {
  const lines: Record<Priority, Waiting[]> = { now: [], background: [] };
  // The last one is taken first, which keeps the fewest threads busy and warm.
  const idle = [...threads];
  const resting = [...spares];
  const running = new Set<PdfThread>();
  let watch: NodeJS.Timeout | undefined;
  let closed = false;

  function next(): void {
    while (idle.length > 0) {
      const waiting = lines.now.shift() ?? lines.background.shift();
      if (!waiting) return;
      const thread = idle.pop();
      if (thread) void run(waiting, thread);
    }
    while (lines.now.length > 0 && resting.length > 0) {
      const soonestMs = Math.max(...[...running].map((thread) => stuckAfterMs - thread.busyForMs()));
      if (soonestMs > 0) {
        watch ??= setTimeout(() => {
          watch = undefined;
          next();
        }, soonestMs + 1);
        return;
      }
      const waiting = lines.now.shift();
      const spare = resting.pop();
      if (!waiting || !spare) return;
      for (const stuck of running) if (stuck.busyForMs() >= endlessAfterMs) stuck.giveWay();
      void run(waiting, spare);
    }
  }

  async function run(waiting: Waiting, thread: PdfThread): Promise<void> {
    running.add(thread);
    try {
      waiting.work.signal?.throwIfAborted();
      if ((await waiting.work.onTurn(thread)) === 'done') waiting.settle();
      else enterAgain(waiting);
    } catch (error) {
      waiting.settle(error);
    }
    running.delete(thread);
    (spares.includes(thread) ? resting : idle).push(thread);
    next();
    // Memory is worth more than the time that a start takes, but for as long as others may have to wait again.
    if (![...running].some((other) => other.busyForMs() >= stuckAfterMs)) for (const spare of resting) void spare.stop();
  }

  function enter(waiting: Waiting): void {
    if (closed) {
      waiting.settle(new Error(closedMessage));
      return;
    }
    const line = lines[waiting.work.priority];
    const others = line.findIndex((other) => other.hasHadTurn);
    line.splice(others < 0 ? line.length : others, 0, waiting);
  }

  function enterAgain(waiting: Waiting): void {
    waiting.hasHadTurn = true;
    if (closed) waiting.settle(new Error(closedMessage));
    else lines[waiting.work.priority].push(waiting);
  }

  return {
    async take(work) {
      work.signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = {
        work,
        hasHadTurn: false,
        settle: (...failure: [] | [unknown]) => (failure.length === 0 ? resolve() : reject(failure[0])),
      };
      const leave = () => {
        const line = lines[work.priority];
        const place = line.indexOf(waiting);
        if (place < 0) return;
        line.splice(place, 1);
        reject(work.signal?.reason);
      };
      work.signal?.addEventListener('abort', leave);
      enter(waiting);
      next();
      await promise.finally(() => work.signal?.removeEventListener('abort', leave));
    },
    shouldYield(priority, drawnPages) {
      if (drawnPages === 0) return false;
      if (priority === 'background' && lines.now.length > 0) return true;
      if (lines[priority].some(({ hasHadTurn }) => !hasHadTurn)) return true;
      return drawnPages >= pagesPerTurn && lines[priority].length > 0;
    },
    throwIfClosed() {
      if (closed) throw new Error(closedMessage);
    },
    close() {
      closed = true;
      clearTimeout(watch);
      for (const line of Object.values(lines)) for (const waiting of line.splice(0)) waiting.settle(new Error(closedMessage));
    },
  };
}

interface Waiting {
  work: Work;
  hasHadTurn: boolean;
  /** Without a failure: done. */
  settle(...failure: [] | [unknown]): void;
}

/** Opening a document again costs about as much as a fifth of a page. */
const pagesPerTurn = 8;
/** A page of text takes a tenth of it, a scan a third. */
const stuckAfterMs = 200;
/** On a machine that is busy with other things any page may be slow: only what is far beyond that has to stand back. */
const endlessAfterMs = 1_000;
const closedMessage = 'the PDF pool is closed';
