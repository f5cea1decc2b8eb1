/** One promise of the product in numbers, smaller is better. With a floor, the same work done by the least there is, the ratio is what counts. */
export interface Promised {
  readonly name: string;
  /** In words, for the table. */
  readonly promise: string;
  readonly unit: string;
  /** Of the ratio ours : floor; without a floor, of ours itself. */
  readonly limit: number;
  /**
   * The limit is of ours itself, on a machine on which the floor takes so long: where the floor takes twice as long, ours may (decision 0020).
   */
  readonly limitAtFloor?: number;
  /** Floor and ours take turns this many times; the median counts. */
  readonly rounds: number;
  /** Sets up both sides. Throws PeerAbsent when this machine has nothing to compare with. */
  open(): Promise<Measuring>;
}

export interface Measuring extends AsyncDisposable {
  ours(): Promise<number>;
  readonly floor?: () => Promise<number>;
}

/** The program that ours is compared with is not installed. */
export class PeerAbsent extends Error {
  override readonly name = 'PeerAbsent';
}
