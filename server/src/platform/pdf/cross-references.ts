import { isTable, readSection, type Section } from './cross-reference-sections.ts';

/** Where an object lies within a stream of objects. */
export interface PackedPlace {
  readonly stream: number;
  /** Counted from 0. */
  readonly index: number;
}

/** What the newest table that names an object says of it. Objects that are free are left out. */
export interface CrossReferences {
  /** Where objects begin, counted from the start of the file; 0 as it is written there. */
  readonly positions: ReadonlyMap<number, number>;
  readonly packed: ReadonlyMap<number, PackedPlace>;
  readonly isEncrypted: boolean;
}

/** Updates of one file. */
const maxSections = 1_000;
/** Of all sections. More take too much memory to be looked at. */
const maxEntries = 1_000_000;
const longestHeaderOffset = 1024;
const startWord = 'startxref';

/** Reads tables, streams of them, both in one file (hybrid), and those of earlier versions. Undefined where they cannot be read. */
export const readCrossReferences = (bytes: Buffer): CrossReferences | undefined => {
  const { at: digitsAt, digits } = findStartDigits(bytes) ?? {};
  if (digitsAt === undefined) return undefined;
  const header = Math.max(0, bytes.subarray(0, longestHeaderOffset).indexOf('%PDF-'));
  // The engine counts from the header; where the file counts from its start, the engine rebuilds the table anyway.
  const base = [header, 0].find((offset) => isTable(bytes, Number(digits) + offset));
  return base === undefined ? undefined : readAll(bytes, { base, start: Number(digits) });
};

/** Makes the engine rebuild the table: overwrites in place the number that leads to it. */
export const hideCrossReferences = (bytes: Buffer): void => {
  const found = findStartDigits(bytes);
  if (found !== undefined) bytes.fill('0', found.at, found.at + found.digits.length);
};

const findStartDigits = (bytes: Buffer): { at: number; digits: string } | undefined => {
  const at = bytes.lastIndexOf(startWord);
  if (at < 0) return undefined;
  const [before = '', digits] = /^[\0\t\n\f\r ]*(\d{1,15})/.exec(bytes.toString('latin1', at + startWord.length, at + 64)) ?? [];
  return digits === undefined ? undefined : { at: at + startWord.length + before.length - digits.length, digits };
};

const readAll = (bytes: Buffer, { base, start }: { base: number; start: number }): CrossReferences | undefined => {
  const positions = new Map<number, number>();
  const packed = new Map<number, PackedPlace>();
  const freed = new Set<number>();
  const visited = new Set<number>();
  let entries = 0;
  let isEncrypted = false;

  const isKnown = (number: number): boolean => freed.has(number) || positions.has(number) || packed.has(number);
  const read = (at: number): Section | undefined =>
    readSection(bytes, at + base, {
      onPosition: (number, position) => void (isKnown(number) || positions.set(number, position === 0 ? 0 : position + base)),
      onPacked: (number, place) => void (isKnown(number) || packed.set(number, place)),
      takeRoom: (count) => (entries += count) <= maxEntries,
    });

  for (let next: number | undefined = start; next !== undefined && next > 0;) {
    // Tables that name one another are rebuilt by the engine.
    if (visited.has(next) || visited.size >= maxSections) return undefined;
    visited.add(next);
    const section: Section | undefined = read(next);
    if (section === undefined) return undefined;
    // Objects that only readers of streams know are free in a hybrid file's table.
    if (section.hybrid !== undefined && read(section.hybrid) === undefined) return undefined;
    for (const number of section.freed) freed.add(number);
    isEncrypted ||= section.isEncrypted;
    next = section.previous;
  }
  return { positions, packed, isEncrypted };
};
