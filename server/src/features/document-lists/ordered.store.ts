import type { Pool } from 'pg';
import { namedQuery, type NamedStatement } from '#platform/database/database.ts';
import { markColumns, rowColumns, type ListedRow } from './lists.store.ts';
import { createParameters } from './metadata-sql.ts';
import type { Principal } from '#features/deliveries/deliveries.door.ts';
import { partsOf, rowsOfPage, type Listing, type SearchedPart } from './search.store.ts';

/** When a page is read in the order of an index. */
export interface InOrder {
  /** Of fewer deliveries all are looked at as quickly. */
  readonly many: number;
  /** So many are looked at for each that is wanted, and no more: where few fit, it is quicker to look at all. */
  readonly looks: number;
}

export const usually: InOrder = { many: 2_000, looks: 8 };

/** Of values in an order of their own each is read by itself. */
const mostSteps = 48;
const leastId = '00000000-0000-0000-0000-000000000000';

const manyStatement: NamedStatement = {
  name: 'has-many-deliveries',
  text: 'select name from unnest($1::text[]) as given (name) where exists (select from delivery where principal = name offset $2::int) limit 1',
};

/** Whether one of them has so many deliveries. */
export const haveMany = async (pool: Pick<Pool, 'query'>, principals: readonly Principal[], many: number): Promise<boolean> => {
  const rows = await namedQuery<{ name: string }>(pool, manyStatement, [[...new Set(principals.map(({ name }) => name))], many]);
  return rows.length > 0;
};

/**
 * A page from the beginning of a list, read in the order of an index of what the list is sorted by, until it is full. Undefined when there is
 * no such index, when too few of the first fit, and when the page has some without a value, which come last.
 */
export const readInOrder = async (
  pool: Pick<Pool, 'query'>,
  { search, makeSort, reader }: Listing,
  { offset, size, looks }: { offset: number; size: number; looks: number },
): Promise<ListedRow[] | undefined> => {
  const parameters = createParameters();
  const [term, ...others] = makeSort(parameters);
  const parts = partsOf(search, { bounds: undefined, parameters });
  if (term?.indexed === undefined || others.length > 0 || parts.length === 0) return undefined;
  if (parts.some(({ spans, asksDocument }) => spans !== undefined || asksDocument)) return undefined;
  const { indexed, direction, steps } = term;
  if (steps !== undefined && (steps.length === 0 || steps.length * parts.length > mostSteps)) return undefined;
  const wanted = parameters.add(offset + size);
  const most = `${parameters.add((offset + size) * looks)}::bigint`;
  const order = `place_0 ${direction}, document_id ${direction}`;
  // Each part is read until it has as many as the page, or until its end, which is marked: of what comes behind a mark nothing is known.
  const readSql = ({ delivered, conditions }: SearchedPart, isIn: string): string => `
    select value, document_id, nth > ${most} as is_mark from (
      select entry.*, ${indexed} as value, row_number() over (order by ${indexed} ${direction}, entry.document_id ${direction}) as nth
      from delivery entry where ${delivered} and ${isIn}
      order by ${indexed} ${direction}, entry.document_id ${direction} limit ${most} + 1
    ) as entry where nth > ${most} or (${['true', ...conditions].join(' and ')})
    order by value ${direction}, document_id ${direction} limit ${wanted}`;
  // Said as an interval from its first row on: of one value the planner thinks there are few, and would sort them all.
  const isInStep = `(${indexed}, entry.document_id) >= (step.value, '${leastId}'::uuid) and ${indexed} <= step.value`;
  const found = parts.map((part) =>
    steps === undefined
      ? `(select value as place_0, document_id, is_mark from (${readSql(part, `${indexed} is not null`)}) as part)`
      : `(select step.place as place_0, document_id, is_mark from unnest(array[${steps.join(', ')}]::text[]) with ordinality as step (value, place)
          cross join lateral (${readSql(part, isInStep)}) as part)`,
  );
  const { rows } = await pool.query<ListedRow>(
    `with first as materialized (select * from (${found.join(' union all ')}) as found order by ${order} limit ${wanted}),
    page as (
      select * from first where (select count(*) filter (where not is_mark) from first) = ${wanted}
      order by ${order} limit ${parameters.add(size)} offset ${parameters.add(offset)}
    )
    select ${rowColumns}, ${markColumns} ${rowsOfPage(parameters, reader)} order by page.place_0 ${direction}, page.document_id ${direction}`,
    [...parameters.values],
  );
  return rows.length === 0 ? undefined : rows;
};
