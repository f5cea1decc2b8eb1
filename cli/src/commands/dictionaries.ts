import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { readListFile } from '../list-file.ts';

const { params, body } = calls.upsertDictionary;
const dictionaryInFile = z.extend(body, params.shape);

/** Their options are types and states of the portal itself. */
const ownDictionaries = ['TYPE', 'STATE'];

const writeList = async (connection: Connection): Promise<void> => {
  const { items } = await connection.call(calls.listDictionaries, {});
  const kept = items.filter(({ id, values }) => values.length > 0 && !ownDictionaries.includes(id));
  const asInFile = kept.map(({ id, name, values }) => ({ id, name, values }));
  process.stdout.write(`${JSON.stringify(asInFile, undefined, 2)}\n`);
};

const importFile = async (connection: Connection, path: string): Promise<void> => {
  for (const { id, ...contents } of await readListFile(path, dictionaryInFile)) {
    await connection.call(calls.upsertDictionary, { params: { id }, body: contents });
    process.stdout.write(`${id}: ${contents.values.length} options\n`);
  }
};

export const dictionaries = {
  usage: `pergamin dictionaries list
    Writes the dictionaries that have options, as JSON: product groups (PRIV_DOC_PRODUCT_GROUP of a customer's documents,
    PUB_DOC_PRODUCT_GROUP of public ones) and the document types of statements (ST_DOC_TYPE). It is a file that import takes.

pergamin dictionaries import DICTIONARIES.json
    Creates dictionaries and replaces their options; can be repeated. The file is a list:
    [{ "id": "PRIV_DOC_PRODUCT_GROUP", "name": { "pl": "Grupa produktowa", "en": "Product group" },
       "values": [{ "key": "LOANS", "name": { "pl": "Kredyty", "en": "Loans" } }] }]
    Options that are left out go, but for those that a document carries. Dictionaries that are left out stay as they are.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { positionals } = readArguments(args, { options: {}, usage: dictionaries.usage });
    const [verb, path, ...more] = positionals;
    if (verb === 'list' && path === undefined) return writeList(connection);
    if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(dictionaries.usage);
    return importFile(connection, path);
  },
};
