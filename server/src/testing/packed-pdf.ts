import { deflateSync } from 'node:zlib';
import { stream } from './simple-pdf.ts';

/** A row of a table: where an object begins, its place in a stream of objects, or none. */
export type TableRow = { readonly at: number } | { readonly stream: number; readonly index: number } | 'free';

export type Rows = Map<number, TableRow>;

interface Options {
  /** Changes what the table says, so that it is damaged. */
  readonly damage?: (rows: Rows) => void;
  /** A table for old readers, completed by a stream. */
  readonly isHybrid?: boolean;
  /** The dictionary of its encryption, which is no more than stated: nothing is encrypted here. */
  readonly encryption?: string;
}

/** As writePdf, with all objects but streams in a stream of objects, and with a stream for a table. */
export const writePackedPdf = (
  objects: readonly string[],
  { damage = () => {}, isHybrid = false, encryption }: Options = {},
): Uint8Array => {
  const rows: Rows = new Map();
  const parts = ['%PDF-1.7\n'];
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  const write = (number: number, object: string): void => {
    rows.set(number, { at: length() });
    parts.push(`${number} 0 obj ${object} endobj\n`);
  };
  const packed: [number, string][] = [];
  for (const [index, object] of objects.entries()) {
    if (object.includes('endstream')) write(index + 1, object);
    else packed.push([index + 1, object]);
  }
  const container = objects.length + 1;
  write(container, objectStream(packed));
  for (const [index, [number]] of packed.entries()) rows.set(number, { stream: container, index });
  const table = container + 1;
  if (encryption !== undefined) write(table + 1, encryption);
  const at = length();
  rows.set(table, { at });
  damage(rows);
  const ends = encryption === undefined ? `/Size ${table + 1}` : `/Size ${table + 2}/Encrypt ${table + 1} 0 R/ID[<00><00>]`;
  const trailer = `/Root 1 0 R${ends}`;
  parts.push(`${table} 0 obj ${tableStream(rows, trailer)} endobj\n`);
  const classic = length();
  if (isHybrid) parts.push(`${plainTable(rows, table)}trailer<<${trailer}/XRefStm ${at}>>\n`);
  parts.push(`startxref\n${isHybrid ? classic : at}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
};

/** Objects as a later version of a file adds or replaces them. */
export const withUpdate = (
  file: Uint8Array,
  objects: ReadonlyMap<number, string>,
  { damage = () => {} }: Pick<Options, 'damage'> = {},
): Uint8Array => {
  const rows: Rows = new Map();
  const before = Buffer.from(file).toString('latin1');
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before)?.[1] ?? '';
  const size = Math.max(
    ...[...before.matchAll(/\/Size (\d+)/g)].map(([, value]) => Number(value)),
    ...[...objects.keys()].map((number) => number + 1),
  );
  let after = before;
  for (const [number, object] of objects) {
    rows.set(number, { at: after.length });
    after += `${number} 0 obj ${object} endobj\n`;
  }
  const at = after.length;
  const root = [...before.matchAll(/\/Root (\d+ \d+ R)/g)].at(-1)?.[1] ?? '';
  const trailer = `/Root ${root}/Size ${size}/Prev ${previous}`;
  damage(rows);
  const isPacked = !/^\s*xref/.test(before.slice(Number(previous)));
  if (isPacked) {
    rows.set(size, { at });
    after += `${size} 0 obj ${tableStream(rows, trailer)} endobj\n`;
  } else {
    const lines = [...rows].map(([number, row]) => `${number} 1\n${line(row)}`);
    after += `xref\n${lines.join('')}trailer<<${trailer}>>\n`;
  }
  return Buffer.from(`${after}startxref\n${at}\n%%EOF\n`, 'latin1');
};

const objectStream = (objects: readonly (readonly [number, string])[]): string => {
  let at = 0;
  const head = objects.map(([number, object]) => {
    const start = at;
    at += object.length + 1;
    return `${number} ${start}`;
  });
  const first = head.join(' ').length + 1;
  const content = `${head.join(' ')}\n${objects.map(([, object]) => object).join('\n')}`;
  return packed(Buffer.from(content, 'latin1'), `/Type/ObjStm/N ${objects.length}/First ${first}`);
};

const packed = (content: Buffer, dictionary: string): string =>
  stream(deflateSync(content).toString('latin1'), `${dictionary}/Filter/FlateDecode`);

const rowBytes = 7;

/** With one of PNG's predictors, as most writers do it. */
const tableStream = (rows: Rows, trailer: string): string => {
  const sorted = [...rows].toSorted(([one], [other]) => one - other);
  const content = Buffer.alloc(sorted.length * (rowBytes + 1));
  let above = Buffer.alloc(rowBytes);
  for (const [index, [, row]] of sorted.entries()) {
    const plain = Buffer.alloc(rowBytes);
    if (row !== 'free') {
      plain[0] = 'at' in row ? 1 : 2;
      plain.writeUInt32BE('at' in row ? row.at : row.stream, 1);
      plain.writeUInt16BE('at' in row ? 0 : row.index, 5);
    }
    const start = index * (rowBytes + 1);
    content[start] = 2;
    for (let at = 0; at < rowBytes; at += 1) content[start + 1 + at] = (plain[at] ?? 0) - (above[at] ?? 0);
    above = plain;
  }
  const index = sorted.map(([number]) => `${number} 1`).join(' ');
  const predictor = `/DecodeParms<</Columns ${rowBytes}/Predictor 12>>`;
  return packed(content, `/Type/XRef${trailer}/W[1 4 2]/Index[${index}]${predictor}`);
};

const plainTable = (rows: Rows, last: number): string => {
  const lines = Array.from({ length: last }, (_, index) => line(rows.get(index + 1) ?? 'free'));
  return `xref\n0 ${last + 1}\n0000000000 65535 f \n${lines.join('')}`;
};

const line = (row: TableRow): string =>
  row === 'free' || !('at' in row) ? '0000000000 00000 f \n' : `${String(row.at).padStart(10, '0')} 00000 n \n`;
