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
    Categories that are left out stay as they are. --dry-run says what would change, and changes nothing.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { 'dry-run': { type: 'boolean' } }, usage: categories.usage });
    const isDry = values['dry-run'] === true;
    const [verb, path, ...more] = positionals;
    if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(categories.usage);
    const items = await readListFile(path, categoryRecord);
    const { created, changed, unchanged } = await connection.call(calls.upsertCategories, {
      body: { items, ...(isDry ? { dryRun: true } : {}) },
    });
    const lines = [
      ...created.flatMap(({ id, types }) => [`new ${id}`, ...types.map((type) => `  + ${type}`)]),
      ...changed.flatMap(({ id, fields, types }) => [
        fields.length === 0 ? `changed ${id}` : `changed ${id}: ${fields.join(', ')}`,
        ...types.added.map((type) => `  + ${type}`),
        ...types.changed.map((type) => `  ~ ${type}`),
        ...types.removed.map((type) => `  - ${type}`),
      ]),
    ];
    const [create, change] = isDry ? ['would create', 'change'] : ['created', 'changed'];
    lines.push(`${create} ${created.length}, ${change} ${changed.length}, unchanged ${unchanged} categories`);
    process.stdout.write(`${lines.join('\n')}\n`);
  },
};
