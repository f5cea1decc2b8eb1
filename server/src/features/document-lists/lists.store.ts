import type { Pool } from 'pg';
import { metadataRowColumns, type MetadataReader, type MetadataRow } from '#features/metadata/metadata.door.ts';
import { namedQuery, type NamedStatement } from '#platform/database/database.ts';
import type { DocumentKind } from '#platform/database/schema.ts';
import type { Parameters } from './metadata-sql.ts';
import type { Period } from './query-plan.ts';

type Queryable = Pick<Pool, 'query'>;

export interface ListedRow extends MetadataRow {
  readonly id: string;
  readonly corrupted: boolean;
  readonly read_at: Date | null;
  readonly downloaded_at: Date | null;
}

/** Of a page that has no row, only the revision is there. */
type DirectRow = { readonly [Name in keyof ListedRow]: ListedRow[Name] | null } & { readonly revision: string };

const cifsOf = ({ cif, cif2 }: MetadataReader): string[] => (cif2 === null || cif2 === cif ? [cif] : [cif, cif2]);

const publicPrincipal = `select 'public' as name, null::timestamptz as since, null::timestamptz as until`;
const ownPrincipals = `
  select 'cif:' || number as name, null::timestamptz as since, null::timestamptz as until from unnest($1::text[]) as own (number)
  union all select 'group:' || group_id, since, until from group_member where cif = any($1::text[])`;

const whileMember = `(principal.since is null or published_at >= principal.since) and (principal.until is null or published_at < principal.until)`;

const rowColumns = [...metadataRowColumns, 'id', 'corrupted'].map((name) => `doc.${name}`).join(', ');
const markColumns = 'mark.read_at, mark.downloaded_at';
const isListed = `doc.state not in ('DELETED', 'FORGOTTEN')`;

type Order = 'asc' | 'desc';

/** $1 customer numbers, $2 kind, $3 personal id, $4 rows to read, $5 page size, $6 offset, $7 and $8 first and last day. */
const directRows = (kind: DocumentKind, order: Order, hasPeriod: boolean): NamedStatement => ({
  name: `list-${kind}-${order}${hasPeriod ? '-period' : ''}`,
  text: `
    with principal as (${kind === 'public' ? `${publicPrincipal} where $1::text[] is not null` : ownPrincipals}),
    page as (
      select document_id, published_at from (
        select distinct delivered.document_id, delivered.published_at
        from principal cross join lateral (
          select document_id, published_at from delivery
          where delivery.principal = principal.name and kind = $2 and ${whileMember}
            ${hasPeriod ? 'and listed_on between $7::date and $8::date' : ''}
          order by published_at ${order}, document_id ${order}
          limit $4
        ) as delivered
      ) as merged
      order by published_at ${order}, document_id ${order}
      limit $5 offset $6
    ),
    state as (
      select concat(coalesce(sum(revision), 0), ':', count(*), ':', max(until)) as revision
      from principal left join principal_revision on principal_revision.principal = principal.name
    )
    select state.revision, ${rowColumns}, ${markColumns}
    from state
    left join page on true
    left join document doc on doc.id = page.document_id and ${isListed}
    left join document_mark mark on mark.document_id = doc.id and mark.personal_id = $3
    order by page.published_at ${order}, page.document_id ${order}`,
});

/** Most clients have one principal that matters, and then nothing can be there twice. */
const directTotal = (kind: DocumentKind, hasPeriod: boolean): NamedStatement => {
  const delivered = `
    from principal join delivery on delivery.principal = principal.name and kind = $2 and ${whileMember}
      ${hasPeriod ? 'and listed_on between $3::date and $4::date' : ''}`;
  return {
    name: `count-${kind}${hasPeriod ? '-period' : ''}`,
    text: `
      with principal as (${kind === 'public' ? `${publicPrincipal} where $1::text[] is not null` : ownPrincipals})
      select case when (select count(*) from principal) = 1
        then (select count(*) ${delivered}) else (select count(distinct document_id) ${delivered}) end as total`,
  };
};

