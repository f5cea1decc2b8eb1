import { extname } from 'node:path';
import { UsageError } from './errors.ts';
import { type Cell, withoutBlankEnd } from '#tables/cells.ts';
import { isRounded } from '#tables/rounded-values.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';
import { isWorkbook, readTableRows, readUnchanged, requireFile } from '#tables/table-rows.ts';
import { readTextLines } from '#tables/text-lines.ts';

export type Outcome<Item> = { readonly record: Item } | { readonly problem: string };

/** One line of the file: a record, or the problem of the line. Lines are numbered from 1, the header among them. */
export type RecordLine<Item> = { readonly line: number } & Outcome<Item>;

/** What a column has: ids, account numbers and the like; other texts; or what a spreadsheet keeps as a number, days among it. */
export type ColumnKind = 'identifier' | 'text' | 'number';

/** What a file of records holds, and how its CSV form says it. */
export interface RecordShape<Item> {
  /** Columns that the first line must have. */
  readonly required: readonly string[];
  /** For the sentence about an unknown column. */
  readonly listed: readonly string[];
  isColumn(name: string): boolean;
  readonly kindOf: (name: string) => ColumnKind;
  /** Its texts stay as they are written; all others are NFC. */
  readonly verbatim?: string;
  /** The fields of a record, from the cells of a line by their columns. */
  fieldsOf(cells: ReadonlyMap<string, string>): Record<string, unknown>;
  read(value: unknown): Outcome<Item>;
}

const roundedSentence = 'rounded by a spreadsheet: format the column as text there, and fill it in anew';

const roundedIn = (texts: Iterable<readonly [string, string]>, { kindOf }: RecordShape<unknown>): string | undefined => {
  for (const [name, text] of texts) {
    const kind = kindOf(name);
    if (kind !== 'number' && isRounded(text, { isIdentifier: kind === 'identifier' })) return `${name}: ${roundedSentence}`;
  }
  return undefined;
};

/** Texts of a record of JSON by the names that they have as columns. */
const textsOf = function* (value: unknown, prefix = ''): Generator<readonly [string, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, held] of Object.entries(value)) {
    if (typeof held === 'string') yield [`${prefix}${key}`, held];
    else if (Array.isArray(held)) for (const one of held) if (typeof one === 'string') yield [`${prefix}${key}`, one];
    if (key === 'metadata' && prefix === '') yield* textsOf(held, 'meta.');
  }
};

const readJsonLine = <Item>(text: string, shape: RecordShape<Item>): Outcome<Item> => {
  let value: unknown;
  try {
    value = JSON.parse(text, (key, held: unknown) => (typeof held === 'string' && key !== shape.verbatim ? held.normalize() : held));
  } catch {
    return { problem: 'not JSON' };
  }
  const rounded = roundedIn(textsOf(value), shape);
  return rounded === undefined ? shape.read(value) : { problem: rounded };
};

interface Reading<Item> {
  readonly shape: RecordShape<Item>;
  readonly encoding?: TableEncoding | undefined;
}

const readJsonLines = async function* <Item>(path: string, { shape, encoding = 'utf-8' }: Reading<Item>): AsyncGenerator<RecordLine<Item>> {
  for await (const found of readUnchanged(path, () => readTextLines(path, encoding)))
    if ('problem' in found) yield found;
    else yield { line: found.line, ...readJsonLine(found.text, shape) };
};

const readHeader = (cells: readonly Cell[], { line, shape }: { line: number; shape: RecordShape<unknown> }): string[] => {
  const refuse = (problem: string): never => {
    throw new UsageError(`line ${line}: ${problem}`);
  };
  const names = withoutBlankEnd(cells).map(({ text }) => text.normalize());
  const nameless = names.indexOf('');
  if (nameless !== -1) refuse(`column ${nameless + 1} has no name`);
  const unknown = names.filter((name) => !shape.isColumn(name));
  if (unknown.length > 0) refuse(`${unknown.map((name) => `'${name}'`).join(', ')}: no such field; there are ${shape.listed.join(', ')}`);
  const missing = shape.required.filter((name) => !names.includes(name));
  if (missing.length > 0) refuse(`${missing.join(', ')} missing`);
  if (new Set(names).size < names.length) refuse('a field is named twice');
  return names;
};

