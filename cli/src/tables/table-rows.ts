import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { RefusedError, UsageError } from '#errors.ts';
import type { TableRow } from './cells.ts';
import { readCsvRows } from './csv-rows.ts';
import type { TableEncoding } from './table-encoding.ts';
import { readXlsxRows } from './xlsx-rows.ts';

/** Its size and the moment of its last change: while these change, it is still being written. Undefined when it is no file. */
export const stateOfFile = async (path: string): Promise<string | undefined> =>
  stat(path).then(
    (found) => (found.isFile() ? `${found.size} ${found.mtimeMs}` : undefined),
    () => undefined,
  );

/** Throws UsageError when there is no such file. */
export const requireFile = async (path: string): Promise<void> => {
  if ((await stateOfFile(path)) === undefined) throw new UsageError(`${path} is not a readable file`);
};

/** Throws RefusedError at the end when the file was changed meanwhile: of one that is still being written half would be read. */
export const readUnchanged = async function* <T>(path: string, read: () => AsyncIterable<T>): AsyncGenerator<T> {
  const before = await stateOfFile(path);
  yield* read();
  if ((await stateOfFile(path)) !== before)
    throw new RefusedError(`${path} was changed while it was read: repeat the command when it is complete`);
};

export const isWorkbook = (path: string): boolean => extname(path).toLowerCase() === '.xlsx';

/** Rows of an XLSX workbook by its ending, else of CSV. Throws UsageError when it cannot be read. */
export const readTableRows = (path: string, encoding: TableEncoding): AsyncGenerator<TableRow> =>
  readUnchanged(path, () => (isWorkbook(path) ? readXlsxRows(path) : readCsvRows(path, encoding)));
