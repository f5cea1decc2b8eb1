/** How many files of a day each client had refused. */
export interface RefusedFiles {
  countOf(personalId: string, day: string): number;
  /** Each refusal counts once, by its error. */
  add(refusal: { personalId: string; day: string; error: Error }): void;
}

/** Kept in this process alone, and forgotten with it, as nothing but its own work is protected. Of one day: the next one begins with none. */
export const createRefusedFiles = (): RefusedFiles => {
  const counts = new Map<string, number>();
  const counted = new WeakSet<Error>();
  let countedDay = '';
  return {
    countOf: (personalId, day) => (day === countedDay ? (counts.get(personalId) ?? 0) : 0),
    add({ personalId, day, error }) {
      if (counted.has(error)) return;
      counted.add(error);
      if (day !== countedDay) counts.clear();
      countedDay = day;
      counts.set(personalId, (counts.get(personalId) ?? 0) + 1);
    },
  };
};
