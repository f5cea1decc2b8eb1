import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { clientRecord, type ClientRecord } from '@pergamin/contract';
import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { safeParse } from 'zod/mini';
import { UsageError } from './errors.ts';

/** One line of the file: a client, or the problem of the line. Lines are numbered from 1, the header among them. */
export type ClientLine = { readonly line: number } & ({ readonly record: ClientRecord } | { readonly problem: string });

const longestLine = 64 * 1024;

const required = ['personalId', 'cif', 'firstName', 'lastName'];

/** Every field of a record, in the order of the contract, with what it must be: validators only say that it is not. */
const expectations: Readonly<Record<string, string>> = {
  personalId: 'must be 1 to 64 letters, digits or . _ @ -',
  cif: 'must be 1 to 32 letters, digits or -',
  cif2: 'must be 1 to 32 letters, digits or -',
  firstName: 'must be 1 to 100 characters on one line',
  lastName: 'must be 1 to 100 characters on one line',
  email: 'must be an e-mail address',
  phone: 'must be + with country code and 6 to 15 digits',
  groups: 'must be at most 100 group ids of 1 to 64 characters',
  managed: 'must be true or false',
  language: 'must be the code of a language, like PL or EN',
  initialPassword: 'must have 8 to 200 characters',
};

const readRecord = (value: unknown): { record: ClientRecord } | { problem: string } => {
  const read = safeParse(clientRecord, value);
  if (read.success) return { record: read.data };
  // The value is not repeated: it is personal data.
  const problems = read.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: not a field of a client`;
    const [field] = issue.path;
    return field === undefined ? 'not a client record' : `${String(field)}: ${expectations[String(field)] ?? 'invalid'}`;
  });
  return { problem: [...new Set(problems)].join('; ') };
};

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

const readJsonLines = async function* (path: string): AsyncGenerator<ClientLine> {
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
    yield { line: found.line, ...readRecord(value) };
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

const readHeader = (text: string): { names: string[]; delimiter: string } => {
  const delimiter = text.split(';').length > text.split(',').length ? ';' : ',';
  const names = readCells(text, delimiter);
  if (!Array.isArray(names)) throw new UsageError(`line 1: ${names.problem}`);
  const unknown = names.filter((name) => !Object.hasOwn(expectations, name));
  if (unknown.length > 0)
    throw new UsageError(
      `line 1: ${unknown.map((name) => `'${name}'`).join(', ')}: no such field; there are ${Object.keys(expectations).join(', ')}`,
    );
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`line 1: ${missing.join(', ')} missing`);
  if (new Set(names).size < names.length) throw new UsageError('line 1: a field is named twice');
  return { names, delimiter };
};

/** What a blank cell says: that there is none, where a client can be without. Elsewhere it is a field that is left out. */
const blankCells: Readonly<Record<string, unknown>> = { cif2: null, email: null, phone: null, groups: [], managed: false };

const valueOf = (name: string, cell: string): unknown => {
  if (cell === '') return blankCells[name];
  if (name === 'groups') return cell.split('|').map((group) => group.trim());
  if (name !== 'managed') return cell;
  const word = cell.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : cell;
};

const readCsv = async function* (path: string): AsyncGenerator<ClientLine> {
  let header: ReturnType<typeof readHeader> | undefined;
  for await (const found of readFilledLines(path)) {
    if ('problem' in found) {
      if (header === undefined) throw new UsageError(`line ${found.line}: ${found.problem}`);
      yield found;
      continue;
    }
    const { line, text } = found;
    if (header === undefined) {
      header = readHeader(text);
      continue;
    }
    const { names, delimiter } = header;
    const cells = readCells(text, delimiter);
    if (!Array.isArray(cells)) yield { line, ...cells };
    else if (cells.length !== names.length) yield { line, problem: `${cells.length} cells where the first line has ${names.length}` };
    else {
      const fields = names.map((name, index) => [name, valueOf(name, cells[index] ?? '')] as const);
      yield { line, ...readRecord(Object.fromEntries(fields.filter(([, value]) => value !== undefined))) };
    }
  }
  if (header === undefined) throw new UsageError(`${path} is empty`);
};

/** Reads a file of clients line by line: CSV (`,` or `;`, named columns) or JSONL, by its ending. Throws UsageError when it is neither. */
export const readClientLines = async (path: string): Promise<AsyncGenerator<ClientLine>> => {
  const ending = extname(path).toLowerCase();
  if (ending !== '.csv' && ending !== '.jsonl') throw new UsageError(`${path}: the name must end with .csv or .jsonl`);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError(`${path} is not a readable file`);
  return ending === '.csv' ? readCsv(path) : readJsonLines(path);
};
