import { type AnswerOf, type BodyOf, type calls, type MetadataValue, valueLimits } from '@pergamin/contract';
import type { Definition, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { criteriaSql } from './criteria.ts';
import { createDayOf } from './days.ts';
import type { DocumentListParts } from './document-lists.service.ts';
import { freeTextSql } from './free-text.ts';
import { findListed } from './listed-values.ts';
import { createParameters, type Parameters, valueSql } from './metadata-sql.ts';
import { listPrincipals } from './principals.store.ts';
import { planQuery } from './query-plan.ts';
import { foundSql, type Search } from './search.store.ts';

/**
 * The different values that one key has among the caller's documents that a search finds: what a filter can offer. Of keys that lists show,
 * nothing but an index is read. Throws VALIDATION_ERROR for a key that is not shown to clients, and what the list throws.
 */
export type ListValues = (caller: ClientCaller, body: BodyOf<typeof calls.listOwnValues>) => Promise<AnswerOf<typeof calls.listOwnValues>>;

const mostRows = valueLimits.maxValues + 1;

/** What the deliveries of a search say of one key, in SQL: a column `value`, each value once, one more row than is told. */
const valuesSql = (search: Search, { definition, context }: { definition: Definition; context: Context }): string => {
  const { parameters } = context;
  const ofDocument = (): string => valueSql(definition, context);
  const narrowed = (...sql: readonly string[]): Search => ({
    ...search,
    makeConditions: (given) => [...search.makeConditions(given), ...sql.map((one) => ({ sql: one, needsDocument: false }))],
  });
  const distinct = (of: Search, column: string, needsDocument: boolean): string => {
    const found = foundSql(of, { columns: `${column} as value`, needsDocument, parameters });
    return `(select value from (${found}) as found where value is not null group by value order by value limit ${mostRows})`;
  };
  const listed = findListed(definition, context.definitions);
  if (listed === undefined) return distinct(search, ofDocument(), true);
  if (listed.form === 'plain') return distinct(search, listed.sql, false);
  // Of the few whose values are longer than a list keeps, only the documents know them whole.
  const ofCut = distinct(narrowed('entry.is_cut'), ofDocument(), true);
  const whole = narrowed('not entry.is_cut');
  if (listed.form === 'option' || listed.form === 'identifier') return `${distinct(whole, listed.sql, false)} union ${ofCut}`;
  // The same number with spaces or without and the same text in capitals or not are one value, which is told as the first document has it.
  const found = foundSql(whole, { columns: `${listed.sql} as folded, entry.published_at`, parameters });
  const one = narrowed(`${listed.sql} = grouped.folded`, 'entry.published_at = grouped.published_at');
  return `(
    select first.value from (
      select folded, min(published_at) as published_at from (${found}) as found
      where folded is not null group by folded order by folded limit ${mostRows}
    ) as grouped
    cross join lateral (
      select value from (${foundSql(one, { columns: `${ofDocument()} as value`, needsDocument: true, parameters })}) as same limit 1
    ) as first
  ) union ${ofCut}`;
};

interface Context {
  readonly definitions: MetadataDefinitions;
  readonly reader: ClientCaller;
  readonly parameters: Parameters;
}

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
  const remembered = new Map<string, { readonly revision: string; readonly rows: readonly { readonly value: unknown }[] }>();
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
    const parameters = createParameters();
    const text = valuesSql(
      { principals, kinds, period, makeConditions },
      { definition, context: { definitions, reader: caller, parameters } },
    );
    // Whatever lists show is the same until something is delivered; the rest only documents know.
    const isListed =
      findListed(definition, definitions) !== undefined && !makeConditions(createParameters()).some((one) => one.needsDocument);
    const name = `${text} ${JSON.stringify(parameters.values)}`;
    const known = isListed ? remembered.get(name) : undefined;
    const rows = known?.revision === revision ? known.rows : (await pool.query<{ value: unknown }>(text, [...parameters.values])).rows;
    if (isListed) {
      remembered.delete(name);
      remembered.set(name, { revision, rows });
      const [oldest] = remembered.keys();
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    }
    const values = rows.slice(0, valueLimits.maxValues).map(({ value }) => readValue(definition, value));
    return { items: inOrder([...new Set(values)], definition, definitions), more: rows.length > valueLimits.maxValues };
  };
};
