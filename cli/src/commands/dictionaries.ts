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

type InFile = z.output<typeof dictionaryInFile>;

/** Of one dictionary, a line for each option that is new, renamed, or left out. */
const differences = (next: InFile, present: Pick<InFile, 'values'> | undefined): string[] => {
  const before = new Map((present?.values ?? []).map(({ key, name }) => [key, name]));
  const after = new Set(next.values.map(({ key }) => key));
  const added = next.values.filter(({ key }) => !before.has(key)).map(({ key }) => `  new ${key}`);
  const renamed = next.values
    .filter(({ key, name }) => {
      const old = before.get(key);
      return old !== undefined && (old.pl !== name.pl || old.en !== name.en);
    })
    .map(({ key }) => `  renamed ${key}`);
  const gone = [...before.keys()].filter((key) => !after.has(key)).map((key) => `  goes ${key}, unless a document carries it`);
  return [...added, ...renamed, ...gone];
};

const compareFile = async (connection: Connection, path: string): Promise<void> => {
  const present = new Map((await connection.call(calls.listDictionaries, {})).items.map((dictionary) => [dictionary.id, dictionary]));
  for (const next of await readListFile(path, dictionaryInFile)) {
    const lines = differences(next, present.get(next.id));
    const state = present.has(next.id) ? (lines.length === 0 ? 'the same options' : 'changes') : 'a new dictionary';
    process.stdout.write(`${[`${next.id}: ${state}`, ...lines].join('\n')}\n`);
  }
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

pergamin dictionaries import DICTIONARIES.json [--dry-run]
    Creates dictionaries and replaces their options; can be repeated. The file is a list:
    [{ "id": "PRIV_DOC_PRODUCT_GROUP", "name": { "pl": "Grupa produktowa", "en": "Product group" },
       "values": [{ "key": "LOANS", "name": { "pl": "Kredyty", "en": "Loans" } }] }]
    Options that are left out go, but for those that a document carries. Dictionaries that are left out stay as they are.
    --dry-run says what would change, and changes nothing.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { 'dry-run': { type: 'boolean' } }, usage: dictionaries.usage });
    const isDry = values['dry-run'] === true;
    const [verb, path, ...more] = positionals;
    if (verb === 'list' && path === undefined && !isDry) return writeList(connection);
    if (verb !== 'import' || path === undefined || more.length > 0) throw new UsageError(dictionaries.usage);
    return isDry ? compareFile(connection, path) : importFile(connection, path);
  },
};
