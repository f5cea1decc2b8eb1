/** Code points of letters, and the glyphs that a font has for them. */
export type FontLetters = ReadonlyMap<number, number>;

/** The letters of a TrueType or OpenType font, out of the map that covers most of Unicode. Throws for anything else. */
export function readLetters(font: Buffer): FontLetters {
  const { offset } = tableOf(font, 'cmap');
  const maps = recordsOf(font, offset).filter(
    ({ platform, encoding }) => platform === unicode || (platform === windows && encoding !== symbol),
  );
  const formats = maps.map(({ at }) => ({ at, format: font.readUInt16BE(at) }));
  const whole = formats.find(({ format }) => format === 12);
  if (whole !== undefined) return new Map(groupsAt(font, whole.at));
  const plane = formats.find(({ format }) => format === 4);
  if (plane === undefined) throw new Error('the font has no map of Unicode');
  return new Map(segmentsAt(font, plane.at));
}

/**
 * A copy whose map has no codes of the Macintosh, and the glyph of a box (□) for every letter that the font has no glyph for.
 *
 * For TrueType fonts without a descriptor the engine prefers the Macintosh codes to the names of letters in the document, and draws wrong letters
 * for Polish ones. A letter without any glyph it leaves out.
 */
export function withBoxes(font: Buffer, letters: FontLetters): Buffer<ArrayBuffer> {
  const box = letters.get(boxLetter);
  const { entry, offset, length } = tableOf(font, 'cmap');
  const kept = recordsOf(font, offset).filter(({ platform }) => platform !== macintosh);
  const added = box === undefined ? undefined : everyLetter(letters, box);
  const head = Buffer.alloc(4 + (kept.length + (added === undefined ? 0 : 1)) * 8);
  head.writeUInt16BE((head.length - 4) / 8, 2);
  const tail = font.subarray(offset, offset + length);
  for (const [index, { platform, encoding, at }] of kept.entries())
    writeRecord(head, { index, platform, encoding, start: head.length + at - offset });
  if (added !== undefined)
    writeRecord(head, { index: kept.length, platform: windows, encoding: wholeUnicode, start: head.length + tail.length });
  const copy = Buffer.concat([font, head, tail, added ?? Buffer.alloc(0)]);
  copy.writeUInt32BE(font.length, entry + 8);
  copy.writeUInt32BE(copy.length - font.length, entry + 12);
  return copy;
}

/** Whether a letter leaves a mark on the page. */
export function isVisible(letter: number): boolean {
  return visible.some(([first, last]) => letter >= first && letter <= last);
}

/** Advances of glyphs in thousandths of the font's size. */
export function readWidths(font: Buffer): (glyph: number) => number {
  const unitsPerEm = font.readUInt16BE(tableOf(font, 'head').offset + 18);
  const count = font.readUInt16BE(tableOf(font, 'hhea').offset + 34);
  const { offset } = tableOf(font, 'hmtx');
  return (glyph) => Math.round((font.readUInt16BE(offset + Math.min(glyph, count - 1) * 4) * 1000) / unitsPerEm);
}

const [unicode, macintosh, windows] = [0, 1, 3];
const [symbol, wholeUnicode] = [0, 10];
/** White square. */
export const boxLetter = 0x25a1;

interface MapRecord {
  readonly platform: number;
  readonly encoding: number;
  readonly at: number;
}

function tableOf(font: Buffer, tag: string): { entry: number; offset: number; length: number } {
  const tables = font.readUInt16BE(4);
  for (let entry = 12; entry < 12 + tables * 16; entry += 16) {
    if (font.toString('latin1', entry, entry + 4) !== tag) continue;
    return { entry, offset: font.readUInt32BE(entry + 8), length: font.readUInt32BE(entry + 12) };
  }
  throw new Error(`the font has no table ${tag}`);
}

function recordsOf(font: Buffer, map: number): MapRecord[] {
  return Array.from({ length: font.readUInt16BE(map + 2) }, (_, index) => {
    const at = map + 4 + index * 8;
    return { platform: font.readUInt16BE(at), encoding: font.readUInt16BE(at + 2), at: map + font.readUInt32BE(at + 4) };
  });
}

function writeRecord(
  head: Buffer,
  { index, platform, encoding, start }: { index: number; platform: number; encoding: number; start: number },
) {
  const at = 4 + index * 8;
  head.writeUInt16BE(platform, at);
  head.writeUInt16BE(encoding, at + 2);
  head.writeUInt32BE(start, at + 4);
}

/** Format 12: ranges of letters with consecutive glyphs. */
function* groupsAt(font: Buffer, at: number): Generator<[number, number]> {
  const groups = font.readUInt32BE(at + 12);
  for (let group = at + 16; group < at + 16 + groups * 12; group += 12) {
    const first = font.readUInt32BE(group);
    const glyph = font.readUInt32BE(group + 8);
    for (let letter = first; letter <= font.readUInt32BE(group + 4); letter++) yield [letter, glyph + letter - first];
  }
}

/** Format 4: segments of the first plane, with a difference to the glyphs or a list of them. */
function* segmentsAt(font: Buffer, at: number): Generator<[number, number]> {
  const bytes = font.readUInt16BE(at + 6);
  for (let segment = 0; segment < bytes; segment += 2) {
    const last = font.readUInt16BE(at + 14 + segment);
    const first = font.readUInt16BE(at + 16 + bytes + segment);
    const difference = font.readUInt16BE(at + 16 + 2 * bytes + segment);
    const list = at + 16 + 3 * bytes + segment;
    const toList = font.readUInt16BE(list);
    for (let letter = first; letter <= last && letter < 0xffff; letter++) {
      const listed = toList === 0 ? letter : font.readUInt16BE(list + toList + (letter - first) * 2);
      const glyph = listed === 0 ? 0 : (listed + difference) & 0xffff;
      if (glyph !== 0) yield [letter, glyph];
    }
  }
}

/** Format 13: ranges of letters with one glyph each. */
function everyLetter(letters: FontLetters, box: number): Buffer {
  const groups: [first: number, last: number, glyph: number][] = [];
  let next = 0;
  const fill = (end: number): void => {
    for (const [first, last] of visible) {
      const [from, to] = [Math.max(first, next), Math.min(last, end - 1)];
      if (from <= to) groups.push([from, to, box]);
    }
  };
  for (const [letter, glyph] of [...letters].toSorted(([one], [other]) => one - other)) {
    fill(letter);
    groups.push([letter, letter, glyph]);
    next = letter + 1;
  }
  fill(Number.POSITIVE_INFINITY);
  const table = Buffer.alloc(16 + groups.length * 12);
  table.writeUInt16BE(13, 0);
  table.writeUInt32BE(table.length, 4);
  table.writeUInt32BE(groups.length, 12);
  for (const [index, group] of groups.entries())
    for (const [place, value] of group.entries()) table.writeUInt32BE(value, 16 + index * 12 + place * 4);
  return table;
}

/** Ranges of Unicode without control characters, spaces, joiners, marks of direction and variation, and surrogates. */
const visible: readonly (readonly [number, number])[] = [
  [0x21, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x1fff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x2070, 0x2fff],
  [0x3001, 0xd7ff],
  [0xe000, 0xfdff],
  [0xfe10, 0xfefe],
  [0xff00, 0xfff8],
  [0xfffc, 0xfffd],
  [0x1_0000, 0xd_ffff],
];
