/** Too many are waiting already; the caller should ask again later. */
export class TooBusyError extends Error {
  override readonly name = 'TooBusyError';
}

export interface Turns {
  /** Runs the work when it is its turn. Throws TooBusyError at once when the queue is full. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Lets only so many pieces of work run at once. Password hashing runs on the four threads that also read files: without this, forty sign-ins
 * at once hold up every other call for most of a second.
 */
export const createTurns = ({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns => {
  const queue: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    const start = queue.shift();
    if (start === undefined) running -= 1;
    else start();
  };
  return {
    async take(work) {
      if (running < atOnce) running += 1;
      else {
        if (queue.length >= waiting) throw new TooBusyError('too many are waiting');
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
};
