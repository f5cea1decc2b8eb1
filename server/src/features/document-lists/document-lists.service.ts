import type { DocumentQuery, DocumentRow } from '@pergamin/contract';
import type { Pool } from 'pg';
import type { Metadata, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { criteriaSql, freeTextSql } from './criteria.ts';
import { createDayOf } from './days.ts';
import { readDirectRows, search, type DirectList, type ListedRow } from './lists.store.ts';
import { createParameters } from './metadata-sql.ts';
import { orderSql } from './order.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { createTotals } from './totals.ts';

export interface DocumentListParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly settings: { readonly timeZone: string };
}

/**
 * Documents delivered to the caller. The lists in the order of publication, which is how all of them open, are read from the index of the
 * deliveries by prepared statements, and their totals are remembered until something new is delivered; every other search is built for the
 * occasion. Criteria can only narrow what was delivered, never widen it.
 */
export interface DocumentLists {
  /** Throws VALIDATION_ERROR, INVALID_DATE_RANGE. */
  list(caller: ClientCaller, query: DocumentQuery): Promise<{ items: DocumentRow[]; total: number }>;
}

/** From here on it pays to read the second half of a list from its end. */
const farOffset = 1_000;

export const createDocumentListService = ({ pool, metadata, settings }: DocumentListParts): DocumentLists => {
  const dayOf = createDayOf(settings.timeZone);
  const totals = createTotals(pool);

  const listDirect = async (
    list: DirectList,
    { order, offset, size }: { order: 'asc' | 'desc'; offset: number; size: number },
  ): Promise<{ rows: ListedRow[]; total: number }> => {
    const known = offset >= farOffset ? totals.peek(list) : undefined;
    if (known !== undefined && offset < known.total && offset > known.total / 2) {
      const take = Math.min(size, known.total - offset);
      const fromEnd = { order: order === 'asc' ? 'desc' : 'asc', offset: known.total - offset - take, size: take } as const;
      const { rows, revision } = await readDirectRows(pool, list, fromEnd);
      if (revision === known.revision) return { rows: rows.reverse(), total: known.total };
    }
    const { rows, revision } = await readDirectRows(pool, list, { order, offset, size });
    return { rows, total: await totals.get(list, revision) };
  };

  const listByCriteria = async (
    caller: ClientCaller,
    query: DocumentQuery,
    { plan: { kinds, period, rest }, definitions }: { plan: QueryPlan; definitions: MetadataDefinitions },
  ): Promise<{ rows: ListedRow[]; total: number }> => {
    const parameters = createParameters();
    const context = { definitions, reader: caller, parameters, dayOf };
    const text = freeTextSql(query.text, context);
    const conditions = [...criteriaSql(rest, context), ...(text === undefined ? [] : [text])];
    const makeOrder = (): string => orderSql(query.sort, context);
    const page = { offset: query.page * query.size, size: query.size };
    return search(pool, { kinds, period, reader: caller, conditions, makeOrder, parameters }, page);
  };

  return {
    async list(caller, query) {
      const definitions = await metadata.definitions();
      const plan = planQuery(query, { definitions, dayOf });
      const { direct, period } = plan;
      const { rows, total } =
        direct === undefined
          ? await listByCriteria(caller, query, { plan, definitions })
          : await listDirect(
              { kind: direct.kind, period, reader: caller },
              { order: direct.order, offset: query.page * query.size, size: query.size },
            );
      const items = rows.map((row): DocumentRow => ({
        id: row.id,
        state: row.state,
        metadata: definitions.toMap(row, caller),
        corrupted: row.corrupted,
        deleted: false,
        published: true,
        read: row.read_at === null ? null : row.read_at.getTime(),
        downloaded: row.downloaded_at === null ? null : row.downloaded_at.getTime(),
      }));
      return { items, total };
    },
  };
};
