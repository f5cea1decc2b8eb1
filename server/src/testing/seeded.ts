/** The same numbers in every run with this seed: each call gives a whole one from 0 to below `most`. */
export const createSeeded = (seed: number) => {
  let state = seed;
  return (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
};
