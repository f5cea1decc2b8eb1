import type { PdfThread } from './pdf-thread.ts';

/** `now`: somebody waits for the first thing it gives. `soon`: somebody looks at what comes before it, or waits for an inspection. `background`: ahead of time. */
export type Priority = 'now' | 'soon' | 'background';

export interface Work {
  priority: Priority;
  signal?: AbortSignal;
  /** `again` puts the work at the end of its line; what was `now` goes on as `soon`, unless it has to be `now` to its end. */
  onTurn(thread: PdfThread): Promise<'done' | 'again'>;
  /** Somebody waits for all of it. */
  isNowToItsEnd?: boolean;
}

export interface Turns {
  /** Resolves when the work says it is done, rejects with what it threw, or with the signal's reason. */
  take(work: Work): Promise<void>;
  /** Whether a work that has drawn so many pages in this turn, on this thread, should let others go first. */
  shouldYield(work: Pick<Work, 'priority' | 'isNowToItsEnd'>, turn: { thread: PdfThread; drawnPages: number }): boolean;
  throwIfClosed(): void;
  close(): void;
}

interface Threads {
  /** For what somebody waits for now, and nothing else: one of them is free as good as always. */
  readonly swift: readonly PdfThread[];
  /** For everything. */
  readonly calm: readonly PdfThread[];
  /** Take the place of threads that are stuck in a page, while somebody waits. */
  readonly spares?: readonly PdfThread[];
}

/**
 * Who gets a thread next: a line for each priority. A long document gives way after a few pages, and at once to one that has had no turn yet:
 * whoever opens a document sees its first page soon. A long one's other pages are drawn by the calm threads, behind everybody's calls. What is
 * asked for now goes to one of these only when a swift one is not free in a moment: a calm one may have to be started, and gets what others leave
 * of the machine. When every thread that could help is stuck in a page that does not end, those who wait get a spare one, and what is stuck goes
 * on behind everything else.
 */
