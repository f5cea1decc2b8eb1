import type { Pool } from 'pg';
import type { MetadataReader } from '#features/metadata/metadata.door.ts';
import type { DocumentKind } from '#platform/database/schema.ts';
import type { Condition } from './criteria.ts';
import { isListed, markColumns, rowColumns, type Bounds, type ListedRow } from './lists.store.ts';
import { earliest, latest } from './days.ts';
import { createParameters, type Parameters } from './metadata-sql.ts';
import type { Direction, SortTerm } from './order.ts';
import type { Principal } from '#features/deliveries/deliveries.door.ts';
import type { Period } from './query-plan.ts';
import type { Span, Whereabouts } from './spans.ts';

type Queryable = Pick<Pool, 'query'>;

/** What is looked for among the deliveries of the caller's principals, whose part stands outside of all conditions (B11). */
export interface Search {
  readonly principals: readonly Principal[];
  readonly kinds: readonly DocumentKind[];
  readonly period: Period | undefined;
  readonly makeConditions: (parameters: Parameters) => readonly Condition[];
  /** Where the conditions can hold, and of which words texts need be looked at: of principals of whom that is known. */
  readonly narrowed?: Narrowing;
}

export interface Narrowing {
  /** They do not overlap. */
  readonly spans: ReadonlyMap<string, readonly Span[]>;
  readonly whereabouts: ReadonlyMap<string, Whereabouts>;
}

export interface SourceParts {
  /** What is selected from the delivery `entry`, and from its document `doc` where one is needed. */
  readonly columns: string;
  readonly needsDocument?: boolean;
  /** The deliveries are looked through in the order of publication: those that a list is to begin with, first. */
  readonly direction?: Direction;
  readonly bounds?: Bounds | undefined;
  readonly parameters: Parameters;
}

/**
 * The deliveries that a search finds, each document once: one part for each principal and list, so that each is read from an index of that
 * list alone, in its order.
 * Without conditions on documents nothing but the index is read.
 */
export const foundSql = (search: Search, { columns, needsDocument = false, direction, bounds, parameters }: SourceParts): string => {
  const parts = partsOf(search, { bounds, parameters });
  const found = parts.map(({ delivered, conditions, spans, asksDocument }) => {
    const joinsDocument = needsDocument || asksDocument;
    const isNarrow = spans !== undefined;
    const narrow = isNarrow
      ? `unnest(${parameters.add(spans.map(({ first }) => first))}::timestamptz[], ${parameters.add(spans.map(({ last }) => last))}::timestamptz[])
        as span (first, last) join delivery entry on entry.published_at between span.first and span.last`
      : 'delivery entry';
    return `(
      select ${columns} from ${narrow} ${joinsDocument ? 'join document doc on doc.id = entry.document_id' : ''}
      where ${[delivered, ...conditions].join(' and ')}
      ${direction === undefined || joinsDocument || isNarrow ? '' : `order by entry.published_at ${direction}, entry.document_id ${direction}`}
    )`;
  });
  return found.length === 0 ? `(select ${columns} from delivery entry, document doc where false)` : found.join(' union all ');
};

/** What is asked of one list of one principal. */
export interface SearchedPart {
  readonly delivered: string;
  readonly conditions: readonly string[];
  readonly asksDocument: boolean;
  readonly spans: readonly Span[] | undefined;
}

export const partsOf = (search: Search, { bounds, parameters }: Pick<SourceParts, 'bounds' | 'parameters'>): SearchedPart[] => {
  const { principals, kinds, period, makeConditions, narrowed } = search;
  const conditions = makeConditions(parameters);
  const shared: string[] = [];
  if (period !== undefined) {
    if (period.start !== earliest) shared.push(`entry.listed_on >= ${parameters.add(period.start)}::date`);
    if (period.end !== latest) shared.push(`entry.listed_on <= ${parameters.add(period.end)}::date`);
  }
  if (bounds !== undefined && bounds.first !== null && bounds.last !== null)
    shared.push(`entry.published_at between ${parameters.add(bounds.first)}::timestamptz and ${parameters.add(bounds.last)}::timestamptz`);
  const [firstOwner, ...otherOwners] = principals.filter(({ name }) => name.startsWith('cif:'));
  const partOf = (principal: Principal, kind: DocumentKind): SearchedPart => {
    const whereabouts = narrowed?.whereabouts.get(principal.name);
    const own = conditions.map(({ sql, sqlKnowing }) => {
      if (typeof sql === 'function') return sql(principal);
      return whereabouts === undefined ? sql : (sqlKnowing?.(whereabouts) ?? sql);
    });
    if (principal.since !== null) own.push(`entry.published_at >= ${parameters.add(principal.since)}::timestamptz`);
    if (principal.until !== null) own.push(`entry.published_at < ${parameters.add(principal.until)}::timestamptz`);
    // Only the two owners of one document have it delivered twice.
    if (firstOwner !== undefined && otherOwners.includes(principal))
      own.push(
        `not exists (select from delivery other where other.principal = ${parameters.add(firstOwner.name)} and other.document_id = entry.document_id)`,
      );
    return {
      delivered: `entry.principal = ${parameters.add(principal.name)} and entry.kind = '${kind}'`,
      conditions: [...own, ...shared],
      asksDocument: conditions.some(({ needsDocument }) => needsDocument),
      spans: narrowed?.spans.get(principal.name),
    };
  };
  // What is public is delivered to everybody and to nobody else.
  return principals.flatMap((principal) =>
    kinds.filter((kind) => (kind === 'public') === (principal.name === 'public')).map((kind) => partOf(principal, kind)),
  );
};

