import { constants, inflateSync } from 'node:zlib';
import type { PackedPlace } from './cross-references.ts';
import { isRegular, isSpace, namesOfObject, wantNames } from './pdf-names.ts';

/** One table, or one stream that takes its place (ISO 32000-2, 7.5.4 and 7.5.8). */
export interface Section {
  /** Objects that are no longer there. Left out of a stream: the engine takes what earlier versions say of them. */
  readonly freed: readonly number[];
  /** Position of the section before it. */
  readonly previous?: number | undefined;
  /** Position of the stream that completes a table. */
  readonly hybrid?: number | undefined;
  readonly isEncrypted: boolean;
}

interface Entries {
  onPosition(this: void, number: number, position: number): void;
  onPacked(this: void, number: number, place: PackedPlace): void;
  /** Answers whether so many more entries may be read. */
  takeRoom(this: void, count: number): boolean;
}

/** Between two words: longer ones are no longer taken for one. */
export const maxGap = 256;
const wordXref = 'xref';
const wordTrailer = 'trailer';
const entryBytes = 20;
/** More is no dictionary of a table. */
const maxDictionaryBytes = 256 * 1024;
const maxRowBytes = 32;
const fewBytes = 64 * 1024;
const none = wantNames([]);

/** Behind white space and comments. */
export const skipGap = (bytes: Buffer, start: number): number => {
  const end = Math.min(bytes.length, start + maxGap);
  let isComment = false;
  for (let at = start; at < end; at += 1) {
    const sign = bytes[at];
    if (isComment) isComment = sign !== lineFeed && sign !== carriageReturn;
    else if (sign === percent) isComment = true;
    else if (!isSpace(sign)) return at;
  }
  return end;
};

const isWord = (bytes: Buffer, at: number, word: string): boolean =>
  bytes.toString('latin1', at, at + word.length) === word && !isRegular(bytes[at + word.length]);

/** The end of `N G obj`, where these words are at a position. */
export const objectAt = (bytes: Buffer, position: number): { number: number; body: number } | undefined => {
  // Within a longer number another object begins.
  if (isDigit(bytes[position]) && isDigit(bytes[position - 1])) return undefined;
  const number = numberAt(bytes, skipGap(bytes, position));
  const generation = number === undefined ? undefined : numberAt(bytes, skipGap(bytes, number.end));
  if (number === undefined || generation === undefined) return undefined;
  const word = skipGap(bytes, generation.end);
  return isWord(bytes, word, 'obj') ? { number: number.value, body: word + 'obj'.length } : undefined;
};

export const isTable = (bytes: Buffer, position: number): boolean =>
  position < bytes.length && (isWord(bytes, skipGap(bytes, position), wordXref) || objectAt(bytes, position) !== undefined);

/** Undefined where it cannot be read. */
export const readSection = (bytes: Buffer, position: number, entries: Entries): Section | undefined => {
  const start = skipGap(bytes, position);
  return isWord(bytes, start, wordXref) ? readTable(bytes, start + wordXref.length, entries) : readStream(bytes, position, entries);
};

/** As the engine reads it: entries of exactly twenty bytes. */
const readTable = (bytes: Buffer, start: number, { onPosition, takeRoom }: Entries): Section | undefined => {
  const freed: number[] = [];
  let at = skipGap(bytes, start);
  while (!isWord(bytes, at, wordTrailer)) {
    const first = numberAt(bytes, at);
    const count = first === undefined ? undefined : numberAt(bytes, skipGap(bytes, first.end));
    if (first === undefined || count === undefined || !takeRoom(count.value)) return undefined;
    at = skipGap(bytes, count.end);
    if (at + count.value * entryBytes > bytes.length) return undefined;
    for (let index = 0; index < count.value; index += 1, at += entryBytes) {
      if (bytes[at + 17] === letterF) freed.push(first.value + index);
      else onPosition(first.value + index, numberAt(bytes, at)?.value ?? 0);
    }
    at = skipGap(bytes, at);
  }
  const body = at + wordTrailer.length;
  const within = bytes.subarray(0, body + maxDictionaryBytes);
  const dictionary = bytes.subarray(body, namesOfObject(within, body, { wanted: none, isPacked: true }).end);
  return { freed, hybrid: entryOf(dictionary, 'XRefStm'), ...commonEntries(dictionary) };
};

const readStream = (bytes: Buffer, position: number, { onPosition, onPacked, takeRoom }: Entries): Section | undefined => {
  const body = objectAt(bytes, position)?.body ?? bytes.length;
  const { stream } = namesOfObject(bytes.subarray(0, body + maxDictionaryBytes), body, { wanted: none });
  if (stream === undefined) return undefined;
  const dictionary = bytes.subarray(body, stream);
  const [kindBytes = 0, secondBytes = 0, thirdBytes = 0] = listOf(dictionary, 'W') ?? [];
  const rowBytes = kindBytes + secondBytes + thirdBytes;
  const index = listOf(dictionary, 'Index') ?? [0, entryOf(dictionary, 'Size') ?? 0];
  const count = index.reduce((sum, value, at) => sum + (at % 2 === 0 ? 0 : value), 0);
  if (rowBytes === 0 || rowBytes > maxRowBytes || !takeRoom(count)) return undefined;
  const rows = unpack(bytes.subarray(stream), { dictionary, wantedBytes: count * rowBytes });
  if (rows === undefined || rows.length < count * rowBytes) return undefined;
  let at = 0;
  for (let section = 0; section + 1 < index.length; section += 2) {
    const first = index[section] ?? 0;
    for (let number = first; number < first + (index[section + 1] ?? 0); number += 1, at += rowBytes) {
      const kind = kindBytes === 0 ? inUse : bigEndian(rows, at, kindBytes);
      const second = bigEndian(rows, at + kindBytes, secondBytes);
      if (kind === inUse) onPosition(number, second);
      if (kind === inStream) onPacked(number, { stream: second, index: bigEndian(rows, at + kindBytes + secondBytes, thirdBytes) });
    }
  }
  return { freed: [], ...commonEntries(dictionary) };
};

