import { readFile } from 'node:fs/promises';
import { calls, categoryRecord } from '@pergamin/contract';
import * as z from 'zod/mini';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';

const fileContent = z.array(categoryRecord).check(z.minLength(1));

const readCategories = async (path: string): Promise<z.output<typeof fileContent>> => {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} is not a readable JSON file`, { cause: error });
  }
  const read = z.safeParse(fileContent, json);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path: place, message }) => `\n  ${place.join('.') || 'the file'}: ${message}`);
  throw new UsageError(`${path} does not fit${problems.join('')}`);
};

export const categories = {
  usage: `pergamin categories import CATEGORIES.json
    Creates the categories and types of what clients send, and changes them; can be repeated. The file is a list:
    [{ "id": "COMPLAINTS", "name": { "pl": "Reklamacje", "en": "Complaints" }, "retentionDays": 3650,
       "types": [{ "id": "COMPLAINT", "name": { "pl": "Reklamacja", "en": "Complaint" } }] }]
    Types that are left out, and what says "deleted": true, stay on documents and cannot be chosen any more.
    Categories that are left out stay as they are.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { positionals } = readArguments(args, {});
    const [verb, path, ...more] = positionals;
    if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(categories.usage);
    const { created, changed, unchanged } = await connection.call(calls.upsertCategories, { body: { items: await readCategories(path) } });
    process.stdout.write(`created ${created}, changed ${changed}, unchanged ${unchanged} categories\n`);
  },
};
