import type { Pool } from 'pg';
import { metadataRowColumns, type MetadataReader, type MetadataRow } from '#features/metadata/metadata.door.ts';
import { namedQuery, type NamedStatement } from '#platform/database/database.ts';
import type { DocumentKind } from '#platform/database/schema.ts';
import type { Direction } from './order.ts';
import { cifsOf, ownPrincipals, publicPrincipal, stateOfPrincipals, whileMember } from '#features/deliveries/deliveries.door.ts';
import type { Period } from './query-plan.ts';

export interface ListedRow extends MetadataRow {
  readonly id: string;
  readonly corrupted: boolean;
  readonly read_at: Date | null;
  readonly downloaded_at: Date | null;
}

export const rowColumns = [...metadataRowColumns, 'id', 'corrupted'].map((name) => `doc.${name}`).join(', ');
export const markColumns = 'mark.read_at, mark.downloaded_at';
export const isListed = `doc.state not in ('DELETED', 'FORGOTTEN')`;

/** Of a page that has no row, only the revision is there. */
type DirectRow = { readonly [Name in keyof ListedRow]: ListedRow[Name] | null } & { readonly revision: string };

/** When the first and the last document of a list were published, as PostgreSQL writes it; null when there is none. */
export interface Bounds {
  readonly first: string | null;
  readonly last: string | null;
}

/** $1 customer numbers, $2 kind, $3 personal id, $4 rows to read, $5 page size, $6 offset, $7 and $8 first and last day, $9 and $10 bounds. */
const directRows = (kind: DocumentKind, order: Direction, hasPeriod: boolean): NamedStatement => ({
  name: `list-${kind}-${order}${hasPeriod ? '-period' : ''}`,
  text: `
    with principal as (${ownPrincipals} ${kind === 'public' ? `union all ${publicPrincipal}` : ''}),
    page as (
      select document_id, published_at from (
        select distinct delivered.document_id, delivered.published_at
        from principal cross join lateral (
          select document_id, published_at from delivery
          where delivery.principal = principal.name and kind = $2 and ${whileMember}
            ${hasPeriod ? 'and listed_on between $7::date and $8::date and published_at between $9::timestamptz and $10::timestamptz' : ''}
          order by published_at ${order}, document_id ${order}
          limit $4
        ) as delivered
      ) as merged
      order by published_at ${order}, document_id ${order}
      limit $5 offset $6
    ),
    state as (${stateOfPrincipals})
    select state.revision, ${rowColumns}, ${markColumns}
    from state
    left join page on true
    left join document doc on doc.id = page.document_id and ${isListed}
    left join document_mark mark on mark.document_id = doc.id and mark.personal_id = $3
    order by page.published_at ${order}, page.document_id ${order}`,
});

const kinds: readonly DocumentKind[] = ['private', 'statement', 'public'];
const rowStatements = new Map<string, NamedStatement>();
for (const kind of kinds)
  for (const hasPeriod of [false, true])
    for (const order of ['asc', 'desc'] as const) rowStatements.set(`${kind} ${hasPeriod} ${order}`, directRows(kind, order, hasPeriod));

export interface DirectList {
  readonly kind: DocumentKind;
  readonly period: Period | undefined;
  readonly reader: MetadataReader & { readonly personalId: string };
}

const isRow = (row: DirectRow): row is DirectRow & ListedRow => row.id !== null;

/**
 * One page of one list in the order of publication, and the revision that it was read at: while that stays, the total and the bounds do. With
 * the bounds of a period's documents nothing outside of them is looked at.
 */
export const readDirectRows = async (
  pool: Pick<Pool, 'query'>,
  { kind, period, reader }: DirectList,
  { order, offset, size, bounds }: { order: Direction; offset: number; size: number; bounds: Bounds | undefined },
): Promise<{ rows: ListedRow[]; revision: string }> => {
  const statement = rowStatements.get(`${kind} ${period !== undefined} ${order}`);
  if (statement === undefined) throw new Error(`no list statement for ${kind}`);
  const found = await namedQuery<DirectRow>(pool, statement, [
    cifsOf(reader),
    kind,
    reader.personalId,
    offset + size,
    size,
    offset,
    ...(period === undefined ? [] : [period.start, period.end, bounds?.first ?? '-infinity', bounds?.last ?? 'infinity']),
  ]);
  return { rows: found.filter(isRow), revision: found[0]?.revision ?? '' };
};
