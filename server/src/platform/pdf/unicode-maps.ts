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
const maxNamed = 5_000;
/** Of the data of a stream, packed or plain, that tell whether it is such a table. */
const maxHeadBytes = 512;
const beginsAsMap = /begincmap|begincodespace|beginbf|CIDInit/;

/**
 * Corrects tables of the meanings of letters (ToUnicode) that announce another number of entries than they have, or whose ranges do not end in
 * the 256 codes in which they begin: the engine ignores these, most readers do not. Each corrected table fits into the place of the old one, so
 * that the positions of the file remain valid. Without `everywhere` only tables that are named are looked at, unless fonts may be packed.
 */
export const mendUnicodeMaps = (file: Uint8Array, { everywhere }: { everywhere: boolean }): Patch[] => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const named = everywhere || bytes.includes('/ObjStm') ? undefined : namedMaps(bytes);
  if (named?.size === 0) return [];
  const patches: Patch[] = [];
  let unpackedBytes = 0;
  const endAfter = createEndAfter(bytes);
  for (let at = bytes.indexOf(word); at >= 0 && unpackedBytes < maxUnpackedBytes; at = bytes.indexOf(word, at + word.length)) {
    const place = placeOfData(bytes, at, endAfter);
    if (place === undefined || named?.has(place.object) === false) continue;
    const packed = bytes.subarray(place.start, place.end);
    const beginning = place.isPacked ? inflate(packed.subarray(0, maxHeadBytes)) : packed.subarray(0, maxHeadBytes);
    unpackedBytes += beginning?.length ?? maxHeadBytes;
    if (beginning === undefined || !beginsAsMap.test(beginning.toString('latin1'))) continue;
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

/** The same table as the engine reads it. Undefined when it is right. */
export const correctMap = (map: string): { whole: string; sections: string } | undefined => {
  if (!map.includes('beginbf')) return undefined;
  const sections = readSections(map);
  if (sections.every(({ isRight }) => isRight)) return undefined;
  const between = sections.map(({ from, text }, index) => `${map.slice(sections[index - 1]?.to ?? 0, from)}${text}`).join('');
  return { whole: `${between}\n${map.slice(sections.at(-1)?.to)}`, sections: sections.map(({ text }) => text).join('\n') };
};

const patchOf = (map: string, { start, isPacked, room }: { start: number; isPacked: boolean; room: number }): Patch | undefined => {
  const correct = correctMap(map);
  if (correct === undefined) return undefined;
  const fitting = [correct.whole, correct.sections]
    .map((text) => Buffer.from(text, 'latin1'))
    .map((plain) => (isPacked ? deflateSync(plain, { level: 9 }) : plain))
    .find(({ length }) => length <= room);
  return fitting && { at: start, bytes: padded(fitting, room) };
};

const word = 'stream';
const filterName = '/Filter';

/** Of a stream that may be such a table: pictures, fonts and objects tell what they are. */
const placeOfData = (
  bytes: Buffer,
  at: number,
  endAfter: (start: number) => number | undefined,
): { object: string; start: number; end: number; isPacked: boolean } | undefined => {
  const before = bytes.toString('latin1', Math.max(0, at - maxDictionaryBytes), at);
  const start = before.lastIndexOf('obj');
  const object = /(\d{1,10})\s+\d{1,5}\s+$/.exec(before.slice(0, start))?.[1];
  const dictionary = before.slice(start);
  if (object === undefined || !/^obj\s*<<[^]*>>\s*$/.test(dictionary) || /\/(?:Subtype|Width|N|Predictor|FunctionType)\b/.test(dictionary))
    return undefined;
  const filterAt = dictionary.indexOf(filterName);
  const isPacked = filterAt >= 0;
  if (isPacked && !/^\s*(?:\/FlateDecode\b|\[\s*\/FlateDecode\s*\])/.test(dictionary.slice(filterAt + filterName.length))) return undefined;
  const data = afterLineBreak(bytes, at + word.length);
  const end = endAfter(data);
  if (end === undefined || end - data > maxMapBytes) return undefined;
  // The line break before `endstream` is no part of the data.
  const trimmed = bytes.toString('latin1', Math.max(data, end - 2), end).replace(/\r?\n$|\r$/, '').length;
  return { object, start: data, end: Math.max(data, end - 2) + trimmed, isPacked };
};

/** Call it with ascending starts: each byte is searched once. */
const createEndAfter = (bytes: Buffer): ((start: number) => number | undefined) => {
  let end = -1;
  return (start) => {
    if (end < start) end = bytes.indexOf('endstream', start);
    if (end < 0) end = Infinity;
    return end === Infinity ? undefined : end;
  };
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
const token = /<[^<>]*>|[^\s<>[\]]+|[[\]]/g;

interface Section {
  /** With its count and its end, where it has them. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly isRight: boolean;
}

const readSections = (map: string): Section[] => {
  const tokens = Array.from(map.matchAll(token), ({ 0: text, index }) => ({ text, index, end: index + text.length }));
  const sections: Section[] = [];
  for (const [at, { text: name, index }] of tokens.entries()) {
    if (name !== 'beginbfchar' && name !== 'beginbfrange') continue;
    let next = at + 1;
    while (next < tokens.length && !/^(?:beginbf|endbf|endcmap)/.test(tokens[next]?.text ?? '')) next += 1;
    const isEnded = tokens[next]?.text.startsWith('endbf') === true;
    let last = isEnded ? next : next - 1;
    // The count of the next section.
    if (!isEnded && last > at && /^\d+$/.test(tokens[last]?.text ?? '')) last -= 1;
    const body = tokens.slice(at + 1, next).map(({ text }) => text);
    const { entries, isChanged } = name === 'beginbfchar' ? { entries: pairsOf(body), isChanged: false } : rangesOf(body);
    const count = /^\d+$/.test(tokens[at - 1]?.text ?? '') ? tokens[at - 1] : undefined;
    const from = count?.index ?? index;
    const to = tokens[last]?.end ?? map.length;
    const isRight = isEnded && !isChanged && Number(count?.text) === entries.length;
    const ending = name.replace('begin', 'end');
    const text = isRight ? map.slice(from, to) : `${entries.length} ${name}\n${entries.join('\n')}\n${ending}`;
    sections.push({ from, to, text, isRight });
  }
  return sections;
};

const isCode = (text = ''): boolean => text.startsWith('<');

const pairsOf = (body: readonly string[]): string[] => {
  const entries: string[] = [];
  for (let at = 0; at + 1 < body.length; at += 1) {
    const [code, meaning] = [body[at] ?? '', body[at + 1] ?? ''];
    if (!isCode(code) || !(isCode(meaning) || meaning.startsWith('/'))) continue;
    entries.push(`${code} ${meaning}`);
    at += 1;
  }
  return entries;
};

/** A list is given one meaning for each code. */
const rangesOf = (body: readonly string[]): { entries: string[]; isChanged: boolean } => {
  const entries: string[] = [];
  let isChanged = false;
  for (let at = 0; at + 2 < body.length; at += 1) {
    const [first = '', last = '', meaning = ''] = body.slice(at, at + 3);
    if (!isCode(first) || !isCode(last)) continue;
    at += 2;
    if (isCode(meaning)) {
      const parts = partsOf({ first, last, meaning });
      entries.push(...parts);
      isChanged ||= parts.length > 1;
    }
    if (meaning !== '[') continue;
    const meanings: string[] = [];
    while (isCode(body[at + 1])) meanings.push(body[(at += 1)] ?? unknown);
    const codes = Number.parseInt(last.slice(1), 16) - Number.parseInt(first.slice(1), 16) + 1;
    const isFitting = !(codes > 0 && codes <= maxList) || codes === meanings.length;
    isChanged ||= !isFitting;
    const fitting = isFitting ? meanings : Array.from({ length: codes }, (_, index) => meanings[index] ?? unknown);
    entries.push(`${first} ${last} [${fitting.join('')}]`);
  }
  return { entries, isChanged };
};

const maxParts = 256;

/** The engine reads of a range only the codes that have the upper byte of the first. */
const partsOf = ({ first, last, meaning }: { first: string; last: string; meaning: string }): string[] => {
  const [from, to] = [first, last].map((code) => Number.parseInt(code.slice(1), 16));
  const [digits, meant] = [first.length - 2, Number.parseInt(meaning.slice(-5), 16)];
  const isWithin = from === undefined || to === undefined || !(to > from) || from >> 8 === to >> 8 || (to >> 8) - (from >> 8) > maxParts;
  if (isWithin || !Number.isFinite(meant)) return [`${first} ${last} ${meaning}`];
  const parts: string[] = [];
  for (let start = from; start <= to; start = (start | 0xff) + 1) {
    const shifted = (meant + start - from).toString(16).padStart(4, '0').slice(-4);
    const code = (value: number): string => value.toString(16).padStart(digits, '0');
    parts.push(`<${code(start)}> <${code(Math.min(start | 0xff, to))}> ${meaning.slice(0, -5)}${shifted}>`);
  }
  return parts;
};

/** What follows packed bytes is ignored. */
const padded = (bytes: Buffer, length: number): Buffer => Buffer.concat([bytes], length).fill(' ', bytes.length);
