import type { DocumentQuery, DocumentRow } from '@pergamin/contract';
import type { Pool } from 'pg';
import type { Metadata, MetadataDefinitions, MetadataReader } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { findSpans } from './blocks.store.ts';
import { type Condition, criteriaSql } from './criteria.ts';
import { createDayOf } from './days.ts';
import { freeTextSql } from './free-text.ts';
import { createFruitless } from './fruitless.ts';
import { readDirectRows, type DirectList, type ListedRow } from './lists.store.ts';
import { createParameters, type Parameters } from './metadata-sql.ts';
import { haveMany, type InOrder, readInOrder, usually } from './ordered.store.ts';
import { sortTerms, type Direction } from './order.ts';
import { listPrincipals, type Principal } from '#features/deliveries/deliveries.door.ts';
import { planQuery, type QueryPlan } from './query-plan.ts';
import { type Count, prepareCount, readPage, readPageAndTotal, type Narrowing, type Page, type Search } from './search.store.ts';
import { createTotals } from './totals.ts';

export interface DocumentListParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly settings: { readonly timeZone: string };
  /** Of the job that makes blocks of somebody's deliveries, when there are many. */
  readonly jobs?: Pick<Jobs, 'add'>;
  readonly inOrder?: InOrder;
}

/** The job that makes blocks, of `{ principal }`. */
export const blocksJob = 'document-lists:blocks';

/**
 * Documents delivered to the caller. The lists in the order of publication, which is how all of them open, are read from the index of the
 * deliveries by prepared statements; every other search is built for the occasion. Totals are exact, and remembered until something new is
 * delivered. Criteria can only narrow what was delivered, never widen it.
 */
export interface DocumentLists {
  /** Throws VALIDATION_ERROR, INVALID_DATE_RANGE. */
  list(caller: ClientCaller, query: DocumentQuery): Promise<{ items: DocumentRow[]; total: number }>;
}

/** From here on it pays to read the second half of a list from its end. */
const farOffset = 1_000;

interface Asked {
  readonly caller: ClientCaller;
  readonly query: DocumentQuery;
  readonly plan: QueryPlan;
  readonly definitions: MetadataDefinitions;
}

type Found = { readonly rows: readonly ListedRow[]; readonly total: number };

const pageOf = ({ page, size }: DocumentQuery) => ({ offset: page * size, size });

/** Where the page lies when the list is read from its nearer end. */
const fromNearerEnd = ({ offset, size }: { offset: number; size: number }, total: number) => {
  if (offset <= total / 2) return { offset, size, fromEnd: false };
  const take = Math.max(0, Math.min(size, total - offset));
  return { offset: total - offset - take, size: take, fromEnd: true };
};

const opposite = { asc: 'desc', desc: 'asc' } as const;

const directKey = ({ kind, period, reader }: DirectList): string =>
  `${kind} ${period?.start} ${period?.end} ${reader.cif} ${reader.cif2 ?? ''}`;

/** A row as the caller sees it. */
export const documentRowOf = (row: ListedRow, definitions: MetadataDefinitions, reader: MetadataReader): DocumentRow => ({
  id: row.id,
  state: row.state,
  metadata: definitions.toMap(row, reader),
  corrupted: row.corrupted,
  deleted: false,
  published: true,
  read: row.read_at === null ? null : row.read_at.getTime(),
  downloaded: row.downloaded_at === null ? null : row.downloaded_at.getTime(),
});

