import { type MarkedRow, metadataRowColumns, type MetadataReader } from '#features/metadata/metadata.door.ts';
import { cifsOf, isRead, isThere, ownPrincipals, publicPrincipal, readAt, whileMember } from '#features/deliveries/deliveries.door.ts';
import type { QueryPool } from '#platform/database/read-pool.ts';
import { conditionSql, createParameters, type Parameters, type Value } from './conditions.ts';
import type { ListQuery } from './list-query.ts';
import type { SortTerm } from './order.ts';

/** Of a `MarkedRow`; the date that is shown is the register's. */
export const rowColumns = [
  ...[...metadataRowColumns, 'id', 'corrupted'].filter((name) => name !== 'published_at').map((name) => `doc.${name}`),
  'coalesce((select at from publication where publication.document_id = doc.id), doc.published_at) as published_at',
].join(', ');
export const markColumns = `${readAt('mark', 'doc.page_count')} as read_at, mark.downloaded_at`;

/** The caller of a list, whose marks each row shows. */
export type Reader = MetadataReader & { readonly personalId: string };

export interface Listing {
  readonly query: ListQuery;
  readonly sort: readonly [SortTerm, ...SortTerm[]];
  readonly reader: Reader;
}

/** A query, compiled once for its page and its total. Runs no statement. */
export const prepareList = (pool: QueryPool, { query, sort, reader }: Listing) => {
  const { from, parameters, ...deliveries } = compile(query, reader);
  const counted = { text: `with ${deliveries.with} select count(*) as total ${from({ columns: '1' })}`, values: [...parameters.values] };
  // These conditions and this order are served by an index scan. Otherwise all deliveries are read, once for the page and the total.
  const isInOrder = query.condition === undefined && !query.onlyUnread && sort.length === 1 && sort[0].isPublication;
  return {
    /** In the order of the list, and unless the page is empty or the list as it opens, how many rows the list has. */
    async readPage({ offset, size }: { offset: number; size: number }): Promise<{ rows: MarkedRow[]; total: number | undefined }> {
      const places = sort.map((term, nth) => `${term.sql(parameters)} as place_${nth}`);
      const order = (of: string): string =>
        [
          ...sort.map(({ direction, isPublication }, nth) => `${of}place_${nth} ${direction}${isPublication ? '' : ' nulls last'}`),
          `${of}document_id ${sort[0].direction}`,
        ].join(', ');
      const selected = { columns: ['entry.document_id', ...places].join(', '), needsDocument: sort.some((term) => term.of === 'document') };
      const cut = `order by ${order('found.')} limit ${parameters.add(size)} offset ${parameters.add(offset)}`;
      const page = isInOrder
        ? `page as (select found.* ${from({ ...selected, rest: `order by ${order('')} limit ${parameters.add(offset + size)}` })} ${cut})`
        : `found as materialized (select found.* ${from(selected)}), page as (select * from found ${cut})`;
      const text = `
        with ${deliveries.with}, ${page}
        select ${isInOrder ? '' : '(select count(*) from found) as total, '}${rowColumns}, ${markColumns}
        from page join document doc on doc.id = page.document_id and ${isThere('doc')}
        left join document_mark mark on mark.document_id = doc.id and mark.personal_id = ${parameters.add(reader.personalId)}
        order by ${order('page.')}`;
      const { rows } = await pool.query<MarkedRow & { total?: number }>(prepared({ text, values: [...parameters.values] }));
      return { rows, total: rows[0]?.total };
    },
    /** Exact. */
    async count(): Promise<number> {
      const { rows } = await pool.query<{ total: number }>(prepared(counted));
      return rows[0]?.total ?? 0;
    },
  };
};

/** Names of the statements that each connection prepares, by their text. */
const statementNames = new Map<string, string>();
/** A connection keeps the plan of each (some 100 kB), and callers choose criteria and orders: the first shapes of a process, which are the common ones. */
const maxPrepared = 32;

/** Planning takes a connection as long as reading a hundred rows. */
const prepared = (statement: { text: string; values: unknown[] }): { name?: string; text: string; values: unknown[] } => {
  const known = statementNames.get(statement.text);
  if (known !== undefined) return { name: known, ...statement };
  if (statementNames.size >= maxPrepared) return statement;
  const name = `list-${statementNames.size}`;
  statementNames.set(statement.text, name);
  return { name, ...statement };
};

