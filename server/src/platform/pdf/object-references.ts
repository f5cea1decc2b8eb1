/** `N G obj`, or `N G R`. */
interface Mention {
  readonly number: number;
  readonly at: number;
  readonly isHeader: boolean;
}

const mention = /(?<![\d.])(\d{1,10})[\0\t\n\f\r ]{1,8}\d{1,5}[\0\t\n\f\r ]{1,8}(obj|R)(?![A-Za-z])/g;
const chunkBytes = 1024 * 1024;
const longestMention = 64;

/** Headers of objects and references to them, as they stand in a file, whatever lies around them; those in packed streams are not found. */
export const mentionsIn = function* (bytes: Buffer): Generator<Mention> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    // What is cut off at the end of one part is found in the next, behind the character that decides whether a number begins there.
    const from = Math.max(0, start - 1);
    const text = bytes.toString('latin1', from, start + chunkBytes + longestMention);
    for (const found of text.matchAll(mention)) {
      const at = from + found.index;
      if (at >= start && at < start + chunkBytes) yield { number: Number(found[1]), at, isHeader: found[2] === 'obj' };
    }
  }
};
