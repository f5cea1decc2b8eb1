import { type AnswerOf, type BodyOf, type calls, type MetadataValue, valueLimits } from '@pergamin/contract';
import type { Definition, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { criteriaSql } from './criteria.ts';
import { createDayOf } from './days.ts';
import type { DocumentListParts } from './document-lists.service.ts';
import { freeTextSql } from './free-text.ts';
import { createParameters, type Parameters } from './metadata-sql.ts';
import { prepareValues, type ValueRow } from './own-values.store.ts';
import { listPrincipals } from '#features/deliveries/deliveries.door.ts';
import { planQuery } from './query-plan.ts';
import type { Search } from './search.store.ts';

/**
 * The different values that one key has among the caller's documents that a search finds: what a filter can offer. Of keys that lists show,
 * nothing but an index is read. Throws VALIDATION_ERROR for a key that is not shown to clients, and what the list throws.
 */
export type ListValues = (caller: ClientCaller, body: BodyOf<typeof calls.listOwnValues>) => Promise<AnswerOf<typeof calls.listOwnValues>>;

/** Answers remembered per process; more are forgotten, the oldest first. */
const maxRemembered = 2_000;

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
  const isSpaceless = definition.type === 'RAW';
  const nameOf = (value: MetadataValue): string =>
    names.get(String(value)) ?? (isSpaceless ? String(value).replaceAll(/\s/g, '') : String(value));
  return values.toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : polish.compare(nameOf(a), nameOf(b))));
};

export const createListValues = ({ pool, metadata, settings }: DocumentListParts): ListValues => {
  const dayOf = createDayOf(settings.timeZone);
  const remembered = new Map<string, { readonly revision: string; readonly rows: readonly ValueRow[] }>();
  return async (caller, { key, ...query }) => {
    const definitions = await metadata.definitions();
    const definition = definitions.find(key);
    if (definition === undefined || (definition.visible !== 'yes' && definition.visible !== 'own'))
      throw invalidField('key', 'not a key whose values can be told');
    const { kinds, period, rest } = planQuery(query, { definitions, dayOf });
    const makeConditions: Search['makeConditions'] = (parameters: Parameters) => {
      const context = { definitions, reader: caller, parameters, dayOf };
      const text = freeTextSql(query.text, context);
      return [...criteriaSql(rest, context), ...(text === undefined ? [] : [text])];
    };
    // A wrong query is refused before anything is asked.
    makeConditions(createParameters());
    const { principals, revision } = await listPrincipals(pool, caller, { hasPublic: kinds.includes('public') });
    const valuesOf = prepareValues(pool, { principals, kinds, period, makeConditions }, { definition, definitions, reader: caller });
    const { key: name } = valuesOf;
    const known = name === undefined ? undefined : remembered.get(name);
    const rows = known?.revision === revision ? known.rows : await valuesOf.run();
    if (name !== undefined) {
      remembered.delete(name);
      remembered.set(name, { revision, rows });
      const [oldest] = remembered.keys();
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    }
    const values = rows.slice(0, valueLimits.maxValues).map(({ value }) => readValue(definition, value));
    return { items: inOrder([...new Set(values)], definition, definitions), more: rows.length > valueLimits.maxValues };
  };
};
