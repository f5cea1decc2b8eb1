import { predictLength } from 'client-zip';

export interface IncompleteWords {
  /** Of the entry. */
  readonly name: string;
  readonly text: string;
}

interface Sized {
  readonly name: string;
  readonly size: number;
}

/**
 * The entry that says which documents an archive does not hold. Its text is padded with line breaks, so that the archive is as long as the
 * Content-Length that was sent before its first byte. Undefined when the missing documents leave no room for it.
 */
export const incompleteEntry = (
  { name, text }: IncompleteWords,
  { missing, present, length }: { missing: readonly string[]; present: readonly Sized[]; length: bigint },
): { name: string; input: Buffer; size: number } | undefined => {
  const size = Number(length - predictLength([...present, { name, size: 0 }]));
  const words = Buffer.from(`${text}\r\n\r\n${missing.map((one) => `${one}\r\n`).join('')}`);
  // Of a small document that is missing there may be no room for all of it; the checksums name what is missing, too.
  if (size < Math.min(words.length, minBytes) || predictLength([...present, { name, size }]) !== length) return undefined;
  const input = Buffer.alloc(size, '\n');
  words.copy(input);
  return { name, input, size };
};

const minBytes = 150;
