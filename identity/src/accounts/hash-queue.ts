import { blockOf } from '../throttle/address.ts';

/** Too many are waiting already; the caller should ask again later. */
export class TooBusyError extends Error {
  override readonly name = 'TooBusyError';
}

/** For whom a piece of work is done. */
export interface Asker {
  /** Work of one lane waits for its turn among itself: a network’s, or a person’s. */
  readonly lane: string;
  /** A person or browser that is known goes before strangers. */
  readonly isKnown: boolean;
}

export const askers = {
  person: (personalId: string): Asker => ({ lane: `person ${personalId}`, isKnown: true }),
  stranger: (address: string): Asker => ({ lane: `network ${blockOf(address)}`, isKnown: false }),
  /** Whoever writes clients’ records, one after the other. */
  records: { lane: 'records', isKnown: true },
} as const satisfies Record<string, Asker | ((name: string) => Asker)>;

export interface Turns {
  /** Runs the work when it is its turn. Throws TooBusyError when the queue has no room, or its place in it was needed by a shorter lane. */
  take<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>;
}

interface Waiting extends Asker {
  /** Each lane has one piece of work in a round. */
  readonly round: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** While both wait, this many turns of known people are followed by one of a stranger. */
const mostKnownInARow = 3;

/**
 * Lets only so many pieces of work run at once. Password hashing runs on the four threads that also read files: without this, forty sign-ins
 * at once hold up every other call for most of a second.
 *
 * The queue is fair between lanes: they are served round-robin, and when it is full, a newcomer takes the last place of the longest lane. So
 * one network that fills it waits for itself, and keeps nobody else out.
 */
export const createTurns = ({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns => {
  const queue: Waiting[] = [];
  let running = 0;
  let round = 0;
  let knownInARow = 0;

  const pick = (): Waiting | undefined => {
    const isStrangersTurn = knownInARow >= mostKnownInARow && queue.some(({ isKnown }) => !isKnown);
    const wanted = queue.filter(({ isKnown }) => isKnown !== isStrangersTurn);
    return (wanted.length > 0 ? wanted : queue).toSorted((left, right) => left.round - right.round).at(0);
  };

  const leave = (entry: Waiting): void => {
    queue.splice(queue.indexOf(entry), 1);
  };

  const next = (): void => {
    const entry = pick();
    if (entry === undefined) {
      running -= 1;
      return;
    }
    leave(entry);
    knownInARow = entry.isKnown ? knownInARow + 1 : 0;
    round = Math.max(round, entry.round);
    entry.start();
  };

  const ofLane = (lane: string): readonly Waiting[] => queue.filter((entry) => entry.lane === lane);

  /** Refuses the last of the longest lane, if that is longer than the newcomer's would be; among equals somebody known replaces a stranger. */
  const makeRoom = ({ lane, isKnown }: Asker): boolean => {
    const lanes = [...Map.groupBy(queue, (entry) => entry.lane).values()];
    const last = lanes
      .toSorted((left, right) => right.length - left.length || Number(left[0]?.isKnown) - Number(right[0]?.isKnown))[0]
      ?.at(-1);
    if (last === undefined) return false;
    const own = ofLane(lane).length + (isKnown && !last.isKnown ? 0 : 1);
    if (ofLane(last.lane).length <= own) return false;
    leave(last);
    last.refuse();
    return true;
  };

  const wait = (asker: Asker): Promise<void> => {
    if (queue.length >= waiting && !makeRoom(asker)) throw new TooBusyError('too many are waiting');
    const before = ofLane(asker.lane).at(-1);
    return new Promise<void>((resolve, reject) => {
      queue.push({
        ...asker,
        round: before === undefined ? round : before.round + 1,
        start: resolve,
        refuse: () => reject(new TooBusyError('a shorter lane needed the place')),
      });
    });
  };

  return {
    async take(asker, work) {
      if (running < atOnce) running += 1;
      else await wait(asker);
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
};
