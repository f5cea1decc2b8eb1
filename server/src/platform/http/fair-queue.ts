import { PortalError } from './errors.ts';

interface Limits {
  readonly atOnce: number;
  readonly perCaller: number;
  /** What runs longer is slow: it goes on, and no longer counts among those at once. */
  readonly countsForMs: number;
  /** What is slow still counts among those of its caller. */
  readonly slowCountsForCaller?: boolean;
  /** Unlimited unless told. */
  readonly waiting?: { readonly perCaller: number; readonly inAll: number };
}

/**
 * So many at once, and of each caller fewer; the others wait. The next to run is of the caller that has had the least time (start-time fair
 * queueing): those who keep the queue busy take turns, and a caller who was quiet goes before all of them, for as long as a second of work.
 */
export interface FairQueue {
  /**
   * When the caller's line is over, as that of somebody who sends a file slowly, `act` calls `keepPlace`: what follows counts however long it
   * takes. Throws CALL_NOT_PERMITTED (429) when too many wait, and when the signal is aborted before it is the caller's turn.
   */
  pass<Result>(caller: string, act: (keepPlace: () => void) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

interface Waiting {
  readonly enter: () => void;
  readonly refuse: () => void;
}

interface Caller {
  running: number;
  readonly waiting: Waiting[];
  /** Virtual time: what its turns took, after the moment in which it came. */
  timeMs: number;
}

const retryAfterSeconds = 5;

/** Who was quiet may be so far behind those who were not. */
const creditMs = 1_000;

/** Fewer are not looked through for those that can be forgotten. */
const fewCallers = 1_000;

export const createFairQueue = ({
  atOnce,
  perCaller,
  countsForMs,
  slowCountsForCaller = false,
  waiting = { perCaller: Number.POSITIVE_INFINITY, inAll: Number.POSITIVE_INFINITY },
}: Limits): FairQueue => {
  const callers = new Map<string, Caller>();
  let running = 0;
  let waitingInAll = 0;
  /** Virtual time: the latest at which a turn began. */
  let nowMs = 0;
  let sweepAt = fewCallers;

  /** Those who would begin anew like anybody. */
  const sweep = (): void => {
    for (const [name, caller] of callers)
      if (caller.running === 0 && caller.waiting.length === 0 && caller.timeMs <= nowMs - creditMs) callers.delete(name);
    sweepAt = Math.max(fewCallers, 2 * callers.size);
  };

  const callerOf = (name: string): Caller => {
    const known = callers.get(name);
    if (known !== undefined) return known;
    if (callers.size >= sweepAt) sweep();
    const caller: Caller = { running: 0, waiting: [], timeMs: nowMs - creditMs };
    callers.set(name, caller);
    return caller;
  };

  const begin = (caller: Caller): void => {
    caller.timeMs = Math.max(caller.timeMs, nowMs - creditMs);
    nowMs = Math.max(nowMs, caller.timeMs);
    caller.running += 1;
    running += 1;
  };

  const findNext = (): Caller | undefined => {
    let next: { caller: Caller; timeMs: number } | undefined;
    if (waitingInAll === 0 || running >= atOnce) return undefined;
    for (const caller of callers.values()) {
      if (caller.waiting.length === 0 || caller.running >= perCaller) continue;
      const timeMs = Math.max(caller.timeMs, nowMs - creditMs);
      if (next === undefined || timeMs < next.timeMs) next = { caller, timeMs };
    }
    return next?.caller;
  };

  const letIn = (): void => {
    for (let caller = findNext(); caller !== undefined; caller = findNext()) {
      const first = caller.waiting.shift();
      waitingInAll -= 1;
      begin(caller);
      first?.enter();
    }
  };

  /** Whoever lets most wait gives way, so that a full queue keeps nobody else out. */
  const refuseFromLongestLine = (): void => {
    let longest: Caller | undefined;
    for (const caller of callers.values()) if (caller.waiting.length > (longest?.waiting.length ?? 0)) longest = caller;
    longest?.waiting.at(-1)?.refuse();
  };

  const wait = (caller: Caller, signal: AbortSignal | undefined): Promise<void> => {
    const turn = Promise.withResolvers<void>();
    const refuse = (): void => {
      const place = caller.waiting.indexOf(one);
      if (place < 0) return;
      caller.waiting.splice(place, 1);
      waitingInAll -= 1;
      turn.reject(new PortalError('CALL_NOT_PERMITTED', { message: 'Too many calls at once', retryAfterSeconds }));
    };
    const one: Waiting = { enter: turn.resolve, refuse };
    caller.waiting.push(one);
    waitingInAll += 1;
    signal?.addEventListener('abort', refuse, { once: true });
    if (caller.waiting.length > waiting.perCaller || signal?.aborted === true) refuse();
    else if (waitingInAll > waiting.inAll) refuseFromLongestLine();
    return turn.promise;
  };

  /** Of a turn that begins now. */
  const countTurn = (caller: Caller): { slow: () => void; end: () => void } => {
    const startedAt = performance.now();
    let isInAll = true;
    let isOfCaller = true;
    const leaveAll = (): void => {
      if (isInAll) running -= 1;
      isInAll = false;
    };
    const leaveCaller = (): void => {
      if (!isOfCaller) return;
      isOfCaller = false;
      caller.running -= 1;
      caller.timeMs += performance.now() - startedAt;
    };
    return {
      slow() {
        leaveAll();
        if (!slowCountsForCaller) leaveCaller();
        letIn();
      },
      end() {
        leaveAll();
        leaveCaller();
        letIn();
      },
    };
  };

  return {
    async pass(name, act, signal) {
      const caller = callerOf(name);
      if (running < atOnce && caller.running < perCaller) begin(caller);
      else await wait(caller, signal);
      const turn = countTurn(caller);
      const timer = setTimeout(turn.slow, countsForMs);
      try {
        return await act(() => clearTimeout(timer));
      } finally {
        clearTimeout(timer);
        // Once round the event loop, so that a line of short calls is not worked off before anybody else is heard.
        setImmediate(turn.end);
      }
    },
  };
};
