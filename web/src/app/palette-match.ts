export interface Match {
  /** Where the query's words stand in the text: [start, end), in order, without overlaps. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** The smaller, the better: words that begin the text, then words that begin a word of it, then any. */
  readonly rank: number;
}

/** Finds every word of a query in a text, whatever their order, case and accents; undefined when one of them is not there. */
export const findMatch = (text: string, query: string): Match | undefined => {
  const folded = fold(text);
  const found = wordsOf(query).map((word) => placeOf(folded, word));
  if (found.some((place) => place === undefined)) return undefined;
  const places = found.filter((place) => place !== undefined);
  return { ranges: merge(places.map(({ range }) => range)), rank: Math.max(0, ...places.map(({ rank }) => rank)) };
};

const wordsOf = (query: string): readonly string[] => fold(query).split(/\s+/).filter(Boolean);

/** Letter by letter, so that a place in the folded text is the same place in the text. */
const fold = (text: string): string =>
  Array.from({ length: text.length }, (_, at) =>
    (text[at] ?? '').normalize('NFD').charAt(0).toLowerCase().charAt(0).replace('ł', 'l'),
  ).join('');

const placeOf = (text: string, word: string) => {
  let at = text.indexOf(word);
  if (at === -1) return undefined;
  let rank = at === 0 ? 0 : 2;
  for (let next = at; next !== -1 && rank === 2; next = text.indexOf(word, next + 1))
    if (!/[\p{L}\p{N}]/u.test(text.charAt(next - 1))) {
      at = next;
      rank = 1;
    }
  return { range: [at, at + word.length] as const, rank };
};

const merge = (ranges: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
};
