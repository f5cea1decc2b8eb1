/** Both ends included, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The byte range of a Range header: undefined is the whole file (also for an unknown unit or several ranges, as a server may answer those
 * with all of it), 'unsatisfiable' a range that the file does not have.
 */
export const readByteRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined => {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return Number(last) === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
};

/** Whether one of the tags in If-None-Match is this one: the caller has the file already. */
export const holdsTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
