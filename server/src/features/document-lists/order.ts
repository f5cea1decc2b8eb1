import type { DocumentQuery } from '@pergamin/contract';
import type { Definition } from '#features/metadata/metadata.door.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { CriteriaContext } from './criteria.ts';
import { findListed } from './listed-values.ts';
import { valueSql } from './metadata-sql.ts';
import { findOwnNumberSql } from './own-numbers.ts';

export type Direction = 'asc' | 'desc';

/** What the delivery `entry` is ordered by. Entries without the value come last, whatever the direction. */
export interface SortTerm {
  readonly sql: string;
  readonly direction: Direction;
  readonly needsDocument: boolean;
  /** Every entry has one: the order is that of an index. */
  readonly isPublication: boolean;
  /** The same as an index has it, in which those that have one stand in this order. */
  readonly indexed: string | undefined;
  /** Where the index has values in another order than this: all of them, as parameters. What `sql` says of each is its place here. */
  readonly steps?: readonly string[];
}

const defaultSort: DocumentQuery['sort'] = [{ by: 'PUBLICATION_DATE', order: 'desc' }];

/** Each has an index of its own, as the same expression (migrations 0018 and 0020). */
const indexed: ReadonlyMap<string, string> = new Map([
  ...['account_key', 'case_key', 'st_number_key', 'pub_name_key', 'file_key', 'sha256'].map(
    (column) => [`entry.${column}`, `(entry.${column} || '')`] as const,
  ),
  ...['product_group', 'st_doc_type', 'pub_product_group'].map(
    (column) => [`entry.${column}`, `((entry.${column} || '') collate "C")`] as const,
  ),
  ...['reg_date', 'st_date'].map((column) => [`entry.${column}`, `(entry.${column} + 0)`] as const),
]);

const polish = new Intl.Collator('pl');

/** After these terms equals are ordered by document id in the direction of the first, so that paging is stable (P4). */
export const sortTerms = (sort: DocumentQuery['sort'], context: CriteriaContext): SortTerm[] =>
  (sort.length === 0 ? defaultSort : sort).map(({ by, order }, index) => {
    const definition = context.definitions.find(by);
    if (definition === undefined || (definition.visible !== 'yes' && definition.visible !== 'own'))
      throw invalidField(`sort.${index}.by`, 'not a key that can be sorted by');
    if (definition.id === 'PUBLICATION_DATE')
      return { sql: 'entry.published_at', direction: order, needsDocument: false, isPublication: true, indexed: undefined };
    return { ...sortableSql(definition, context), direction: order, isPublication: false };
  });

/** Text in the order of the Polish alphabet whatever its case, options in that of their Polish names, identifiers by their signs. */
const sortableSql = (definition: Definition, context: CriteriaContext): Pick<SortTerm, 'sql' | 'needsDocument' | 'indexed' | 'steps'> => {
  const ownNumber = findOwnNumberSql(definition, context.definitions);
  if (ownNumber !== undefined) return { sql: `${ownNumber(context)} collate "C"`, needsDocument: false, indexed: undefined };
  const listed = findListed(definition, context.definitions);
  const needsDocument = listed === undefined;
  const expression = listed?.whole ?? listed?.sql ?? valueSql(definition, context);
  const ofIndex = listed === undefined ? undefined : indexed.get(listed.sql);
  const options = definition.type === 'KEY_NAME' ? context.definitions.findDictionary(definition)?.values : undefined;
  if (options !== undefined) {
    const keys = options.toSorted((a, b) => polish.compare(a.name.pl, b.name.pl)).map(({ key }) => context.parameters.add(key));
    // Compiled into the statement, and so quicker than a look through an array for each of a hundred thousand.
    const places = keys.map((key, place) => `when ${key}::text then ${place}`);
    const sql = places.length === 0 ? 'null::int' : `(case ${expression} ${places.join(' ')} end)`;
    return { sql, needsDocument, indexed: ofIndex, steps: keys };
  }
  if (definition.type === 'TEXT')
    return { sql: listed === undefined ? `listing_key(${expression}) collate "C"` : expression, needsDocument, indexed: ofIndex };
  const isText = definition.type === 'RAW' || definition.type === 'KEY_NAME';
  return { sql: isText ? `${expression} collate "C"` : expression, needsDocument, indexed: ofIndex };
};