export const createDocumentListService = ({ pool, metadata, settings, jobs, inOrder = usually }: DocumentListParts): DocumentLists => {
  const dayOf = createDayOf(settings.timeZone);
  const totals = createTotals();
  const fruitless = createFruitless();

  /** Words that few deliveries have, in blocks of many. Where there are no blocks that would be of use, somebody is to make them. */
  const narrow = async (
    { principals, revision }: { principals: readonly Principal[]; revision: string },
    conditions: readonly Condition[],
  ): Promise<Narrowing> => {
    const words = conditions.flatMap((condition) => (condition.words === undefined ? [] : [condition.words]));
    const names = [...new Set(principals.map(({ name }) => name))];
    const key = JSON.stringify([revision, names, words]);
    const known = fruitless.find(key);
    if (known !== undefined) return { spans: new Map(), whereabouts: known };
    const narrowed = await findSpans(pool, names, words);
    if (narrowed.spans.size === 0 && narrowed.uncovered.length === 0) fruitless.add(key, narrowed.whereabouts);
    for (const principal of narrowed.uncovered) await jobs?.add(blocksJob, { principal }, { jobKey: `${blocksJob} ${principal}` });
    return narrowed;
  };

  const prepare = async ({ caller, query, plan: { kinds, period, rest }, definitions }: Asked) => {
    const context = (parameters: Parameters) => ({ definitions, reader: caller, parameters, dayOf });
    const makeConditions: Search['makeConditions'] = (parameters) => {
      const text = freeTextSql(query.text, context(parameters));
      return [...criteriaSql(rest, context(parameters)), ...(text === undefined ? [] : [text])];
    };
    const makeSort = (parameters: Parameters) => sortTerms(query.sort, context(parameters));
    // A wrong query is refused before anything is asked.
    const conditions = makeConditions(createParameters());
    const sort = makeSort(createParameters());
    const isByPublication = sort.every((term) => term.isPublication);
    const { principals, revision } = await listPrincipals(pool, caller, { hasPublic: kinds.includes('public') });
    const narrowed = await narrow({ principals, revision }, conditions);
    const search: Search = { principals, kinds, period, makeConditions };
    const counting = prepareCount(pool, search, narrowed);
    const listing = { search: { ...search, narrowed }, makeSort, reader: caller };
    const remember = (counted: Count): Count => {
      if (counting.key !== undefined) totals.remember(counting.key, { ...counted, revision });
      return counted;
    };
    const peek = () => (counting.key === undefined ? undefined : totals.peek(counting.key, revision));
    // With other conditions than a text, what a page and a number cost apart is what they cost together.
    const isCountedApart = conditions.length === 0 || (rest.length === 0 && conditions.length === 1);
    /** Whether the page lies where an index in the order of the list may find it at once. */
    const isNear = async ({ offset, size }: { offset: number; size: number }): Promise<boolean> => {
      const isInOrder = sort.length === 1 && sort[0]?.indexed !== undefined;
      const total = peek()?.total;
      if (!isInOrder || offset + size > Math.min(farOffset, total ?? farOffset)) return false;
      return (total !== undefined || isCountedApart) && (await haveMany(pool, principals, inOrder.many));
    };
    return {
      /** No order of an index helps, so that a page costs a look at everything. */
      looksAtAll: conditions.length > 0 && (!isByPublication || narrowed.spans.size > 0),
      peek,
      count: async () => remember(await counting.run()),
      read: (page: Page) => readPage(pool, listing, page),
      readInOrder: async (page: { offset: number; size: number }) =>
        (await isNear(page)) ? await readInOrder(pool, listing, { ...page, looks: inOrder.looks }) : undefined,
      readWithTotal: async (page: { offset: number; size: number }) => {
        const { rows, total } = await readPageAndTotal(pool, listing, page);
        if (total !== undefined) remember({ total, first: null, last: null });
        return { rows, total };
      },
      revision,
    };
  };

  const listBySearch = async (asked: Asked): Promise<Found> => {
    const page = pageOf(asked.query);
    const { looksAtAll, peek, count, read, readInOrder: readFirst, readWithTotal } = await prepare(asked);
    const first = await readFirst(page);
    if (first !== undefined) return { rows: first, total: (peek() ?? (await count())).total };
    const known = peek() ?? (page.offset >= farOffset ? await count() : undefined);
    if (known !== undefined) {
      if (page.offset >= known.total) return { rows: [], total: known.total };
      return { rows: await read({ ...fromNearerEnd(page, known.total), bounds: known }), total: known.total };
    }
    if (looksAtAll) {
      const { rows, total } = await readWithTotal(page);
      return { rows, total: total ?? (await count()).total };
    }
    const rows = await read({ ...page, fromEnd: false, bounds: undefined });
    // A page that is not full says where the list ends.
    const isEnd = rows.length < page.size && (rows.length > 0 || page.offset === 0);
    return { rows, total: isEnd ? page.offset + rows.length : (await count()).total };
  };

  const readDirect = async (list: DirectList, order: Direction, { fromEnd, ...page }: Page) => {
    const { rows, revision } = await readDirectRows(pool, list, { ...page, order: fromEnd ? opposite[order] : order });
    return { rows: fromEnd ? rows.toReversed() : rows, revision };
  };

  const listDirect = async (asked: Asked, { kind, order }: { kind: DirectList['kind']; order: Direction }): Promise<Found> => {
    const { caller, query, plan } = asked;
    const page = pageOf(query);
    const list: DirectList = { kind, period: plan.period, reader: caller };
    const known = totals.peek(directKey(list));
    if (known !== undefined && page.offset < known.total) {
      const place = { ...fromNearerEnd(page, known.total), bounds: known };
      const read = place.offset < farOffset ? await readDirect(list, order, place) : undefined;
      if (read?.revision === known.revision) return { rows: read.rows, total: known.total };
    }
    // Not known, not any more, or far from both ends: counted first.
    const { peek, count, read, revision } = await prepare(asked);
    const counted = peek() ?? (await count());
    totals.remember(directKey(list), { ...counted, revision });
    if (page.offset >= counted.total) return { rows: [], total: counted.total };
    const place = { ...fromNearerEnd(page, counted.total), bounds: counted };
    const rows = place.offset < farOffset ? (await readDirect(list, order, place)).rows : await read(place);
    return { rows, total: counted.total };
  };

  return {
    async list(caller, query) {
      const definitions = await metadata.definitions();
      const plan = planQuery(query, { definitions, dayOf });
      const asked: Asked = { caller, query, plan, definitions };
      const { rows, total } = plan.direct === undefined ? await listBySearch(asked) : await listDirect(asked, plan.direct);
      return { items: rows.map((row) => documentRowOf(row, definitions, caller)), total };
    },
  };
};
