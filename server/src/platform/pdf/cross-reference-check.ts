import { inflate, maxGap, numberAt, objectAt, skipGap } from './cross-reference-sections.ts';
import { type CrossReferences, type PackedPlace, readCrossReferences } from './cross-references.ts';
import { mentionsIn } from './object-references.ts';
import { namesOfObject, wantNames } from './pdf-names.ts';

/**
 * `wrong`: an entry that is in use does not lead to its object, which is missing then. `unread`: the tables or streams of objects cannot be read
 * here.
 */
export type CrossReferenceState = 'right' | 'wrong' | 'unread';

/** Of objects. Each takes a tenth of a millisecond, and holds some hundred. */
const maxStreams = 10_000;
/** Of all of their heads. */
const maxUnpackedBytes = 64 * 1024 * 1024;
const maxDictionaryBytes = 4 * 1024;
/** What compressed data begin with, in addition to the head's own length, with which even data that do not shrink hold the head. */
const moreBytes = 512;
const wanted = wantNames(['ObjStm', 'Filter', 'FlateDecode', 'Fl', 'DecodeParms', 'DP', 'First', 'N']);

/** Looks at each entry: the engine looks at the first one, and leaves out what the others do not lead to. */
export const checkCrossReferences = (file: Uint8Array): CrossReferenceState => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const references = readCrossReferences(bytes);
  if (references === undefined) return 'unread';
  const nowhere = new Set<number>();
  for (const [number, position] of references.positions) {
    if (position === 0) nowhere.add(number);
    else if (objectAt(bytes, position)?.number !== number) return 'wrong';
  }
  if (hidesObject(bytes, { positions: references.positions, packed: references.packed, nowhere })) return 'wrong';
  // Those of an encrypted file are compared with what the engine reads of them.
  return references.isEncrypted ? 'right' : checkPacked(bytes, { ...references, nowhere });
};

/**
 * Whether the file holds an object to which an entry gives position 0, as some writers do with numbers that they do not use, or one that is free or
 * left out of the tables, though an object of the newest version refers to it.
 */
const hidesObject = (bytes: Buffer, { positions, packed, nowhere }: Stated): boolean => {
  const headers = new Set<number>();
  const wantedNumbers = new Set<number>();
  // What stands in an object that was replaced is no longer said.
  let isCurrent = false;
  for (const { number, at, isHeader } of mentionsIn(bytes)) {
    const isStated = positions.has(number) || packed.has(number);
    if (isHeader) {
      const position = positions.get(number);
      isCurrent = position !== undefined && position <= at && at - position < maxGap;
      if (nowhere.has(number)) return true;
      if (!isStated) headers.add(number);
    } else if (isCurrent && !isStated) wantedNumbers.add(number);
  }
  return !headers.isDisjointFrom(wantedNumbers);
};

interface Stated extends Pick<CrossReferences, 'positions' | 'packed'> {
  /** Whose position is 0. */
  readonly nowhere: ReadonlySet<number>;
}

const checkPacked = (bytes: Buffer, { positions, packed, nowhere }: Stated): CrossReferenceState => {
  let roomBytes = maxUnpackedBytes;
  const streams = byStream(packed);
  if (streams.size > maxStreams) return 'unread';
  for (const [stream, places] of streams) {
    const position = positions.get(stream);
    if (position === undefined) return 'wrong';
    const head = readHead(bytes, position, roomBytes);
    roomBytes -= head.costBytes;
    if (head.numbers === undefined) return 'unread';
    if (!areAt(places, head.numbers) || head.numbers.some((number) => nowhere.has(number))) return 'wrong';
  }
  return 'right';
};

const areAt = (places: readonly Place[], numbers: Float64Array): boolean =>
  places.every(([number, { index }]) => numbers[index] === number);

type Place = readonly [number: number, place: PackedPlace];

const byStream = (packed: CrossReferences['packed']): Map<number, Place[]> => {
  const streams = new Map<number, Place[]>();
  for (const entry of packed) {
    const known = streams.get(entry[1].stream);
    if (known === undefined) streams.set(entry[1].stream, [entry]);
    else known.push(entry);
  }
  return streams;
};

interface Head {
  /** Of the objects in a stream, in their order. Undefined where they cannot be read. */
  readonly numbers?: Float64Array;
  readonly costBytes: number;
}

const readHead = (bytes: Buffer, position: number, maxBytes: number): Head => {
  const body = objectAt(bytes, position)?.body ?? position;
  const { names, first, stream } = namesOfObject(bytes.subarray(0, body + maxDictionaryBytes), body, { wanted });
  // Not a stream of objects: it holds none.
  if (stream === undefined || !names.has('ObjStm')) return { numbers: new Float64Array(), costBytes: 0 };
  const isDeflated = names.has('FlateDecode') || names.has('Fl');
  const isUnusual = names.has('DecodeParms') || names.has('DP') || (names.has('Filter') && !isDeflated);
  if (first === undefined || isUnusual) return { costBytes: 0 };
  const data = bytes.subarray(stream, stream + first + moreBytes);
  const unpacked = isDeflated ? inflate(data, maxBytes) : data;
  const costBytes = Math.max(data.length, unpacked?.length ?? 0);
  return unpacked === undefined || unpacked.length < first ? { costBytes } : { numbers: numbersIn(unpacked.subarray(0, first)), costBytes };
};

/** Each second one: the others are where the objects begin. */
const numbersIn = (head: Buffer): Float64Array => {
  const numbers = new Float64Array(Math.ceil(head.length / 4));
  let count = 0;
  for (let at = skipGap(head, 0); at < head.length; count += 1) {
    const found = numberAt(head, at);
    if (found === undefined) break;
    if (count % 2 === 0) numbers[count / 2] = found.value;
    at = skipGap(head, found.end);
  }
  return numbers.subarray(0, Math.ceil(count / 2));
};

/**
 * Whether an encrypted file refers to an object in a stream that the engine did not find there: `decrypted` is what it read, as
 * PdfDocument.decrypted writes it.
 */
export const lacksPackedObject = (file: Uint8Array, decrypted: Uint8Array): boolean => {
  const stated = readCrossReferences(Buffer.from(file.buffer, file.byteOffset, file.byteLength))?.packed;
  if (stated === undefined || stated.size === 0) return false;
  const copy = Buffer.from(decrypted.buffer, decrypted.byteOffset, decrypted.byteLength);
  const found = readCrossReferences(copy)?.positions;
  const missing = new Set([...stated.keys()].filter((number) => found?.has(number) !== true));
  if (missing.size === 0) return false;
  for (const { number, isHeader } of mentionsIn(copy)) if (!isHeader && missing.has(number)) return true;
  return false;
};
