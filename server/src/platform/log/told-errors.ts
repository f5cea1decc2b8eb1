/** Errors of outages: an outage has a line of its own, so lines with these are not written. */
const told = new WeakSet<Error>();
const silenced = new Set<(error: unknown) => boolean>();

/** As deep as errors are wrapped here. */
const maxCauses = 5;

export const markTold = (error: unknown): void => {
  if (error instanceof Error) told.add(error);
};

/** Lines with errors that `isOf` recognises are not written until the function is called that this returns. */
export const silenceWhile = (isOf: (error: unknown) => boolean): (() => void) => {
  silenced.add(isOf);
  return () => void silenced.delete(isOf);
};

const isOfOutage = (error: Error): boolean => told.has(error) || silenced.values().some((isOf) => isOf(error));

/** Whether an outage has told the error, or what has caused it. */
export const isTold = (error: unknown): boolean => {
  let cause = error;
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth += 1) {
    if (isOfOutage(cause)) return true;
    ({ cause } = cause);
  }
  return false;
};
