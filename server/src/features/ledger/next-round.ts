import { setTimeout as pause } from 'node:timers/promises';

export type RoundOutcome = 'idle' | 'done' | 'more';

interface Parts {
  readonly round: () => Promise<RoundOutcome>;
  /** Between the beginnings of two rounds. */
  readonly intervalMs: number;
}

/** Group commit: while a round runs, all callers share the next one. Resolves when that has ended, with its outcome. */
export const createNextRound = ({ round, intervalMs }: Parts): (() => Promise<RoundOutcome>) => {
  let running: Promise<RoundOutcome> | undefined;
  let waiting: Promise<RoundOutcome> | undefined;
  let begunAtMs = Number.NEGATIVE_INFINITY;

  const begin = async (): Promise<RoundOutcome> => {
    // Its own callers are told of its error.
    await running?.catch(() => undefined);
    const restMs = begunAtMs + intervalMs - performance.now();
    if (restMs > 0) await pause(restMs);
    running = waiting;
    waiting = undefined;
    begunAtMs = performance.now();
    return round();
  };

  return () => (waiting ??= begin());
};
