import { constants, inflateSync } from 'node:zlib';
import type { PdfFlag } from '@pergamin/contract';
import { namesOfObject, type ObjectNames } from './pdf-names.ts';

/**
 * What a PDF could do in other hands, by the names in its objects. Every place where an object may begin is read, whatever the tables of the
 * file say of it: a reader that is led by the tables can be led past what another one finds. Objects that are packed in streams are unpacked.
 */
export interface ObjectFindings {
  readonly flags: ReadonlySet<PdfFlag>;
  /** In words: why not everything could be looked at. Undefined: everything was. */
  readonly unread: string | undefined;
}

/** Decoded names, and what they stand for. */
const meanings: ReadonlyMap<string, PdfFlag> = new Map<string, PdfFlag>([
  ['JavaScript', 'JAVASCRIPT'],
  ['JS', 'JAVASCRIPT'],
  ['Launch', 'LAUNCH'],
  ['EmbeddedFile', 'EMBEDDED_FILE'],
  ['EmbeddedFiles', 'EMBEDDED_FILE'],
  ['FileAttachment', 'EMBEDDED_FILE'],
  ['EF', 'EMBEDDED_FILE'],
  ['GoToE', 'EMBEDDED_FILE'],
  ['SubmitForm', 'FORM_SUBMIT'],
  ['ImportData', 'FORM_SUBMIT'],
  ['URI', 'OUTSIDE_LINK'],
  ['GoToR', 'OUTSIDE_LINK'],
  ['Thread', 'OUTSIDE_LINK'],
  ['XFA', 'XFA'],
  ['RichMedia', 'RICH_MEDIA'],
  ['RichMediaExecute', 'RICH_MEDIA'],
  ['Rendition', 'RICH_MEDIA'],
  ['Movie', 'RICH_MEDIA'],
  ['Sound', 'RICH_MEDIA'],
  ['3D', 'RICH_MEDIA'],
]);

/** Of everything that is unpacked out of one file. */
const maxUnpackedBytes = 64 * 1024 * 1024;
/** How often the bytes of a file may be read because its objects lie within one another: an honest one needs a little over 1. */
const maxReadings = 6;
const fewBytes = 1024 * 1024;
/** In streams, of one file. Papers of ten thousand pages have some hundred thousand. */
const maxPackedObjects = 500_000;

const unusual = 'a part of it is packed in an unusual way';
const tooLarge = 'its packed objects are too large';
const tangled = 'its objects lie within one another';
const tooMany = 'it has too many objects';

const otherPackings = ['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL', 'Predictor'];

export const inspectObjects = (file: Uint8Array): ObjectFindings => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const flags = new Set<PdfFlag>();
  let unpackedBytes = 0;
  let readBytes = 0;
  let packedObjects = 0;

  const keep = ({ names }: ObjectNames): void => {
    for (const name of names) {
      const flag = meanings.get(name);
      if (flag !== undefined) flags.add(flag);
    }
  };

  const isTangled = (read: number): boolean => {
    readBytes += read;
    return readBytes > maxReadings * (bytes.length + unpackedBytes) + fewBytes;
  };

  /** The objects of a stream whose data begin at `start`; answers why they could not be read. */
  const readPacked = ({ names, first }: ObjectNames, start: number): string | undefined => {
    if (first === undefined || otherPackings.some((packing) => names.has(packing))) return unusual;
    const packed = bytes.subarray(start);
    const unpacked = looksPlain(packed) ? packed : inflate(packed, maxUnpackedBytes - unpackedBytes);
    if (typeof unpacked === 'string') return unpacked;
    if (unpacked !== packed) unpackedBytes += unpacked.length;
    const table = unpacked.toString('latin1', 0, first);
    if (!/^[\d\0\t\n\f\r ]*$/.test(table)) return unusual;
    const numbers = table.match(/\d+/g) ?? [];
    packedObjects += numbers.length / 2;
    if (packedObjects > maxPackedObjects) return tooMany;
    for (const offset of new Set(numbers.filter((_, index) => index % 2 === 1))) {
      const from = first + Number(offset);
      const object = namesOfObject(unpacked, from, { isPacked: true });
      keep(object);
      if (isTangled(object.end - from)) return tangled;
    }
    return undefined;
  };

  for (const start of startsOf(bytes)) {
    const object = namesOfObject(bytes, start);
    keep(object);
    if (isTangled(object.end - start)) return { flags, unread: tangled };
    if (object.stream === undefined) continue;
    const isPacked = object.names.has('ObjStm') || (object.names.has('First') && object.names.has('N'));
    const unread = isPacked ? readPacked(object, object.stream) : undefined;
    if (unread !== undefined) return { flags, unread };
  }
  return { flags, unread: undefined };
};

/** Behind every `obj` that is not the end of a longer word, and behind every `trailer`. */
const startsOf = function* (bytes: Buffer): Generator<number> {
  for (const word of ['obj', 'trailer'])
    for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + word.length))
      if (!isLetter(bytes[at - 1])) yield at + word.length;
};

const isLetter = (sign = 0): boolean => (sign >= 0x41 && sign <= 0x5a) || (sign >= 0x61 && sign <= 0x7a);

/** Packed objects begin with a table of numbers; deflated bytes begin otherwise. */
const looksPlain = (data: Buffer): boolean => /^[\0\t\n\f\r ]*\d+[\0\t\n\f\r ]+\d/.test(data.toString('latin1', 0, 256));

const inflate = (packed: Buffer, maxBytes: number): Buffer | string => {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    return error instanceof RangeError ? tooLarge : unusual;
  }
};
