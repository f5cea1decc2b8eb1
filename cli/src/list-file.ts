import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { UsageError } from './errors.ts';
import { findEncoding } from '#tables/table-encoding.ts';

/** With or without a byte order mark; its texts are NFC. */
const readJson = async (path: string): Promise<unknown> => {
  try {
    const bytes = await readFile(path);
    const { isUtf8, looksLike } = await findEncoding([bytes]);
    if (!isUtf8)
      throw new UsageError(`${path} is not UTF-8${looksLike === undefined ? '' : `; it looks like ${looksLike}`}: save it as UTF-8`);
    return JSON.parse(
      bytes
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .normalize(),
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} is not a readable JSON file`, { cause: error });
  }
};

/** A JSON file that holds a list of at least one of these. Throws UsageError saying where it does not fit. */
export const readListFile = async <Item extends z.core.$ZodType>(path: string, item: Item): Promise<z.output<Item>[]> => {
  const json = await readJson(path);
  const read = z.safeParse(z.array(item).check(z.minLength(1)), json);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path: place, message }) => `\n  ${place.join('.') || 'the file'}: ${message}`);
  throw new UsageError(`${path} does not fit${problems.join('')}`);
};
