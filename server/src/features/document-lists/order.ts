import type { DocumentQuery } from '@pergamin/contract';
import type { Definition } from '#features/metadata/metadata.door.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { Value } from './conditions.ts';
import type { CriteriaContext } from './criteria.ts';
import { alphabetical, documentValue, findAccount, findListValue, findOwnNumber } from './list-values.ts';

export type Direction = 'asc' | 'desc';

/** What the deliveries are ordered by. Those without the value come last, in both directions. */
export interface SortTerm extends Value {
  readonly direction: Direction;
  /** Every delivery has the value: the order is that of an index. */
  readonly isPublication: boolean;
}

const newestFirst: DocumentQuery['sort'][number] = { by: 'PUBLICATION_DATE', order: 'desc' };

const polish = new Intl.Collator('pl', { numeric: true });

/** After these terms equals are ordered by document id in the direction of the first, so that paging is stable (P4). */
export const sortTerms = (
  sort: DocumentQuery['sort'],
  { definitions }: Pick<CriteriaContext, 'definitions'>,
): readonly [SortTerm, ...SortTerm[]] => {
  const termOf = ({ by, order }: DocumentQuery['sort'][number], index: number): SortTerm => {
    const definition = definitions.findShown(by);
    if (definition === undefined) throw invalidField(`sort.${index}.by`, 'not a key that can be sorted by');
    const isPublication = definition.id === 'PUBLICATION_DATE';
    return { ...(isPublication ? publication : sortable(definition, definitions)), direction: order, isPublication };
  };
  const [first = newestFirst, ...others] = sort;
  return [termOf(first, 0), ...others.map((one, index) => termOf(one, index + 1))];
};

const publication: Value = { of: 'delivery', sql: () => 'entry.published_at' };

/** Text by the Polish alphabet, without regard to case, and the numbers in it by their size; options by their Polish names. */
const sortable = (definition: Definition, definitions: CriteriaContext['definitions']): Value => {
  const listed = findListValue(definition, definitions);
  const value = findOwnNumber(definition, definitions) ?? listed ?? documentValue(definition, definitions);
  const options = definition.type === 'KEY_NAME' ? definitions.findDictionary(definition)?.values : undefined;
  if (options !== undefined) {
    const keys = options.toSorted((a, b) => polish.compare(a.name.pl, b.name.pl)).map(({ key }) => key);
    return {
      of: value.of,
      sql: (parameters) =>
        placeSql(
          value.sql(parameters),
          keys.map((key) => parameters.add(key)),
        ),
    };
  }
  const isText = definition.type === 'RAW' || definition.type === 'TEXT' || definition.type === 'KEY_NAME';
  if (!isText || listed?.form === 'hex') return value;
  return alphabetical(findAccount(definition, definitions) ?? value, listed?.form);
};

/** The place of a value among keys. The comparison with each is quicker than a look through an array. */
const placeSql = (sql: string, keys: readonly string[]): string =>
  keys.length === 0 ? 'null::int' : `(case ${sql} ${keys.map((key, place) => `when ${key}::text then ${place}`).join(' ')} end)`;
