import { calls, categoryRecord } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { readListFile } from '../list-file.ts';

export const categories = {
  usage: `pergamin categories import CATEGORIES.json [--dry-run]
    Creates the categories and types of what clients send, and changes them; can be repeated. The file is a list:
    [{ "id": "COMPLAINTS", "name": { "pl": "Reklamacje", "en": "Complaints" }, "retentionDays": 3650,
       "types": [{ "id": "COMPLAINT", "name": { "pl": "Reklamacja", "en": "Complaint" } }] }]
    Types that are left out, and what says "deleted": true, stay on documents and cannot be chosen any more.
    Categories that are left out stay as they are. --dry-run counts what would change, and changes nothing.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { 'dry-run': { type: 'boolean' } }, usage: categories.usage });
    const isDry = values['dry-run'] === true;
    const [verb, path, ...more] = positionals;
    if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(categories.usage);
    const items = await readListFile(path, categoryRecord);
    const { created, changed, unchanged } = await connection.call(calls.upsertCategories, {
      body: { items, ...(isDry ? { dryRun: true } : {}) },
    });
    const [create, change] = isDry ? ['would create', 'change'] : ['created', 'changed'];
    process.stdout.write(`${create} ${created}, ${change} ${changed}, unchanged ${unchanged} categories\n`);
  },
};
