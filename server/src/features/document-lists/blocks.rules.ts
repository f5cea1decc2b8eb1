/** Some dozens of deliveries: few enough to be looked at one by one, and enough for a bitmap to be worth its page. */
export const blockSize = 64;

/** Two bitmaps and their rows are a page of the database. */
const bytes = 3_960;

const hash = (text: string, from: number, length: number): number => {
  let value = length;
  for (let at = from; at < from + length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93) + 0x9e_37;
  return ((value ^ (value >>> 15)) >>> 0) % (bytes * 8);
};

/** Groups of three letters say little of numbers, which have all of them; groups of four are added. */
const forEachGram = (text: string, visit: (bit: number) => void): void => {
  for (const length of [4, 3]) for (let from = 0; from + length <= text.length; from += 1) visit(hash(text, from, length));
};

/** Which groups of letters the folded texts have. Undefined among them is a text that is not known: it may have any. */
export const gramsOf = (texts: Iterable<string | undefined>): Buffer => {
  const grams = Buffer.alloc(bytes);
  for (const text of texts) {
    if (text === undefined) return grams.fill(255);
    forEachGram(text, (bit) => {
      grams[bit >> 3] = (grams[bit >> 3] ?? 0) | (1 << (bit & 7));
    });
  }
  return grams;
};

const mostBits = 10;

/** The bits that all have to be there where a folded word is; none for a word too short to say. */
export const bitsOf = (word: string): number[] => {
  const bits = new Set<number>();
  forEachGram(word, (bit) => {
    if (bits.size < mostBits) bits.add(bit);
  });
  return [...bits];
};
