import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { UsageError } from './errors.ts';

/** A JSON file that holds a list of at least one of these. Throws UsageError saying where it does not fit. */
export const readListFile = async <Item extends z.core.$ZodType>(path: string, item: Item): Promise<z.output<Item>[]> => {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} is not a readable JSON file`, { cause: error });
  }
  const read = z.safeParse(z.array(item).check(z.minLength(1)), json);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path: place, message }) => `\n  ${place.join('.') || 'the file'}: ${message}`);
  throw new UsageError(`${path} does not fit${problems.join('')}`);
};
