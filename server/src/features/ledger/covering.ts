import { setTimeout as pause } from 'node:timers/promises';

interface Parts {
  readonly round: () => Promise<'idle' | 'done' | 'more'>;
  /** Between the beginnings of two rounds. */
  readonly intervalMs: number;
}

/** Group commit: while rounds run, further callers share the next one. Resolves when everything that was committed before the call is covered. */
export const createCovering = ({ round, intervalMs }: Parts): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  let begunAtMs = Number.NEGATIVE_INFINITY;

  const begin = async (): Promise<void> => {
    // Its own callers are told of its error.
    await running?.catch(() => undefined);
    const restMs = begunAtMs + intervalMs - performance.now();
    if (restMs > 0) await pause(restMs);
    running = waiting;
    waiting = undefined;
    begunAtMs = performance.now();
    let outcome = await round();
    while (outcome === 'more') outcome = await round();
  };

  return () => (waiting ??= begin());
};
