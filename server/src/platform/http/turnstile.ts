/**
 * So many at once, and of each caller fewer; the others wait for their turn, in the order in which they came. Whoever takes long keeps on, but
 * no longer counts: a slow line holds nobody else up. When the slow line is over, `act` calls `keepPlace`: what follows is our own work, and
 * counts however long it takes.
 */
export interface Turnstile {
  pass<Result>(caller: string, act: (keepPlace: () => void) => Promise<Result>): Promise<Result>;
}

interface Waiting {
  readonly caller: string;
  readonly enter: () => void;
}

interface Limits {
  readonly atOnce: number;
  readonly perCaller: number;
  readonly countsForMs: number;
}

export const createTurnstile = ({ atOnce, perCaller, countsForMs }: Limits): Turnstile => {
  const inside = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;

  const mayEnter = (caller: string): boolean => total < atOnce && (inside.get(caller) ?? 0) < perCaller;

  const count = (caller: string, by: 1 | -1): void => {
    const left = (inside.get(caller) ?? 0) + by;
    if (left === 0) inside.delete(caller);
    else inside.set(caller, left);
    total += by;
  };

  const leave = (caller: string): void => {
    count(caller, -1);
    const next = waiting.findIndex((one) => mayEnter(one.caller));
    const [entering] = next < 0 ? [] : waiting.splice(next, 1);
    if (entering === undefined) return;
    count(entering.caller, 1);
    entering.enter();
  };

  return {
    async pass(caller, act) {
      if (mayEnter(caller)) count(caller, 1);
      else await new Promise<void>((enter) => waiting.push({ caller, enter }));
      let hasLeft = false;
      const leaveOnce = (): void => {
        if (!hasLeft) leave(caller);
        hasLeft = true;
      };
      const timer = setTimeout(leaveOnce, countsForMs);
      try {
        return await act(() => clearTimeout(timer));
      } finally {
        clearTimeout(timer);
        leaveOnce();
      }
    },
  };
};