export function createTurns({ swift, calm, spares = [] }: Threads): Turns {
  const lines: Record<Priority, Waiting[]> = { now: [], soon: [], background: [] };
  // The last one is taken first, which keeps the fewest threads busy and warm.
  const idle = { swift: [...swift], calm: [...calm], spare: [...spares] };
  const running = new Set<PdfThread>();
  let watch: { timer: NodeJS.Timeout; atMs: number } | undefined;
  let closed = false;

  const kindOf = (thread: PdfThread): keyof typeof idle => (spares.includes(thread) ? 'spare' : swift.includes(thread) ? 'swift' : 'calm');

  function next(): void {
    while (idle.swift.length > 0 && lines.now.length > 0) start(lines.now.shift(), idle.swift.pop());
    while (idle.calm.length > 0) {
      const waiting = (isNowForCalm() ? lines.now.shift() : undefined) ?? lines.soon.shift() ?? lines.background.shift();
      if (waiting === undefined) {
        const [first] = lines.now;
        if (first !== undefined) lookAgainIn(swiftLateInMs(first));
        return;
      }
      start(waiting, idle.calm.pop());
    }
    while (idle.spare.length > 0 && (lines.now.length > 0 || lines.soon.length > 0)) {
      // The swift ones help those only who wait now.
      const helping = [...running].filter((thread) => lines.now.length > 0 || kindOf(thread) !== 'swift');
      const soonestMs = Math.max(...helping.map((thread) => stuckAfterMs - thread.busyForMs()));
      if (soonestMs > 0) {
        lookAgainIn(soonestMs);
        return;
      }
      for (const stuck of running) if (stuck.busyForMs() >= endlessAfterMs) stuck.giveWay();
      start(lines.now.shift() ?? lines.soon.shift(), idle.spare.pop());
    }
  }

  function lookAgainIn(ms: number): void {
    const atMs = performance.now() + ms + 1;
    if (watch !== undefined && watch.atMs <= atMs) return;
    clearTimeout(watch?.timer);
    const timer = setTimeout(() => {
      watch = undefined;
      next();
    }, ms + 1);
    watch = { timer, atMs };
  }

  /** Whether the first who waits now waits for a calm thread as well as for a swift one. */
  function isNowForCalm(): boolean {
    const [first] = lines.now;
    return first !== undefined && swiftLateInMs(first) <= 0;
  }

  /** In how many ms no swift thread can be said to be free in a moment. */
  function swiftLateInMs({ enteredAtMs }: Waiting): number {
    const waitsMs = performance.now() - enteredAtMs;
    return swiftWithinMs - Math.max(waitsMs, Math.min(...swift.map((thread) => thread.busyForMs())));
  }

  function start(waiting: Waiting | undefined, thread: PdfThread | undefined): void {
    if (waiting !== undefined && thread !== undefined) void run(waiting, thread);
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
    idle[kindOf(thread)].push(thread);
    next();
    // Memory is worth more than the time that a start takes, but for as long as others may have to wait again.
    if (![...running].some((other) => other.busyForMs() >= stuckAfterMs)) for (const spare of idle.spare) void spare.stop();
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
    waiting.enteredAtMs = performance.now();
    const { signal } = waiting.work;
    // Ended while it had its turn: nobody will take it out of the line any more.
    if (signal?.aborted === true) waiting.settle(signal.reason);
    else if (closed) waiting.settle(new Error(closedMessage));
    else lines[priorityAfterFirst(waiting.work)].push(waiting);
  }

  return {
    async take(work) {
      work.signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = {
        work,
        hasHadTurn: false,
        enteredAtMs: performance.now(),
        settle: (...failure: [] | [unknown]) => (failure.length === 0 ? resolve() : reject(failure[0])),
      };
      const leave = () => {
        for (const line of Object.values(lines)) {
          const place = line.indexOf(waiting);
          if (place < 0) continue;
          line.splice(place, 1);
          reject(work.signal?.reason);
        }
      };
      work.signal?.addEventListener('abort', leave);
      enter(waiting);
      next();
      await promise.finally(() => work.signal?.removeEventListener('abort', leave));
    },
    shouldYield(work, { thread, drawnPages }) {
      if (drawnPages === 0) return false;
      const priority = priorityAfterFirst(work);
      const kind = kindOf(thread);
      const isNowForThis = kind === 'calm' ? isNowForCalm() : lines.now.length > 0;
      if (priority === 'now' && !isNowForThis) return false;
      if (priority !== 'now' && (isNowForThis || (kind === 'swift' && drawnPages >= pagesOfLetter))) return true;
      if (priority === 'background' && lines.soon.length > 0) return true;
      if (lines[priority].some(({ hasHadTurn }) => !hasHadTurn)) return true;
      return drawnPages >= pagesPerTurn && lines[priority].length > 0;
    },
    throwIfClosed() {
      if (closed) throw new Error(closedMessage);
    },
    close() {
      closed = true;
      clearTimeout(watch?.timer);
      for (const line of Object.values(lines)) for (const waiting of line.splice(0)) waiting.settle(new Error(closedMessage));
    },
  };
}

interface Waiting {
  work: Work;
  hasHadTurn: boolean;
  /** Its line, for the last time. */
  enteredAtMs: number;
  /** Without a failure: done. */
  settle(...failure: [] | [unknown]): void;
}

function priorityAfterFirst({ priority, isNowToItsEnd = false }: Pick<Work, 'priority' | 'isNowToItsEnd'>): Priority {
  return priority === 'now' && !isNowToItsEnd ? 'soon' : priority;
}

/** Opening a document again costs about as much as a fifth of a page. */
const pagesPerTurn = 8;
/** So many are drawn by a swift thread: most documents have no more, and are there as a whole with the first answer. */
const pagesOfLetter = 4;
/** Some pages of text. */
const swiftWithinMs = 100;
/** A page of text takes a tenth of it, a scan a third. */
const stuckAfterMs = 200;
/** On a machine that is busy with other things any page may be slow: only what is far beyond that has to stand back. */
const endlessAfterMs = 1_000;
const closedMessage = 'the PDF pool is closed';
