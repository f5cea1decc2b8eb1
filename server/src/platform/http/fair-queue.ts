import { PortalError } from './errors.ts';

interface Limits {
  readonly atOnce: number;
  readonly perCaller: number;
  /** A call that runs longer is slow: it goes on, and no longer counts among `atOnce`. */
  readonly countsForMs: number;
  /** What is slow still counts among those of its caller. */
  readonly slowCountsForCaller?: boolean;
  /** Left out: unlimited. */
  readonly waiting?: { readonly perCaller: number; readonly inAll: number };
}

interface Waiting {
  readonly enter: () => void;
  readonly refuse: () => void;
}

interface Caller {
  running: number;
  readonly waiting: Waiting[];
  /** Virtual time: the processing time that the caller has used, plus the start value it got on arrival. */
  timeMs: number;
}

const retryAfterSeconds = 5;

/** Credit of an idle caller: how far its virtual time may be behind that of busy ones. */
const creditMs = 1_000;

/** Below this number of callers no idle ones are removed. */
const fewCallers = 1_000;

const unlimited = { perCaller: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY };

export const createFairQueue = (limits: Limits): FairQueue => new FairQueue(limits);

/**
 * So many at once, and of each caller fewer; the others wait. The next to run is of the caller that has had the least time (start-time fair
 * queueing): those who keep the queue busy take turns, and a caller who was quiet goes before all of them, for as long as a second of work.
 */
export class FairQueue {
  readonly #limits: Limits;
  readonly #callers = new Map<string, Caller>();
  #running = 0;
  #waitingInAll = 0;
  /** Virtual time: the latest start of a call. */
  #nowMs = 0;
  #sweepAt = fewCallers;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * When the caller's line is over, as that of a caller who sends a file slowly, `act` calls `keepPlace`: what follows counts however long it
   * takes. Throws CALL_NOT_PERMITTED (429) when too many wait, and when the signal is aborted before it is the caller's turn.
   */
  async pass<Result>(name: string, act: (keepPlace: () => void) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const { atOnce, perCaller, countsForMs } = this.#limits;
    const caller = this.#callerOf(name);
    if (this.#running < atOnce && caller.running < perCaller) this.#begin(caller);
    else await this.#wait(caller, signal);
    const turn = this.#countTurn(caller);
    const timer = setTimeout(turn.slow, countsForMs);
    try {
      return await act(() => clearTimeout(timer));
    } finally {
      clearTimeout(timer);
      // Once round the event loop, so that requests that arrived meanwhile are read before the next call of this line begins.
      setImmediate(turn.end);
    }
  }

  #callerOf(name: string): Caller {
    const known = this.#callers.get(name);
    if (known !== undefined) return known;
    if (this.#callers.size >= this.#sweepAt) this.#sweep();
    const caller: Caller = { running: 0, waiting: [], timeMs: this.#nowMs - creditMs };
    this.#callers.set(name, caller);
    return caller;
  }

  /** Forgets idle callers whose virtual time is no later than that of a new one. */
  #sweep(): void {
    for (const [name, caller] of this.#callers)
      if (caller.running === 0 && caller.waiting.length === 0 && caller.timeMs <= this.#nowMs - creditMs) this.#callers.delete(name);
    this.#sweepAt = Math.max(fewCallers, 2 * this.#callers.size);
  }

  #begin(caller: Caller): void {
    caller.timeMs = Math.max(caller.timeMs, this.#nowMs - creditMs);
    this.#nowMs = Math.max(this.#nowMs, caller.timeMs);
    caller.running += 1;
    this.#running += 1;
  }

  #wait(caller: Caller, signal: AbortSignal | undefined): Promise<void> {
    const { waiting = unlimited } = this.#limits;
    const turn = Promise.withResolvers<void>();
    const refuse = (): void => {
      const place = caller.waiting.indexOf(one);
      if (place < 0) return;
      caller.waiting.splice(place, 1);
      this.#waitingInAll -= 1;
      turn.reject(new PortalError('CALL_NOT_PERMITTED', { message: 'Too many calls at once', retryAfterSeconds }));
    };
    const one: Waiting = { enter: turn.resolve, refuse };
    caller.waiting.push(one);
    this.#waitingInAll += 1;
    signal?.addEventListener('abort', refuse, { once: true });
    if (caller.waiting.length > waiting.perCaller || signal?.aborted === true) refuse();
    else if (this.#waitingInAll > waiting.inAll) this.#refuseFromLongestLine();
    return turn.promise;
  }

  /** Drops a call of the caller with the most waiting calls, so that one caller who fills the queue does not shut others out. */
  #refuseFromLongestLine(): void {
    let longest: Caller | undefined;
    for (const caller of this.#callers.values()) if (caller.waiting.length > (longest?.waiting.length ?? 0)) longest = caller;
    longest?.waiting.at(-1)?.refuse();
  }

  /** Charges a call that begins now. */
  #countTurn(caller: Caller): { slow: () => void; end: () => void } {
    const startedAt = performance.now();
    let isInAll = true;
    let isOfCaller = true;
    const leave = ({ caller: leavesCaller }: { caller: boolean }): void => {
      if (isInAll) this.#running -= 1;
      isInAll = false;
      if (leavesCaller && isOfCaller) {
        isOfCaller = false;
        caller.running -= 1;
        caller.timeMs += performance.now() - startedAt;
      }
      this.#letIn();
    };
    return { slow: () => leave({ caller: this.#limits.slowCountsForCaller !== true }), end: () => leave({ caller: true }) };
  }

  #letIn(): void {
    for (let caller = this.#findNext(); caller !== undefined; caller = this.#findNext()) {
      const first = caller.waiting.shift();
      this.#waitingInAll -= 1;
      this.#begin(caller);
      first?.enter();
    }
  }

  #findNext(): Caller | undefined {
    if (this.#waitingInAll === 0 || this.#running >= this.#limits.atOnce) return undefined;
    let next: { caller: Caller; timeMs: number } | undefined;
    for (const caller of this.#callers.values()) {
      if (caller.waiting.length === 0 || caller.running >= this.#limits.perCaller) continue;
      const timeMs = Math.max(caller.timeMs, this.#nowMs - creditMs);
      if (next === undefined || timeMs < next.timeMs) next = { caller, timeMs };
    }
    return next?.caller;
  }
}