const kinds: readonly DocumentKind[] = ['private', 'statement', 'public'];
const rowStatements = new Map<string, NamedStatement>();
const totalStatements = new Map<string, NamedStatement>();
for (const kind of kinds)
  for (const hasPeriod of [false, true]) {
    totalStatements.set(`${kind} ${hasPeriod}`, directTotal(kind, hasPeriod));
    for (const order of ['asc', 'desc'] as const) rowStatements.set(`${kind} ${hasPeriod} ${order}`, directRows(kind, order, hasPeriod));
  }

const statementOf = (statements: ReadonlyMap<string, NamedStatement>, key: string): NamedStatement => {
  const statement = statements.get(key);
  if (statement === undefined) throw new Error(`no list statement for ${key}`);
  return statement;
};

export interface DirectList {
  readonly kind: DocumentKind;
  readonly period: Period | undefined;
  readonly reader: MetadataReader & { readonly personalId: string };
}

const isRow = (row: DirectRow): row is DirectRow & ListedRow => row.id !== null;

/** One page of one list in the order of publication, and the revision that it was read at: while that stays, the total does. */
export const readDirectRows = async (
  pool: Queryable,
  { kind, period, reader }: DirectList,
  { order, offset, size }: { order: Order; offset: number; size: number },
): Promise<{ rows: ListedRow[]; revision: string }> => {
  const found = await namedQuery<DirectRow>(pool, statementOf(rowStatements, `${kind} ${period !== undefined} ${order}`), [
    cifsOf(reader),
    kind,
    reader.personalId,
    offset + size,
    size,
    offset,
    ...(period === undefined ? [] : [period.start, period.end]),
  ]);
  return { rows: found.filter(isRow), revision: found[0]?.revision ?? '' };
};

export const countDirect = async (pool: Queryable, { kind, period, reader }: DirectList): Promise<number> => {
  const [row] = await namedQuery<{ total: number }>(pool, statementOf(totalStatements, `${kind} ${period !== undefined}`), [
    cifsOf(reader),
    kind,
    ...(period === undefined ? [] : [period.start, period.end]),
  ]);
  return row?.total ?? 0;
};

export interface Search {
  readonly kinds: readonly DocumentKind[];
  readonly period: Period | undefined;
  readonly reader: MetadataReader & { readonly personalId: string };
  /** On the document `doc`. */
  readonly conditions: readonly string[];
  /** Made after the total, which does not know its parameters. */
  readonly makeOrder: () => string;
  readonly parameters: Parameters;
}

/** A search of any kind among the caller's deliveries; the owner's part stands outside the conditions (B11). */
export const search = async (
  pool: Queryable,
  { kinds, period, reader, conditions, makeOrder, parameters }: Search,
  { offset, size }: { offset: number; size: number },
): Promise<{ rows: ListedRow[]; total: number }> => {
  const cifs = `${parameters.add(cifsOf(reader))}::text[]`;
  const matching = `
    document doc where ${isListed} and doc.id in (
      select document_id from principal join delivery on delivery.principal = principal.name
        and kind = any(${parameters.add([...kinds])}::text[]) and ${whileMember}
        ${period === undefined ? '' : `and listed_on between ${parameters.add(period.start)}::date and ${parameters.add(period.end)}::date`}
    ) ${conditions.map((condition) => `and ${condition}`).join(' ')}`;
  const principals = `with principal as (${publicPrincipal} union all ${ownPrincipals.replaceAll('$1::text[]', cifs)})`;
  const counted = await pool.query<{ total: number }>(`${principals} select count(*) as total from ${matching}`, [...parameters.values]);
  const rows = await pool.query<ListedRow>(
    `${principals},
    page as (
      select doc.id, row_number() over (order by ${makeOrder()}) as place from ${matching}
      order by place limit ${parameters.add(size)} offset ${parameters.add(offset)}
    )
    select ${rowColumns}, ${markColumns}
    from page
    join document doc on doc.id = page.id
    left join document_mark mark on mark.document_id = doc.id and mark.personal_id = ${parameters.add(reader.personalId)}
    order by page.place`,
    [...parameters.values],
  );
  return { rows: rows.rows, total: counted.rows[0]?.total ?? 0 };
};