export interface ValuesOf {
  readonly query: ListQuery;
  readonly reader: Reader;
  /** The value that deliveries are distinguished by. */
  readonly value: Value;
  /** The value that is shown, where it differs: that of one document for each. */
  readonly shown: Value | undefined;
  /** SQL that the values are ordered by, of the column that has them. */
  readonly orderOf: (column: string) => string;
  readonly maxValues: number;
}

/** The different values among the deliveries of a query, in their order. */
export const readValues = async (
  pool: QueryPool,
  { query, reader, value, shown, orderOf, maxValues }: ValuesOf,
): Promise<readonly unknown[]> => {
  const { from, parameters, ...deliveries } = compile(query, reader);
  const columns = `${value.sql(parameters)} as value, entry.document_id`;
  const found = from({ columns, needsDocument: value.of === 'document', rest: '' });
  const limit = parameters.add(maxValues);
  const text =
    shown === undefined
      ? `with ${deliveries.with} select value ${found} where value is not null group by value order by ${orderOf('value')} limit ${limit}`
      : `with ${deliveries.with},
        told as (
          select value, min(document_id::text)::uuid as document_id ${found} where value is not null group by value order by ${orderOf('value')} limit ${limit}
        )
        select ${shown.sql(parameters)} as value from told join document doc on doc.id = told.document_id order by ${orderOf('told.value')}`;
  const { rows } = await pool.query<{ value: unknown }>(text, [...parameters.values]);
  return rows.map((row) => row.value);
};

interface Deliveries {
  /** What the conditions need; a statement adds its own. */
  readonly parameters: Parameters;
  /** Whose deliveries, and of which lists. */
  readonly with: string;
  /** What is selected of the deliveries `entry` and, where it is needed, of their documents `doc`: rows `found`, of each principal by itself. */
  readonly from: (selected: { columns: string; needsDocument?: boolean; rest?: string }) => string;
}

/** The condition on the caller's principals is outside of all others, so that these can only narrow it (B11). */
const compile = ({ kinds, period, condition, onlyUnread }: ListQuery, reader: Reader): Deliveries => {
  const cifs = cifsOf(reader);
  const parameters = createParameters([cifs]);
  const conditions: string[] = [];
  if (period !== undefined)
    conditions.push(`entry.listed_on between ${parameters.add(period.start)}::date and ${parameters.add(period.end)}::date`);
  const [first, second] = cifs;
  // Only a document with two owners is delivered twice, and only to those who are both of them.
  if (second !== undefined)
    conditions.push(`(entry.second_cif is null or entry.principal <> 'cif:' || ${parameters.add(second)}::text or not exists (
      select from delivery other where other.principal = 'cif:' || ${parameters.add(first)}::text and other.document_id = entry.document_id))`);
  if (onlyUnread)
    conditions.push(`not exists (select from document_mark own_mark
      where own_mark.document_id = entry.document_id and own_mark.personal_id = ${parameters.add(reader.personalId)}
        and (own_mark.downloaded_at is not null or ${isRead('own_mark', '(select page_count from document where id = own_mark.document_id)')}))`);
  if (condition !== undefined) conditions.push(conditionSql(condition, parameters));
  const delivered = `
    select * from delivery where delivery.principal = principal.name and delivery.kind = principal.kind and ${whileMember}`;
  return {
    parameters,
    with: `principal (name, since, until, kind) as (${sourcesOf(kinds)})`,
    from: ({ columns, needsDocument = false, rest = '' }) => `
      from principal cross join lateral (
        select ${columns} from (${delivered}) as entry ${needsDocument ? 'join document doc on doc.id = entry.document_id' : ''}
        where ${['true', ...conditions].join(' and ')} ${rest}
      ) as found`,
  };
};

/** Public documents are delivered to the principal `public` only. */
const sourcesOf = (kinds: ListQuery['kinds']): string => {
  const own = kinds.filter((kind) => kind !== 'public').map((kind) => `('${kind}')`);
  return [
    ...(own.length === 0 ? [] : [`select own.*, kind from (${ownPrincipals}) as own cross join (values ${own.join(', ')}) as list (kind)`]),
    ...(kinds.includes('public')
      ? [`select everybody.*, 'public' from (${publicPrincipal}) as everybody where $1::text[] is not null`]
      : []),
  ].join(' union all ');
};
