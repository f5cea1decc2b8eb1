import { stat } from 'node:fs/promises';
import { documentId } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { RefusedError, UsageError } from './errors.ts';
import type { Cell } from '#tables/cells.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';
import { readTableRows } from '#tables/table-rows.ts';

/**
 * One id a line, of a text, a CSV table or an XLSX workbook; of a table with a column `id`, those in it. Blank lines do not count. Throws UsageError,
 * naming the line, before anything is changed.
 */
export const readIds = async (path: string, encoding: TableEncoding = 'utf-8'): Promise<string[]> => {
  if (
    await stat(path).then(
      (found) => found.isDirectory(),
      () => true,
    )
  )
    throw new UsageError(`${path} is not a readable file`);
  const ids: string[] = [];
  let column: number | undefined;
  for await (const row of readTableRows(path, encoding)) {
    const place = `${path}: line ${row.line}`;
    if ('problem' in row) throw new UsageError(`${place}: ${row.problem}`);
    if (column === undefined) {
      const named = row.cells.findIndex(({ text }) => text.trim().toLowerCase() === 'id');
      column = Math.max(named, 0);
      if (named !== -1) continue;
    }
    ids.push(idIn(row.cells, { column, place }));
  }
  if (ids.length === 0) throw new UsageError(`${path} holds no ids`, { exitCode: 1 });
  return ids;
};

const idIn = (cells: readonly Cell[], { column, place }: { column: number; place: string }): string => {
  const read = safeParse(documentId, cells[column]?.text.trim());
  if (!read.success) throw new UsageError(`${place} is no id of a document`);
  return read.data;
};

/** One after the other. A refusal of one of many is told and the others go on; one that the portal did not answer ends it. */
export const changeEach = async (ids: readonly string[], change: (id: string) => Promise<void>): Promise<void> => {
  let refused = 0;
  for (const id of ids) {
    try {
      await change(id);
    } catch (error) {
      if (!(error instanceof RefusedError) || ids.length === 1 || !isOfDocument(error)) throw error;
      refused += 1;
      process.stderr.write(`${id}: ${error.message}\n`);
    }
  }
  if (refused > 0) throw new RefusedError(`${refused} of ${ids.length} documents were refused`);
};

/** It says something of this document, not of the key or of the portal. */
const isOfDocument = ({ status }: RefusedError): boolean => status === 404 || status === 409;
