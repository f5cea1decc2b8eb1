import { readFile } from 'node:fs/promises';
import { documentId } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { RefusedError, UsageError } from './errors.ts';

/** One id a line; blank lines do not count. Throws UsageError, naming the line, before anything is changed. */
export const readIds = async (path: string): Promise<string[]> => {
  let written: string;
  try {
    written = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read`, { cause: error });
  }
  const ids: string[] = [];
  for (const [index, line] of written
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const id = line.trim();
    if (id === '') continue;
    const read = safeParse(documentId, id);
    if (!read.success) throw new UsageError(`${path}: line ${index + 1} is no id of a document`);
    ids.push(read.data);
  }
  if (ids.length === 0) throw new UsageError(`${path} holds no ids`);
  return ids;
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
