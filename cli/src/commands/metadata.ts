import { calls, definitionRecord } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { readListFile } from '../list-file.ts';

const importFile = async (connection: Connection, path: string, isDry: boolean): Promise<void> => {
  const items = await readListFile(path, definitionRecord);
  const body = { items, ...(isDry ? { dryRun: true } : {}) };
  const { created, changed, unchanged } = await connection.call(calls.defineMetadata, { body });
  for (const id of created) process.stdout.write(`new ${id}\n`);
  for (const { id, fields } of changed) process.stdout.write(`changed ${id}: ${fields.join(', ')}\n`);
  process.stdout.write(
    `${isDry ? 'would create' : 'created'} ${created.length}, ${isDry ? 'change' : 'changed'} ${changed.length}, unchanged ${unchanged}\n`,
  );
};

export const metadata = {
  usage: `pergamin metadata list
    Writes the metadata keys that you may set, as JSON, in the order in which clients see them. It is a file that import takes.

pergamin metadata import METADATA.json [--dry-run]
    Creates metadata keys and changes them; can be repeated, all or nothing. The file is a list:
    [{ "id": "BRANCH_CODE", "name": { "pl": "Oddział", "en": "Branch" }, "type": "TEXT", "screens": ["D"] }]
    type is RAW, TEXT, DECIMAL, DATE, SIMPLE_DATE, BOOLEAN or KEY_NAME (then "dictionary" names its options). "screens": D details, I document
    information, V verification. "visible": false keeps the values from clients, "required": true is for every publication, "removed": true for
    none from now on. Type, dictionary and visibility stay once a document carries the key. Keys that are left out stay as they are.
    --dry-run says what would change, and changes nothing.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { 'dry-run': { type: 'boolean' } }, usage: metadata.usage });
    const [verb, path, ...more] = positionals;
    const isDry = values['dry-run'] === true;
    if (verb === 'list' && path === undefined && !isDry) {
      const { items } = await connection.call(calls.listDefinitions, {});
      process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
      return;
    }
    if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(metadata.usage);
    return importFile(connection, path, isDry);
  },
};