const inUse = 1;
const inStream = 2;

const commonEntries = (dictionary: Buffer): Pick<Section, 'previous' | 'isEncrypted'> => {
  return { previous: entryOf(dictionary, 'Prev'), isEncrypted: valueOf(dictionary, 'Encrypt') !== undefined };
};

/** Where the value of a key begins. */
const valueOf = (dictionary: Buffer, key: string): number | undefined => {
  const name = `/${key}`;
  for (let at = dictionary.indexOf(name); at >= 0; at = dictionary.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!isRegular(dictionary[end])) return skipGap(dictionary, end);
  }
  return undefined;
};

/** Undefined for another object's number, too. */
const entryOf = (dictionary: Buffer, key: string): number | undefined => {
  const start = valueOf(dictionary, key);
  const number = start === undefined ? undefined : numberAt(dictionary, start);
  if (number === undefined) return undefined;
  const generation = numberAt(dictionary, skipGap(dictionary, number.end));
  return generation !== undefined && isWord(dictionary, skipGap(dictionary, generation.end), 'R') ? undefined : number.value;
};

const listOf = (dictionary: Buffer, key: string): number[] | undefined => {
  const start = valueOf(dictionary, key);
  if (start === undefined || dictionary[start] !== openList) return undefined;
  const numbers: number[] = [];
  let next = numberAt(dictionary, skipGap(dictionary, start + 1));
  while (next !== undefined) {
    numbers.push(next.value);
    next = numberAt(dictionary, skipGap(dictionary, next.end));
  }
  return numbers;
};

/** The name of the only packing. Empty: there are several. */
const filterOf = (dictionary: Buffer): string | undefined => {
  const start = valueOf(dictionary, 'Filter');
  if (start === undefined) return undefined;
  const text = dictionary.toString('latin1', start, start + 64);
  return (/^\/(\w{1,20})/.exec(text) ?? /^\[[\0\t\n\f\r ]{0,8}\/(\w{1,20})[\0\t\n\f\r ]{0,8}\]/.exec(text))?.[1] ?? '';
};

/** The rows of a stream that is plain, or deflated, with PNG's predictors or without. Undefined for other packings. */
const unpack = (data: Buffer, { dictionary, wantedBytes }: { dictionary: Buffer; wantedBytes: number }): Buffer | undefined => {
  const filter = filterOf(dictionary);
  if (filter === undefined) return data.subarray(0, entryOf(dictionary, 'Length') ?? Math.max(0, data.indexOf('endstream')));
  if (filter !== 'FlateDecode' && filter !== 'Fl') return undefined;
  const unpacked = inflate(data, 2 * wantedBytes + fewBytes);
  const predictor = entryOf(dictionary, 'Predictor') ?? 1;
  if (unpacked === undefined || predictor === 1) return unpacked;
  const isByteWise = (entryOf(dictionary, 'Colors') ?? 1) === 1 && (entryOf(dictionary, 'BitsPerComponent') ?? 8) === 8;
  return predictor >= 10 && isByteWise ? unpredict(unpacked, entryOf(dictionary, 'Columns') ?? 1) : undefined;
};

/** Undefined where more comes out than `maxBytes`, or what is no deflated data. */
export const inflate = (packed: Buffer, maxBytes: number): Buffer | undefined => {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, maxBytes) });
  } catch {
    // Whoever asks does without.
    return undefined;
  }
};

/** Rows of a PNG, each led by the number of its filter, made plain. */
const unpredict = (packed: Buffer, columns: number): Buffer => {
  const rows = Math.ceil(packed.length / (columns + 1));
  const plain = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const filter = packed[row * (columns + 1)] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const left = column === 0 ? 0 : (plain[at - 1] ?? 0);
      const above = row === 0 ? 0 : (plain[at - columns] ?? 0);
      const corner = row === 0 || column === 0 ? 0 : (plain[at - columns - 1] ?? 0);
      const predicted = [0, left, above, (left + above) >> 1, nearest({ left, above, corner })][filter] ?? 0;
      plain[at] = (packed[row * (columns + 1) + 1 + column] ?? 0) + predicted;
    }
  }
  return plain;
};

/** PNG's Paeth predictor. */
const nearest = ({ left, above, corner }: { left: number; above: number; corner: number }): number => {
  const estimate = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(estimate - value));
  if (toLeft! <= toAbove! && toLeft! <= toCorner!) return left;
  return toAbove! <= toCorner! ? above : corner;
};

const bigEndian = (bytes: Buffer, start: number, length: number): number => {
  let value = 0;
  for (let at = start; at < start + length; at += 1) value = value * 256 + (bytes[at] ?? 0);
  return value;
};

const [lineFeed, carriageReturn, percent, digit0, digit9, openList, letterF] = [0x0a, 0x0d, 0x25, 0x30, 0x39, 0x5b, 0x66];

const isDigit = (sign = 0): boolean => sign >= digit0 && sign <= digit9;

const maxDigits = 15;

export const numberAt = (bytes: Buffer, start: number): { value: number; end: number } | undefined => {
  let value = 0;
  let at = start;
  for (; at < start + maxDigits && isDigit(bytes[at]); at += 1) value = value * 10 + (bytes[at] ?? 0) - digit0;
  return at === start ? undefined : { value, end: at };
};
