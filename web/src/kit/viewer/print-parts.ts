/** Pages, both counted. */
export interface PrintedPart {
  readonly from: number;
  readonly to: number;
}

interface Bounds {
  readonly count: number;
  readonly most: number;
}

/** Pages are numbered from 1; `printedTo` is 0 before the first part. */
export const nextPart = (printedTo: number, { count, most }: Bounds): PrintedPart => ({
  from: printedTo + 1,
  to: Math.min(printedTo + most, count),
});

export const wrongPart = ({ from, to }: PrintedPart, { count, most }: Bounds): 'pages' | 'tooMany' | undefined => {
  if (from < 1 || to > count || from > to) return 'pages';
  return to - from + 1 > most ? 'tooMany' : undefined;
};