/** Leading zeros are lost where a spreadsheet took digits for a number, and `11/2026` where it took them for a day. */
const problemOfCell = (name: string, { keptAs, problem, kind }: Cell & { readonly kind: ColumnKind }): string | undefined => {
  if (problem !== undefined) return `${name}: ${problem}`;
  if (keptAs === undefined || kind === 'number') return undefined;
  const lost = keptAs === 'number' ? 'a number, which may have lost its leading zeros or its last digits' : 'a day, and no text';
  return `${name}: ${lost}: format the column as text in the spreadsheet, and fill it in anew`;
};

const readCells = <Item>(
  given: readonly Cell[],
  { names, shape }: { names: readonly string[]; shape: RecordShape<Item> },
): Outcome<Item> => {
  const cells = given.length > names.length ? withoutBlankEnd(given) : given;
  if (cells.length > names.length || given.length < names.length)
    return { problem: `${cells.length} cells where the first line has ${names.length}` };
  const problems = names.flatMap(
    (name, index) => problemOfCell(name, { ...(cells[index] ?? { text: '' }), kind: shape.kindOf(name) }) ?? [],
  );
  if (problems.length > 0) return { problem: problems.join('; ') };
  const texts = names.map((name, index): [string, string] => {
    const { text } = cells[index] ?? { text: '' };
    return [name, name === shape.verbatim ? text : text.normalize()];
  });
  const rounded = roundedIn(texts, shape);
  return rounded === undefined ? shape.read(shape.fieldsOf(new Map(texts))) : { problem: rounded };
};

/** A workbook leaves out blank cells at the end of a row. A line of CSV that is too short may have been cut off. */
const wholeRow = (cells: readonly Cell[], length: number): readonly Cell[] =>
  cells.length >= length ? cells : [...cells, ...Array.from({ length: length - cells.length }, () => ({ text: '' }))];

const readTable = async function* <Item>(path: string, { shape, encoding = 'utf-8' }: Reading<Item>): AsyncGenerator<RecordLine<Item>> {
  let names: string[] | undefined;
  for await (const row of readTableRows(path, encoding)) {
    const { line } = row;
    if ('problem' in row) {
      if (names === undefined) throw new UsageError(`line ${line}: ${row.problem}`);
      yield { line, problem: row.problem };
    } else if (names === undefined) names = readHeader(row.cells, { line, shape });
    else yield { line, ...readCells(isWorkbook(path) ? wholeRow(row.cells, names.length) : row.cells, { names, shape }) };
  }
  if (names === undefined) throw new UsageError(`${path} is empty`, { exitCode: 1 });
};

const readers: Readonly<Record<string, typeof readTable>> = { '.csv': readTable, '.xlsx': readTable, '.jsonl': readJsonLines };

/** Endings of the files that are read as tables. */
export const tableEndings: readonly string[] = Object.keys(readers);

/** As the lines come, the first one at once: what makes the whole file unreadable is thrown before anything is done with it. */
const withFirst = async <T>(lines: AsyncGenerator<T>, path: string): Promise<AsyncGenerator<T>> => {
  const first = await lines.next();
  if (first.done === true) throw new UsageError(`${path} has no line but its first one: there is nothing in it`, { exitCode: 1 });
  return (async function* () {
    yield first.value;
    yield* lines;
  })();
};

/**
 * Reads a file of records line by line: CSV (named columns), XLSX or JSONL, by its ending. Throws UsageError when it is neither or has no line, and
 * RefusedError at its end when it was changed meanwhile.
 */
export const readRecordLines = async <Item>(path: string, reading: Reading<Item>): Promise<AsyncGenerator<RecordLine<Item>>> => {
  const ending = extname(path).toLowerCase();
  const read = Object.hasOwn(readers, ending) ? readers[ending] : undefined;
  if (read === undefined) throw new UsageError(`${path}: the name must end with .csv, .xlsx or .jsonl`);
  await requireFile(path);
  return withFirst(read(path, reading), path);
};
