import { constants, inflateSync } from 'node:zlib';
import type { PdfFlag } from '@pergamin/contract';
import { namesOfObject, type ObjectNames, wantNames } from './pdf-names.ts';

/**
 * What a PDF could execute in other programs, by the names in its objects. Every place where an object may begin is read, also those that the
 * tables of the file leave out: another reader may find them. Objects in streams are unpacked.
 */
export interface ObjectFindings {
  readonly flags: ReadonlySet<PdfFlag>;
  /** There may be composite fonts that are not in the file, drawn ones whose letters have names only, or free text notes without an appearance. */
  readonly mayBeIncomplete: boolean;
  /** There are layers (optional content). */
  readonly mayHideLayers: boolean;
  /** An object names the bytes that a signature covers. */
  readonly mayBeSigned: boolean;
  /** Why not everything was inspected. Undefined: everything was. */
  readonly unread: string | undefined;
  /** Inspecting the rest would take too long. */
  readonly isTooMuch: boolean;
}

/** Decoded names, and the flag that each sets. */
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

/** Of one file in all: objects shrink to about a fifth, and a small file may consist of them. */
const maxUnpackedBytes = (fileBytes: number): number => Math.min(64 * mib, 8 * mib + 4 * fileBytes);
const mib = 1024 * 1024;
/** How often bytes may be read because objects are nested in one another: an honest file needs a little over 1. */
const maxReadings = 2;
const fewBytes = mib;
/** In streams, of one file. Papers of ten thousand pages have some hundred thousand. */
const maxPackedObjects = 500_000;

const unusual = 'a part of it is packed in an unusual way';
const tooLarge = 'its packed objects are too large';
const tangled = 'its objects lie within one another';
const tooMany = 'it has too many objects';

const otherPackings = ['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL', 'Predictor'];
const compositeFonts = ['CIDFontType0', 'CIDFontType2'];
const fontFiles = ['FontFile', 'FontFile2', 'FontFile3'];
const wanted = wantNames([
  ...meanings.keys(),
  ...otherPackings,
  ...compositeFonts,
  ...fontFiles,
  'ObjStm',
  'First',
  'N',
  'FreeText',
  'AP',
  'FontDescriptor',
  'FontName',
  'ByteRange',
  'Type3',
  'ToUnicode',
  'OCProperties',
]);

export const inspectObjects = (file: Uint8Array): ObjectFindings => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const flags = new Set<PdfFlag>();
  let unpackedBytes = 0;
  let readBytes = 0;
  let packedObjects = 0;
  const parts = createPartsTest();

  const keep = ({ names }: ObjectNames): void => {
    parts.add(names);
    for (const name of names) {
      const flag = meanings.get(name);
      if (flag !== undefined) flags.add(flag);
    }
  };

  const isTangled = (read: number): boolean => {
    readBytes += read;
    return readBytes > maxReadings * (bytes.length + unpackedBytes) + fewBytes;
  };

  /** Reads the objects of a stream whose data begin at `start`. Returns why they could not be read. */
  const readPacked = ({ names, first }: ObjectNames, start: number): string | undefined => {
    if (first === undefined || otherPackings.some((packing) => names.has(packing))) return unusual;
    const packed = bytes.subarray(start);
    const unpacked = looksPlain(packed) ? packed : inflate(packed, maxUnpackedBytes(bytes.length) - unpackedBytes);
    if (typeof unpacked === 'string') return unpacked;
    if (unpacked !== packed) unpackedBytes += unpacked.length;
    const table = readTable(unpacked.subarray(0, first), maxPackedObjects - packedObjects);
    if (typeof table === 'string') return table;
    packedObjects += table.objects;
    for (const offset of table.offsets) {
      const from = first + offset;
      if (from >= unpacked.length) continue;
      const object = namesOfObject(unpacked, from, { wanted, isPacked: true });
      keep(object);
      if (isTangled(object.end - from)) return tangled;
    }
    return undefined;
  };

  const found = (unread: string | undefined, isTooMuch: boolean): ObjectFindings => {
    return { flags, ...parts.found(), unread, isTooMuch };
  };

  for (const start of startsOf(bytes)) {
    const object = namesOfObject(bytes, start, { wanted });
    keep(object);
    if (isTangled(object.end - start)) return found(tangled, true);
    if (object.stream === undefined) continue;
    const isPacked = object.names.has('ObjStm') || (object.names.has('First') && object.names.has('N'));
    const unread = isPacked ? readPacked(object, object.stream) : undefined;
    if (unread !== undefined) return found(unread, unread !== unusual);
  }
  return found(undefined, false);
};

const createPartsTest = () => {
  let lacksAppearance = false;
  let hasCompositeFont = false;
  let lacksFontFile = false;
  let mayBeSigned = false;
  let hasNamedLetters = false;
  let mayHideLayers = false;
  return {
    add(names: ReadonlySet<string>): void {
      const isFont = compositeFonts.some((name) => names.has(name));
      hasCompositeFont ||= isFont;
      lacksFontFile ||= names.has('FontName') ? !fontFiles.some((name) => names.has(name)) : isFont && !names.has('FontDescriptor');
      lacksAppearance ||= names.has('FreeText') && !names.has('AP');
      mayBeSigned ||= names.has('ByteRange');
      hasNamedLetters ||= names.has('Type3') && !names.has('ToUnicode');
      mayHideLayers ||= names.has('OCProperties');
    },
    found: (): Pick<ObjectFindings, 'mayBeSigned' | 'mayBeIncomplete' | 'mayHideLayers'> => ({
      mayBeSigned,
      mayBeIncomplete: lacksAppearance || hasNamedLetters || (hasCompositeFont && lacksFontFile),
      mayHideLayers,
    }),
  };
};

/** Positions behind every `obj` that does not end a longer word, and behind every `trailer`. */
const startsOf = function* (bytes: Buffer): Generator<number> {
  for (const word of ['obj', 'trailer'])
    for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + word.length))
      if (!isLetter(bytes[at - 1])) yield at + word.length;
};

const isLetter = (sign = 0): boolean => (sign >= 0x41 && sign <= 0x5a) || (sign >= 0x61 && sign <= 0x7a);

/** Packed objects begin with a table of numbers; deflated bytes begin otherwise. */
const looksPlain = (data: Buffer): boolean => /^[\0\t\n\f\r ]*\d+[\0\t\n\f\r ]+\d/.test(data.toString('latin1', 0, 256));

/** Pairs of numbers: of an object, and where it begins. Returns why they could not be read. */
const readTable = (table: Buffer, maxObjects: number): { objects: number; offsets: ReadonlySet<number> } | string => {
  const offsets = new Set<number>();
  let numbers = 0;
  let value = -1;
  for (let at = 0; at <= table.length; at += 1) {
    const sign = table[at] ?? space;
    if (sign >= digit0 && sign <= digit0 + 9) value = Math.max(0, value) * 10 + sign - digit0;
    else if (!spaces.has(sign)) return unusual;
    else if (value >= 0) {
      numbers += 1;
      if (numbers > 2 * maxObjects) return tooMany;
      if (numbers % 2 === 0) offsets.add(value);
      value = -1;
    }
  }
  return { objects: numbers / 2, offsets };
};

const digit0 = 0x30;
const space = 0x20;
const spaces: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, space]);

const inflate = (packed: Buffer, maxBytes: number): Buffer | string => {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    return error instanceof RangeError ? tooLarge : unusual;
  }
};
