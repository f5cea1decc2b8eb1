import { inflate, objectAt } from './cross-reference-sections.ts';
import { type CrossReferences, type PackedPlace, readCrossReferences } from './cross-references.ts';
import { namesOfObject, wantNames } from './pdf-names.ts';

/**
 * `wrong`: an entry that is in use does not lead to its object, which is missing then. `unread`: the tables or streams of objects cannot be read
 * here.
 */
export type CrossReferenceState = 'right' | 'wrong' | 'unread';

/** Heads of streams of objects, of one file. */
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
  if (nowhere.size > 0 && holdsOneOf(bytes, nowhere)) return 'wrong';
  // Those of an encrypted file are compared with what the engine reads of them.
  return references.isEncrypted ? 'right' : checkPacked(bytes, { ...references, nowhere });
};

const headerOfObject = /(?<!\d)(\d{1,10})[\0\t\n\f\r ]{1,8}\d{1,5}[\0\t\n\f\r ]{1,8}obj/g;

/** Some writers give position 0 to numbers that they do not use. */
const holdsOneOf = (bytes: Buffer, numbers: ReadonlySet<number>): boolean => {
  for (const [, number] of bytes.toString('latin1').matchAll(headerOfObject)) if (numbers.has(Number(number))) return true;
  return false;
};

const checkPacked = (
  bytes: Buffer,
  { positions, packed, nowhere }: CrossReferences & { nowhere: ReadonlySet<number> },
): CrossReferenceState => {
  let state: CrossReferenceState = 'right';
  let roomBytes = maxUnpackedBytes;
  for (const [stream, places] of byStream(packed)) {
    const position = positions.get(stream);
    if (position === undefined) return 'wrong';
    const head = readHead(bytes, position, roomBytes);
    if (head === 'unread') state = 'unread';
    else {
      roomBytes -= head.unpackedBytes;
      if (head.numbers.some((number) => nowhere.has(number))) return 'wrong';
      for (const [number, { index }] of places) if (head.numbers[index] !== number) return 'wrong';
    }
  }
  return state;
};

const byStream = (packed: CrossReferences['packed']): Map<number, [number, PackedPlace][]> => {
  const streams = new Map<number, [number, PackedPlace][]>();
  for (const entry of packed) {
    const known = streams.get(entry[1].stream);
    if (known === undefined) streams.set(entry[1].stream, [entry]);
    else known.push(entry);
  }
  return streams;
};

/** The numbers of the objects in a stream, in their order. */
const readHead = (bytes: Buffer, position: number, maxBytes: number): { numbers: number[]; unpackedBytes: number } | 'unread' => {
  const body = objectAt(bytes, position)?.body ?? position;
  const { names, first, stream } = namesOfObject(bytes.subarray(0, body + maxDictionaryBytes), body, { wanted });
  // Not a stream of objects: it holds none.
  if (stream === undefined || !names.has('ObjStm')) return { numbers: [], unpackedBytes: 0 };
  if (first === undefined || names.has('DecodeParms') || names.has('DP')) return 'unread';
  const isDeflated = names.has('FlateDecode') || names.has('Fl');
  if (names.has('Filter') && !isDeflated) return 'unread';
  const data = bytes.subarray(stream, stream + first + moreBytes);
  const unpacked = isDeflated ? inflate(data, maxBytes) : data;
  if (unpacked === undefined || unpacked.length < first) return 'unread';
  const values = unpacked.toString('latin1', 0, first).match(/\d+/g) ?? [];
  return { numbers: values.filter((_, at) => at % 2 === 0).map(Number), unpackedBytes: unpacked.length };
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
  for (const [, number] of copy.toString('latin1').matchAll(/(?<!\d)(\d{1,10}) 0 R(?![A-Za-z])/g))
    if (missing.has(Number(number))) return true;
  return false;
};
