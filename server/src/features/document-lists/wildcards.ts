export interface Pattern {
  /** What is looked for, literally. */
  readonly text: string;
  /** False: the whole value must be equal to it. */
  readonly anywhere: boolean;
}

/**
 * Reads a LIKE value as D6 writes it: one outer pair of `%` means anywhere, `\` escapes `\ % _`, and everything else is literal. A value
 * without the pair is exact. A final `%` that is itself escaped is no pair.
 */
export const readPattern = (value: string): Pattern => {
  const anywhere = /^%(?:.*[^\\])?(?:\\\\)*%$/s.test(value);
  const inner = anywhere ? value.slice(1, -1) : value;
  return { text: inner.replaceAll(/\\([\\%_])/g, '$1'), anywhere };
};
