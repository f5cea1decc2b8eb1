import { isAscii } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { UsageError } from '#errors.ts';
import { findEncoding, type FoundEncoding, notUtf8, type TableEncoding } from './table-encoding.ts';

/** A line with something in it. Lines are numbered from 1, blank ones among them. */
export type TextLine = { readonly line: number } & ({ readonly text: string } | { readonly problem: string });

export const longestLine = 64 * 1024;
const maxBytesPerCharacter = 4;

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

interface ByteLine {
  readonly line: number;
  /** Undefined when it is too long to be a line. */
  readonly bytes: Buffer | undefined;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Ends of lines in a chunk are LF, CR or CRLF. */
const endsOf = function* (chunk: Buffer, from: number): Generator<{ at: number; next: number }> {
  let feed = chunk.indexOf(lineFeed, from);
  let carriage = chunk.indexOf(carriageReturn, from);
  while (feed !== -1 || carriage !== -1) {
    const isFeed = carriage === -1 || (feed !== -1 && feed < carriage);
    const at = isFeed ? feed : carriage;
    const next = at + (!isFeed && feed === at + 1 ? 2 : 1);
    yield { at, next };
    if (feed !== -1 && feed < next) feed = chunk.indexOf(lineFeed, next);
    if (carriage !== -1 && carriage < next) carriage = chunk.indexOf(carriageReturn, next);
  }
};

/** Lines that end with LF, CR or CRLF. Holds one of them at a time, however long the file is. */
const splitLines = async function* (chunks: Chunks): AsyncGenerator<ByteLine> {
  const maxBytes = longestLine * maxBytesPerCharacter;
  let line = 0;
  let held: Buffer[] = [];
  let size = 0;
  let isAfterCarriageReturn = false;
  const hold = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) held.push(part);
  };
  const take = (): ByteLine => {
    line += 1;
    const bytes = size > maxBytes ? undefined : Buffer.concat(held);
    held = [];
    size = 0;
    return { line, bytes };
  };
  for await (const chunk of chunks) {
    // The chunk before ended between CR and LF.
    let from = isAfterCarriageReturn && chunk[0] === lineFeed ? 1 : 0;
    for (const { at, next } of endsOf(chunk, from)) {
      hold(chunk.subarray(from, at));
      yield take();
      from = next;
    }
    isAfterCarriageReturn = chunk.at(-1) === carriageReturn;
    if (from < chunk.length) hold(chunk.subarray(from));
  }
  if (size > 0) yield take();
};

const asUtf8 = async function* (chunks: Chunks, { isBigEndian }: FoundEncoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le');
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
};

/** A file in UTF-8 that is read as another encoding would be published with other letters, and no validator would notice. */
const refuseOtherEncoding = (path: string, encoding: TableEncoding, found: FoundEncoding): void => {
  if (encoding === 'windows-1250' && found.isUtf8Text) throw new UsageError(`${path} is UTF-8: leave out --encoding`);
  if (encoding === 'windows-1250' && found.isUtf16) throw new UsageError(`${path} is UTF-16: say --encoding utf-16`);
  if (encoding === 'utf-16' && !found.isUtf16) throw new UsageError(`${path} is not UTF-16`);
};

const decoderOf = (encoding: TableEncoding, found: FoundEncoding): ((bytes: Buffer) => { text: string } | { problem: string }) => {
  const windows = new TextDecoder('windows-1250');
  return (bytes) => {
    // Of a file that is not UTF-8 every line beyond ASCII is doubtful: "SPÓŁKA" in Windows-1250 is valid UTF-8, with other letters.
    if (encoding === 'utf-8' && !found.isUtf8 && (found.isUtf16 || !isAscii(bytes))) return { problem: notUtf8(found) };
    const text = encoding === 'windows-1250' ? windows.decode(bytes) : bytes.toString('utf8');
    if (text.length > longestLine) return { problem: `longer than ${longestLine} characters` };
    if (text.includes('\uFFFD')) return { problem: 'holds a letter that was lost in a conversion before (U+FFFD)' };
    return { text };
  };
};

/** A file is read twice, which a pipe cannot be. */
const openBytes = async (path: string): Promise<() => Chunks> => {
  if ((await stat(path)).isFile()) return () => createReadStream(path) as AsyncIterable<Buffer>;
  const bytes = [await readFile(path)];
  return () => bytes;
};

/** Lines of a file with something in them. Throws UsageError when its bytes contradict the encoding. */
export const readTextLines = async function* (path: string, encoding: TableEncoding): AsyncGenerator<TextLine> {
  const open = await openBytes(path);
  const found = await findEncoding(open());
  refuseOtherEncoding(path, encoding, found);
  const decode = decoderOf(encoding, found);
  for await (const { line, bytes } of splitLines(encoding === 'utf-16' ? asUtf8(open(), found) : open())) {
    const read = bytes === undefined ? { problem: `longer than ${longestLine} characters` } : decode(bytes);
    if ('problem' in read) yield { line, problem: read.problem };
    else {
      const text = line === 1 ? read.text.replace(/^\uFEFF/, '') : read.text;
      if (text.trim() !== '') yield { line, text };
    }
  }
};
