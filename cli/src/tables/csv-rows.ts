import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { TableEncoding } from './table-encoding.ts';
import type { TableRow } from './cells.ts';
import { readTextLines } from './text-lines.ts';

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

/** How a spreadsheet is told which sign is between the cells; the line is no row. A program that saves it again adds empty cells. */
const saidDelimiter = (text: string): string | undefined => {
  const [, sign, rest = ''] = /^"?sep=([^\w\s"]|\t)"?(.*)$/i.exec(text) ?? [];
  return sign !== undefined && rest.replaceAll(sign, '').trim() === '' ? sign : undefined;
};

const countOf = (text: string, sign: string): number => text.split(sign).length;

const likelyDelimiter = (text: string): string =>
  [';', '\t'].reduce((likeliest, sign) => (countOf(text, sign) > countOf(text, likeliest) ? sign : likeliest), ',');

/** Rows of a CSV file, without those that are blank or hold separators alone. Between the cells is what `sep=` says, else what the first row has most of. */
export const readCsvRows = async function* (path: string, encoding: TableEncoding): AsyncGenerator<TableRow> {
  let delimiter: string | undefined;
  for await (const found of readTextLines(path, encoding)) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const { line, text } = found;
    if (delimiter === undefined) {
      delimiter = saidDelimiter(text);
      if (delimiter !== undefined) continue;
      delimiter = likelyDelimiter(text);
    }
    const cells = readCells(text, delimiter);
    if (!Array.isArray(cells)) yield { line, ...cells };
    else if (cells.some((cell) => cell.trim() !== '')) yield { line, cells: cells.map((cell) => ({ text: cell })) };
  }
};
