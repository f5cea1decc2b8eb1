import { createHash } from 'node:crypto';

/** Random choices that follow from a name: the same name gives the same row of choices on every machine. */
export interface Chance {
  /** Whole number, both ends included. */
  between(lowest: number, highest: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  digits(count: number): string;
  isOneIn(count: number): boolean;
}

export function createChance(name: string): Chance {
  let state = createHash('sha256').update(name).digest().readUInt32LE(0);

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  const between = (lowest: number, highest: number): number => lowest + Math.floor(next() * (highest - lowest + 1));
  return {
    between,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
    digits: (count) => Array.from({ length: count }, () => String(between(0, 9))).join(''),
    isOneIn: (count) => between(1, count) === 1,
  };
}
