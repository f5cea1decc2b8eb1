import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { UsageError } from './errors.ts';

export type Outcome<Item> = { readonly record: Item } | { readonly problem: string };

/** One line of the file: a record, or the problem of the line. Lines are numbered from 1, the header among them. */
export type RecordLine<Item> = { readonly line: number } & Outcome<Item>;

/** What a file of records holds, and how its CSV form says it. */
export interface RecordShape<Item> {
  /** Columns that the first line must have. */
  readonly required: readonly string[];
  /** For the sentence about an unknown column. */
  readonly listed: readonly string[];
  isColumn(name: string): boolean;
  /** The fields of a record, from the cells of a line by their columns. */
  fieldsOf(cells: ReadonlyMap<string, string>): Record<string, unknown>;
  read(value: unknown): Outcome<Item>;
}

const longestLine = 64 * 1024;

interface Line {
  readonly line: number;
  /** Undefined when it is too long to be one. */
  readonly text: string | undefined;
}

/** Lines of a UTF-8 file, with or without a byte order mark. Holds one of them at a time, however long the file is. */
const readLines = async function* (path: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let line = 0;
  let rest = '';
  let isTooLong = false;
  const take = (text: string): Line => {
    line += 1;
    const whole = { line, text: isTooLong || text.length > longestLine ? undefined : text.replace(/\r$/, '') };
    isTooLong = false;
    return whole;
  };
  for await (const chunk of createReadStream(path)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield take(part);
    if (rest.length > longestLine) {
      isTooLong = true;
      rest = '';
    }
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) yield take(rest);
};

/** Lines with content; an invalid one comes as its problem. */
const readFilledLines = async function* (path: string): AsyncGenerator<{ line: number; text: string } | { line: number; problem: string }> {
  for await (const { line, text } of readLines(path)) {
    if (text === undefined) yield { line, problem: `longer than ${longestLine} characters` };
    else if (text.includes('\uFFFD')) yield { line, problem: 'not UTF-8' };
    else if (text.trim() !== '') yield { line, text };
  }
};

const readJsonLines = async function* <Item>(path: string, shape: RecordShape<Item>): AsyncGenerator<RecordLine<Item>> {
  for await (const found of readFilledLines(path)) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    let value: unknown;
    try {
      value = JSON.parse(found.text);
    } catch {
      yield { line: found.line, problem: 'not JSON' };
      continue;
    }
    yield { line: found.line, ...shape.read(value) };
  }
};

/**
 * Each line by itself: a cell never holds a line break, so a quote that is left open spoils its own line only. (The parser's own way of
 * skipping what is broken swallows good lines after it.)
 */
const readCells = (text: string, delimiter: string): string[] | { problem: string } => {
  try {
    const [cells = []]: string[][] = parse(text, { delimiter, trim: true, relax_column_count: true });
    return cells;
  } catch (error) {
    if (error instanceof CsvError) return { problem: 'quotes do not fit' };
    throw error;
  }
};

const readHeader = (text: string, shape: RecordShape<unknown>): { names: string[]; delimiter: string } => {
  const delimiter = text.split(';').length > text.split(',').length ? ';' : ',';
  const names = readCells(text, delimiter);
  if (!Array.isArray(names)) throw new UsageError(`line 1: ${names.problem}`);
  const unknown = names.filter((name) => !shape.isColumn(name));
  if (unknown.length > 0)
    throw new UsageError(`line 1: ${unknown.map((name) => `'${name}'`).join(', ')}: no such field; there are ${shape.listed.join(', ')}`);
  const missing = shape.required.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`line 1: ${missing.join(', ')} missing`);
  if (new Set(names).size < names.length) throw new UsageError('line 1: a field is named twice');
  return { names, delimiter };
};

const readCsv = async function* <Item>(path: string, shape: RecordShape<Item>): AsyncGenerator<RecordLine<Item>> {
  let header: ReturnType<typeof readHeader> | undefined;
  for await (const found of readFilledLines(path)) {
    if ('problem' in found) {
      if (header === undefined) throw new UsageError(`line ${found.line}: ${found.problem}`);
      yield found;
      continue;
    }
    const { line, text } = found;
    if (header === undefined) {
      header = readHeader(text, shape);
      continue;
    }
    const { names, delimiter } = header;
    const cells = readCells(text, delimiter);
    if (!Array.isArray(cells)) yield { line, ...cells };
    else if (cells.length !== names.length) yield { line, problem: `${cells.length} cells where the first line has ${names.length}` };
    else yield { line, ...shape.read(shape.fieldsOf(new Map(names.map((name, index) => [name, cells[index] ?? ''])))) };
  }
  if (header === undefined) throw new UsageError(`${path} is empty`);
};

/** Reads a file of records line by line: CSV (`,` or `;`, named columns) or JSONL, by its ending. Throws UsageError when it is neither. */
export const readRecordLines = async <Item>(path: string, shape: RecordShape<Item>): Promise<AsyncGenerator<RecordLine<Item>>> => {
  const ending = extname(path).toLowerCase();
  if (ending !== '.csv' && ending !== '.jsonl') throw new UsageError(`${path}: the name must end with .csv or .jsonl`);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${path} is not a readable file`);
  return ending === '.csv' ? readCsv(path, shape) : readJsonLines(path, shape);
};
