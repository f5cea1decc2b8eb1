import { PeerAbsent, type Promised } from './promise.ts';

/** Numbers of one promise, or in a word why there are none. */
export interface Outcome {
  readonly promised: Promised;
  readonly ours?: number;
  readonly floor?: number;
  readonly ratio?: number;
  readonly isKept: boolean;
  readonly note: string;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('there is no median of nothing');
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

/** Ours and the floor alternate, so that other load on the machine slows both alike; each round gives one ratio. */
export const measure = async (promised: Promised): Promise<Outcome> => {
  try {
    await using measuring = await promised.open();
    const { floor: measureFloor } = measuring;
    const rounds: { floor: number | undefined; ours: number }[] = [];
    for (let round = 0; round < promised.rounds; round += 1) rounds.push({ floor: await measureFloor?.(), ours: await measuring.ours() });
    const ours = median(rounds.map((round) => round.ours));
    if (measureFloor === undefined) return { promised, ours, isKept: ours <= promised.limit, note: '' };
    const floor = median(rounds.map((round) => round.floor ?? 0));
    const ratio = median(rounds.map((round) => round.ours / (round.floor ?? 0)));
    return { promised, ours, floor, ratio, isKept: ratio * (promised.limitAtFloor ?? 1) <= promised.limit, note: '' };
  } catch (error) {
    if (error instanceof PeerAbsent) return { promised, isKept: true, note: `peer absent: ${error.message}` };
    return { promised, isKept: false, note: error instanceof Error ? error.message : String(error) };
  }
};
