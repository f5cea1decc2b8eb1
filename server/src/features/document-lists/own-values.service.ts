import { type AnswerOf, type BodyOf, type calls, type MetadataValue, valueLimits } from '@pergamin/contract';
import { accountKey, type Definition, isAccountKey, type MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { createDayOf } from './days.ts';
import type { DocumentListParts } from './document-lists.service.ts';
import { readListQuery } from './list-query.ts';
import { alphabeticalSql, composed, documentValue, findAccount, findListValue, findOwnNumber } from './list-values.ts';
import { readValues } from './lists.store.ts';

/**
 * The different values that one key has among the caller's documents that a search finds: what a filter can offer. Throws VALIDATION_ERROR
 * for a key that is not shown to clients, and what the list throws.
 */
export type ListValues = (caller: ClientCaller, body: BodyOf<typeof calls.listOwnValues>) => Promise<AnswerOf<typeof calls.listOwnValues>>;

const polish = new Intl.Collator('pl', { numeric: true });

const readValue = ({ type }: Definition, value: unknown): MetadataValue => {
  if (value === 'infinity' || value === Number.POSITIVE_INFINITY) return -1;
  if (type === 'DECIMAL' || type === 'DATE') return Number(value);
  return typeof value === 'boolean' ? value : String(value);
};

/** As a person looks for them: names by the alphabet, everything else by its size. */
const inOrder = (values: readonly MetadataValue[], definition: Definition, definitions: MetadataDefinitions): MetadataValue[] => {
  const options = definition.type === 'KEY_NAME' ? definitions.findDictionary(definition)?.values : undefined;
  const names = new Map(options?.map(({ key, name }) => [key, name.pl]));
  const isAccount = isAccountKey(definition);
  const nameOf = (value: MetadataValue): string => names.get(String(value)) ?? (isAccount ? accountKey(String(value)) : String(value));
  return values.toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : polish.compare(nameOf(a), nameOf(b))));
};

const textual: readonly Definition['type'][] = ['RAW', 'TEXT', 'KEY_NAME'];

export const createListValues = ({ pool, metadata, settings }: DocumentListParts): ListValues => {
  const dayOf = createDayOf(settings.timeZone);
  return async (caller, { key, ...asked }) => {
    const definitions = await metadata.definitions();
    const definition = definitions.findShown(key);
    if (definition === undefined) throw invalidField('key', 'not a key whose values can be told');
    const query = readListQuery(asked, { definitions, reader: caller, dayOf });
    const listed = findListValue(definition, definitions);
    const ofDocument = documentValue(definition, definitions);
    const account = findAccount(definition, definitions);
    const isText = textual.includes(definition.type);
    const rows = await readValues(pool, {
      query,
      reader: caller,
      value: account ?? findOwnNumber(definition, definitions) ?? listed ?? (isText ? composed(ofDocument) : ofDocument),
      // The same number in any spelling and the same text in capitals or not are one value.
      shown: listed?.form === 'text' || account !== undefined ? composed(ofDocument) : undefined,
      orderOf: (column) => (isText && listed?.form !== 'plain' ? alphabeticalSql(column, listed?.form) : column),
      maxValues: valueLimits.maxValues + 1,
    });
    const values = rows.slice(0, valueLimits.maxValues).map((value) => readValue(definition, value));
    return { items: inOrder([...new Set(values)], definition, definitions), more: rows.length > valueLimits.maxValues };
  };
};