export interface Count extends Bounds {
  readonly total: number;
}

export interface CountStatement {
  /** The same for the same search by the same caller, as long as they have the same principals; undefined when only documents can tell. */
  readonly key: string | undefined;
  run(): Promise<Count>;
}

/** Exact. The bounds are looked for only where they are of use: in a period. */
export const prepareCount = (pool: Queryable, search: Search, narrowed: Narrowing): CountStatement => {
  const hasBounds = search.period !== undefined;
  const needsDocument = search.makeConditions(createParameters()).some((condition) => condition.needsDocument);
  const bounds = hasBounds ? 'min(published_at)::text as first, max(published_at)::text as last' : 'null as first, null as last';
  const statementOf = (given: Search): { text: string; values: readonly unknown[] } => {
    const parameters = createParameters();
    const found = foundSql(given, { columns: hasBounds ? 'entry.published_at' : '1', parameters });
    return { text: `select count(*) as total, ${bounds} from (${found}) as found`, values: parameters.values };
  };
  // Where it is looked for does not change what is found.
  const { text: name, values: given } = statementOf(search);
  return {
    key: needsDocument ? undefined : `${name} ${JSON.stringify(given)}`,
    async run() {
      const { text, values } = statementOf({ ...search, narrowed });
      const { rows } = await pool.query<Count>(text, [...values]);
      return rows[0] ?? { total: 0, first: null, last: null };
    },
  };
};

export interface Page {
  readonly offset: number;
  readonly size: number;
  /** Read from its end and turned round: the offset counts from there. */
  readonly fromEnd: boolean;
  readonly bounds: Bounds | undefined;
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

export interface Listing {
  readonly search: Search;
  readonly makeSort: (parameters: Parameters) => readonly SortTerm[];
  readonly reader: MetadataReader & { readonly personalId: string };
}

export const readPage = async (
  pool: Queryable,
  { search, makeSort, reader }: Listing,
  { offset, size, fromEnd, bounds }: Page,
): Promise<ListedRow[]> => {
  const parameters = createParameters();
  const { found, order } = orderedSql(search, makeSort(parameters), { fromEnd, bounds, parameters });
  const page = `select * from (${found}) as found order by ${order('found')} limit ${parameters.add(size)} offset ${parameters.add(offset)}`;
  const { rows } = await pool.query<ListedRow>(
    `with page as (${page}) select ${rowColumns}, ${markColumns} ${rowsOfPage(parameters, reader)} order by ${order('page')}`,
    [...parameters.values],
  );
  return fromEnd ? rows.toReversed() : rows;
};

/**
 * A page and the total in one look at everything: for conditions with an order of their own, that look at everything either way. Of a page
 * that has no row the total is undefined.
 */
export const readPageAndTotal = async (
  pool: Queryable,
  { search, makeSort, reader }: Listing,
  { offset, size }: { offset: number; size: number },
): Promise<{ rows: ListedRow[]; total: number | undefined }> => {
  const parameters = createParameters();
  const { found, order } = orderedSql(search, makeSort(parameters), { fromEnd: false, bounds: undefined, parameters });
  const { rows } = await pool.query<ListedRow & { total: number }>(
    `with found as materialized (${found}),
    page as (select * from found order by ${order('found')} limit ${parameters.add(size)} offset ${parameters.add(offset)})
    select (select count(*) from found) as total, ${rowColumns}, ${markColumns} ${rowsOfPage(parameters, reader)} order by ${order('page')}`,
    [...parameters.values],
  );
  return { rows, total: rows[0]?.total };
};

export const rowsOfPage = (parameters: Parameters, reader: Listing['reader']): string => `
  from page join document doc on doc.id = page.document_id and ${isListed}
  left join document_mark mark on mark.document_id = doc.id and mark.personal_id = ${parameters.add(reader.personalId)}`;

const orderedSql = (
  search: Search,
  given: readonly SortTerm[],
  { fromEnd, ...rest }: { fromEnd: boolean; bounds: Bounds | undefined; parameters: Parameters },
): { found: string; order: (of: string) => string } => {
  const sort = given.map((term) => (fromEnd ? { ...term, direction: opposite[term.direction] } : term));
  const direction = sort[0]?.direction ?? 'desc';
  // What comes last comes first from the end; an index of what every entry has knows of no such place.
  const nulls = fromEnd ? 'nulls first' : 'nulls last';
  return {
    found: foundSql(search, {
      columns: ['entry.document_id', ...sort.map(({ sql }, index) => `${sql} as place_${index}`)].join(', '),
      needsDocument: sort.some((term) => term.needsDocument),
      // Said of each part, so that lists in the order of publication are merged and not sorted. Most other values grow with time: in this
      // direction the best come soon, and the rest is passed over.
      direction,
      ...rest,
    }),
    order: (of) =>
      [
        ...sort.map((term, index) => `${of}.place_${index} ${term.direction} ${term.isPublication ? '' : nulls}`),
        `${of}.document_id ${direction}`,
      ].join(', '),
  };
};
