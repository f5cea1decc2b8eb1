import { UsageError } from '#errors.ts';

export const tableEncodings = ['utf-8', 'windows-1250', 'utf-16'] as const;
export type TableEncoding = (typeof tableEncodings)[number];

/** The value of `--encoding`; left out, UTF-8. Throws UsageError. */
export const readEncoding = (text = 'utf-8'): TableEncoding => {
  const encoding = tableEncodings.find((name) => name === text.toLowerCase());
  if (encoding === undefined) throw new UsageError(`--encoding ${text}: must be ${tableEncodings.join(', ')}`);
  return encoding;
};

/** What the bytes of a file say about its encoding. */
export interface FoundEncoding {
  readonly isUtf8: boolean;
  /** UTF-8 with letters beyond ASCII, and no other ones than those of Latin script. */
  readonly isUtf8Text: boolean;
  readonly looksLike: 'windows-1250' | 'UTF-16' | 'ISO-8859-2' | undefined;
  readonly isUtf16: boolean;
  readonly isBigEndian: boolean;
}

const polishIn = (label: string): readonly number[] => {
  const decoder = new TextDecoder(label);
  return Array.from({ length: 128 }, (_, index) => index + 128).filter((byte) =>
    'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ'.includes(decoder.decode(Uint8Array.of(byte))),
  );
};

/** The Polish letters that the two code pages have at different places tell them apart. */
const guessCodePage = (counts: Uint32Array): 'windows-1250' | 'ISO-8859-2' | undefined => {
  const windows = polishIn('windows-1250');
  const iso = polishIn('iso-8859-2');
  const countOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum + (counts[byte] ?? 0), 0);
  const all = countOf(Array.from({ length: 128 }, (_, index) => index + 128));
  const [likelier, count] =
    countOf(iso) > countOf(windows) ? (['ISO-8859-2', countOf(iso)] as const) : (['windows-1250', countOf(windows)] as const);
  return count * 2 > all ? likelier : undefined;
};

/** Of a whole file: a single line says too little, as some words of one encoding are valid in another one. */
export const findEncoding = async (chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<FoundEncoding> => {
  const counts = new Uint32Array(256);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head = Buffer.alloc(0);
  let bytes = 0;
  let isUtf8 = true;
  let isLatin = true;
  const decode = (chunk?: Buffer): void => {
    try {
      isLatin &&= /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u.test(
        chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }),
      );
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      isUtf8 = false;
    }
  };
  for await (const chunk of chunks) {
    if (head.length < 2) head = Buffer.concat([head, chunk.subarray(0, 2)]);
    bytes += chunk.length;
    for (const byte of chunk) counts[byte] = (counts[byte] ?? 0) + 1;
    if (isUtf8) decode(chunk);
  }
  if (isUtf8) decode();
  const [first, second] = head;
  const mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Text of UTF-16 that is mostly ASCII is valid UTF-8 with a NUL in every other place.
  const isUtf16 = mark || (counts[0] ?? 0) > bytes / 4;
  const beyondAscii = counts.subarray(128).some((count) => count > 0);
  return {
    isUtf8: isUtf8 && !isUtf16,
    isUtf8Text: isUtf8 && !isUtf16 && beyondAscii && isLatin,
    looksLike: isUtf16 ? 'UTF-16' : guessCodePage(counts),
    isUtf16: isUtf16 || (counts[0] ?? 0) > 0,
    isBigEndian: first === 0 || first === 0xfe,
  };
};

/** Why a text is not UTF-8, and what to do. */
export const notUtf8 = ({ looksLike }: FoundEncoding): string => {
  if (looksLike === 'windows-1250' || looksLike === 'UTF-16')
    return `not UTF-8; it looks like ${looksLike}: add --encoding ${looksLike.toLowerCase()}, or save it as UTF-8`;
  if (looksLike === 'ISO-8859-2') return 'not UTF-8; it looks like ISO-8859-2: save it as UTF-8';
  return 'not UTF-8: save it as UTF-8, or say --encoding windows-1250 or utf-16';
};
