import { constants, deflateSync, inflateSync } from 'node:zlib';
import { afterLineBreak } from './pdf-names.ts';

/** Bytes that take the place of others at the same position. */
export interface Patch {
  readonly at: number;
  readonly bytes: Buffer;
}

const maxMapBytes = 1024 * 1024;
/** Of one file in all. */
const maxUnpackedBytes = 32 * maxMapBytes;
const maxDictionaryBytes = 400;
const maxNamed = 500;

/**
 * Corrects tables of the meanings of letters (ToUnicode) that announce another number of entries than they have: the engine ignores these, most
 * readers do not. Each corrected table fits into the place of the old one, so that the positions of the file remain valid. Without `everywhere`
 * only tables are looked at that are named outside of packed objects, which takes next to no time.
 */
export const mendUnicodeMaps = (file: Uint8Array, { everywhere }: { everywhere: boolean }): Patch[] => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const named = everywhere ? undefined : namedMaps(bytes);
  if (named?.size === 0) return [];
  const patches: Patch[] = [];
  let unpackedBytes = 0;
  for (let at = bytes.indexOf(word); at >= 0 && unpackedBytes < maxUnpackedBytes; at = bytes.indexOf(word, at + word.length)) {
    const place = placeOfData(bytes, at);
    if (place === undefined || named?.has(place.object) === false) continue;
    const packed = bytes.subarray(place.start, place.end);
    const map = place.isPacked ? inflate(packed) : packed;
    unpackedBytes += map?.length ?? maxMapBytes;
    const patch = patchOf(map?.toString('latin1') ?? '', { ...place, room: packed.length });
    if (patch !== undefined) patches.push(patch);
  }
  return patches;
};

const namedMaps = (bytes: Buffer): Set<string> => {
  const named = new Set<string>();
  const name = '/ToUnicode';
  for (let at = bytes.indexOf(name); at >= 0 && named.size < maxNamed; at = bytes.indexOf(name, at + name.length)) {
    const object = /^\s+(\d{1,10})\s+\d/.exec(bytes.toString('latin1', at + name.length, at + name.length + 24))?.[1];
    if (object !== undefined) named.add(object);
  }
  return named;
};

const patchOf = (map: string, { start, isPacked, room }: { start: number; isPacked: boolean; room: number }): Patch | undefined => {
  if (!map.includes('beginbf')) return undefined;
  const mended = mend(map);
  if (mended === map) return undefined;
  const fitting = [mended, sectionsOf(mended)]
    .map((text) => Buffer.from(text, 'latin1'))
    .map((plain) => (isPacked ? deflateSync(plain, { level: 9 }) : plain))
    .find(({ length }) => length <= room);
  return fitting && { at: start, bytes: padded(fitting, room) };
};

const word = 'stream';

/** Of a stream that may be such a table: pictures, fonts and objects tell what they are. */
const placeOfData = (bytes: Buffer, at: number): { object: string; start: number; end: number; isPacked: boolean } | undefined => {
  const before = bytes.toString('latin1', Math.max(0, at - maxDictionaryBytes), at);
  const start = before.lastIndexOf('obj');
  const object = /(\d{1,10})\s+\d{1,5}\s+$/.exec(before.slice(0, start))?.[1];
  const dictionary = before.slice(start);
  if (
    object === undefined ||
    !/^obj\s*<<[^]*>>\s*$/.test(dictionary) ||
    /\/(?:Subtype|Width|N|Length1|DecodeParms|FunctionType)\b/.test(dictionary)
  )
    return undefined;
  const filter = /\/Filter\s*(\[[^\]]*\]|\/\w+)/.exec(dictionary)?.[1];
  if (filter !== undefined && filter.replaceAll(/[[\]\s]/g, '') !== '/FlateDecode') return undefined;
  const data = afterLineBreak(bytes, at + word.length);
  const end = bytes.indexOf('endstream', data);
  if (end < 0) return undefined;
  // The line break before `endstream` is no part of the data.
  const trimmed = bytes.toString('latin1', Math.max(data, end - 2), end).replace(/\r?\n$|\r$/, '').length;
  return { object, start: data, end: Math.max(data, end - 2) + trimmed, isPacked: filter !== undefined };
};

const inflate = (packed: Buffer): Buffer | undefined => {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxMapBytes });
  } catch {
    return undefined;
  }
};

const maxList = 256;
const unknown = '<FFFD>';
const section = /(\d*)\s*beginbf(char|range)\b([^]*?)(?:endbf(?:char|range)|(?=\d*\s*beginbf)|(?=endcmap)|$)/g;
const pair = /<[^<>]*>\s*(?:<[^<>]*>|\/[^\s<>[\]/]+)/g;
const range = /<([^<>]*)>\s*<([^<>]*)>\s*(?:<[^<>]*>|\[([^\]]*)\])/g;

const mend = (map: string): string =>
  map.replaceAll(section, (whole: string, count: string, kind: string, body: string) => {
    const entries = kind === 'char' ? pairsOf(body) : rangesOf(body);
    const isRight = Number(count || '-1') === entries.length && whole.includes('endbf') && entries.every((entry) => body.includes(entry));
    return isRight ? whole : `${entries.length} beginbf${kind}\n${entries.join('\n')}\nendbf${kind}${whole.includes('endbf') ? '' : '\n'}`;
  });

const pairsOf = (body: string): string[] => body.match(pair) ?? [];

/** A list has one meaning for each code. */
const rangesOf = (body: string): string[] =>
  Array.from(body.matchAll(range), ([text, first = '', last = '', list]) => {
    if (list === undefined) return text;
    const meanings = list.match(/<[^<>]*>/g) ?? [];
    const codes = Number.parseInt(last, 16) - Number.parseInt(first, 16) + 1;
    if (!(codes > 0) || codes === meanings.length || codes > maxList) return text;
    const padding = Array.from({ length: Math.max(0, codes - meanings.length) }, () => unknown);
    return `<${first}> <${last}> [${[...meanings.slice(0, codes), ...padding].join('')}]`;
  });

const sectionsOf = (map: string): string => map.match(section)?.join('\n') ?? '';

/** What follows packed bytes is ignored. */
const padded = (bytes: Buffer, length: number): Buffer => Buffer.concat([bytes], length).fill(' ', bytes.length);
