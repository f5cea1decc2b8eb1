import { valueLimits } from '@pergamin/contract';
import type { Pool } from 'pg';
import type { Definition, MetadataDefinitions, MetadataReader } from '#features/metadata/metadata.door.ts';
import { findListed } from './listed-values.ts';
import { createParameters, type Parameters, valueSql } from './metadata-sql.ts';
import { findOwnNumberSql } from './own-numbers.ts';
import { foundSql, type Search } from './search.store.ts';

export interface ValueRow {
  readonly value: unknown;
}

export interface ValuesStatement {
  /** The same for the same question, as long as nothing is delivered; undefined when only documents can tell. */
  readonly key: string | undefined;
  run(): Promise<readonly ValueRow[]>;
}

interface Asked {
  readonly definition: Definition;
  readonly definitions: MetadataDefinitions;
  readonly reader: MetadataReader;
}

/** Each value of one key among the deliveries of a search once, and one more than is told when there are more. */
export const prepareValues = (pool: Pick<Pool, 'query'>, search: Search, { definition, definitions, reader }: Asked): ValuesStatement => {
  const parameters = createParameters();
  const text = valuesSql(search, { definition, context: { definitions, reader, parameters } });
  const isListed =
    (findListed(definition, definitions) ?? findOwnNumberSql(definition, definitions)) !== undefined &&
    !search.makeConditions(createParameters()).some((one) => one.needsDocument);
  return {
    key: isListed ? `${text} ${JSON.stringify(parameters.values)}` : undefined,
    async run() {
      const { rows } = await pool.query<ValueRow>(text, [...parameters.values]);
      return rows;
    },
  };
};

interface Context {
  readonly definitions: MetadataDefinitions;
  readonly reader: MetadataReader;
  readonly parameters: Parameters;
}

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
  const ownNumber = findOwnNumberSql(definition, context.definitions);
  if (ownNumber !== undefined) return distinct(search, ownNumber(context), false);
  const listed = findListed(definition, context.definitions);
  if (listed === undefined) return distinct(search, ofDocument(), true);
  if (listed.form === 'plain' || listed.form === 'hex') return distinct(search, listed.sql, false);
  // Of the few whose values are longer than a list keeps, only the documents know them whole.
  const ofCut = distinct(narrowed('entry.is_cut'), ofDocument(), true);
  const whole = narrowed('not entry.is_cut');
  if (listed.form === 'option' || listed.form === 'identifier') return firstOf(`${distinct(whole, listed.sql, false)} union ${ofCut}`);
  // The same number with spaces or without and the same text in capitals or not are one value, which is told as the first document has it.
  const found = foundSql(whole, { columns: `${listed.sql} as folded, entry.published_at`, parameters });
  const one = narrowed(`${listed.sql} = grouped.folded`, 'entry.published_at = grouped.published_at');
  return firstOf(`(
    select first.value from (
      select folded, min(published_at) as published_at from (${found}) as found
      where folded is not null group by folded order by folded limit ${mostRows}
    ) as grouped
    cross join lateral (
      select value from (${foundSql(one, { columns: `${ofDocument()} as value`, needsDocument: true, parameters })}) as same limit 1
    ) as first
  ) union ${ofCut}`);
};

/** What comes from two places has no order of its own, and the one too many is to be the last one. */
const firstOf = (told: string): string =>
  `select value from (${told}) as told order by listing_key(value) collate "C", value collate "C" limit ${mostRows}`;
