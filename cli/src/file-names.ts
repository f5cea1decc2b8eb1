import { onOneLine } from './one-line.ts';

/** Names that look alike are the same: a Mac decomposes letters with marks, and Windows parts folders with a backslash. */
export const comparedName = (name: string): string => name.normalize().replaceAll('\\', '/');

/** Comparing every name of a large folder takes a while. */
const maxNearest = 100;

/** Says of a name that is not there which one is nearest to it; of a hundred, then no more. */
export const createMissingSentence = (): ((name: string, names: () => Iterable<string> | Promise<Iterable<string>>) => Promise<string>) => {
  let told = 0;
  return async (name, names) => {
    const sentence = 'there is no such file';
    told += 1;
    const nearest = told > maxNearest ? undefined : nearestName(name, await names());
    return nearest === undefined ? sentence : `${sentence}; the nearest is '${onOneLine(nearest)}'`;
  };
};

const maxCompared = 200;

/** The one of the names that a person may have meant. Letters with and without their marks, small and capital, differ least. */
const nearestName = (name: string, names: Iterable<string>): string | undefined => {
  const plain = (text: string): string =>
    comparedName(text).normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[łŁ]/g, 'l').toLowerCase().slice(-maxCompared);
  const sought = plain(name);
  let nearest: string | undefined;
  let limit = Infinity;
  for (const candidate of names) {
    const other = plain(candidate);
    const distance = distanceOf(sought, { other, limit: Math.min(limit, Math.max(sought.length, other.length) + 1) });
    if (distance >= limit) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
};

/** How many letters differ; as much as `limit` when it is not less. */
const distanceOf = (one: string, { other, limit }: { other: string; limit: number }): number => {
  if (Math.abs(one.length - other.length) >= limit) return limit;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++)
      next.push(Math.min((next[index] ?? 0) + 1, (row[index + 1] ?? 0) + 1, (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1)));
    if (Math.min(...next) >= limit) return limit;
    row = next;
  }
  return Math.min(row[other.length] ?? limit, limit);
};
