import { blockOf } from '../throttle/address.ts';

/** Too many are waiting already; the caller should retry later. */
export class TooBusyError extends Error {
  override readonly name = 'TooBusyError';
}

/** The caller that a hash is computed for. */
export interface Asker {
  /** Lanes are served round-robin: one for each network, and one for each person. */
  readonly lane: string;
  /** Known people and browsers are served before unknown ones. */
  readonly isKnown: boolean;
}

export const askers = {
  person: (personalId: string): Asker => ({ lane: `person ${personalId}`, isKnown: true }),
  stranger: (address: string): Asker => ({ lane: `network ${blockOf(address)}`, isKnown: false }),
  /** The import of clients’ records, one hash after the other. */
  records: { lane: 'records', isKnown: true },
} as const satisfies Record<string, Asker | ((name: string) => Asker)>;

export interface HashQueue {
  /** Throws TooBusyError when the queue is full, also later, when a shorter lane needs the place. */
  run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>;
}

interface Waiting extends Asker {
  /** Each lane has one piece of work in a round. */
  readonly round: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** While both wait, an unknown caller is served after this many known ones. */
const maxKnownInARow = 3;

/**
 * Limits the concurrency of password hashing, which runs on the four threads that also read files: without a limit, forty sign-ins at once
 * delay every other call for most of a second.
 *
 * The queue is fair between lanes: it serves them round-robin, and when it is full, a newcomer takes the last place of the longest lane. A
 * network that floods the queue delays only itself, which a plain concurrency limiter (p-limit) cannot promise.
 */
export const createHashQueue = ({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): HashQueue => {
  const queue: Waiting[] = [];
  let running = 0;
  let round = 0;
  let knownInARow = 0;

  const leave = (entry: Waiting): void => {
    queue.splice(queue.indexOf(entry), 1);
  };

  const next = (): void => {
    const entry = findNext(queue, { isStrangerDue: knownInARow >= maxKnownInARow });
    if (entry === undefined) {
      running -= 1;
      return;
    }
    leave(entry);
    knownInARow = entry.isKnown ? knownInARow + 1 : 0;
    round = Math.max(round, entry.round);
    entry.start();
  };

  /** Refuses the last of the longest lane, if that is longer than the newcomer's would be; among equals a known caller replaces an unknown one. */
  const makeRoom = ({ lane, isKnown }: Asker): boolean => {
    const last = findLastOfLongestLane(queue);
    if (last === undefined) return false;
    const own = ofLane(queue, lane).length + (isKnown && !last.isKnown ? 0 : 1);
    if (ofLane(queue, last.lane).length <= own) return false;
    leave(last);
    last.refuse();
    return true;
  };

  const wait = (asker: Asker): Promise<void> => {
    if (queue.length >= maxWaiting && !makeRoom(asker)) throw new TooBusyError('too many are waiting');
    const before = ofLane(queue, asker.lane).at(-1);
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
    async run(asker, work) {
      if (running < concurrency) running += 1;
      else await wait(asker);
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
};

const ofLane = (queue: readonly Waiting[], lane: string): readonly Waiting[] => queue.filter((entry) => entry.lane === lane);

const findNext = (queue: readonly Waiting[], { isStrangerDue }: { isStrangerDue: boolean }): Waiting | undefined => {
  const isStrangerNext = isStrangerDue && queue.some(({ isKnown }) => !isKnown);
  const wanted = queue.filter(({ isKnown }) => isKnown !== isStrangerNext);
  return (wanted.length > 0 ? wanted : queue).toSorted((left, right) => left.round - right.round).at(0);
};

/** Among lanes of one length, an unknown caller's. */
const findLastOfLongestLane = (queue: readonly Waiting[]): Waiting | undefined =>
  [...Map.groupBy(queue, (entry) => entry.lane).values()]
    .toSorted((left, right) => right.length - left.length || Number(left[0]?.isKnown) - Number(right[0]?.isKnown))[0]
    ?.at(-1);
