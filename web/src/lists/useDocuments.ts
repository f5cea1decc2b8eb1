import type { AnswerOf, DocumentQuery, DocumentRow, listOwnDocuments } from '@pergamin/contract';
import { createDayOf, getDocument, listIgnoreMarkers } from '@pergamin/contract';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { organisationTimeZone } from '#platform/brand.ts';
import { call } from '#platform/api.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { markDamagedRow } from '#platform/document-rows.ts';
import { alertError, isNotFound } from '#platform/errors.ts';
import { on } from '#platform/events.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import type { ListPlan, ListView } from './list-plan.ts';
import { queryOf, windowRows } from './list-rules.ts';
import type { ListSource } from './list-source.ts';

export type Documents = ReturnType<typeof useDocuments>;

/** The day of now where the organisation is. */
export const organisationToday = (): string => createDayOf(organisationTimeZone())(Date.now());

/** What is unread is kept apart, so that a document stays in its list when it was read there. */
const keyOf = ({ name }: ListSource, { criteria }: DocumentQuery): string => (criteria.unread === true ? `${name}, unread` : name);

const windowQuery = (source: ListSource, query: DocumentQuery) =>
  queryOptions({ queryKey: [keyOf(source, query), query], queryFn: ({ signal }) => source.list(query, signal) });

/** One page of a list. Pages are cut from windows of a hundred rows, and the next window is fetched ahead (E2). */
export function useDocuments(
  plan: ListPlan,
  { source, metadata, view, page }: { source: ListSource; metadata: OwnMetadata; view: ListView; page: number },
) {
  const queries = useQueryClient();
  const { statementMarker } = metadata;
  const today = organisationToday();
  const offset = page * view.pageSize;
  const window = Math.floor(offset / windowRows);
  const asked = useMemo(
    () => queryOf(plan, view, { statementMarker: statementMarker ?? '', today, timeZone: organisationTimeZone(), window }),
    [plan, view, statementMarker, today, window],
  );
  const query = 'query' in asked ? asked.query : undefined;
  const canAsk = statementMarker !== undefined && query !== undefined;
  const markers = useQuery({ ...lastingCallQuery(listIgnoreMarkers, {}), enabled: source.isOwn });
  // Which documents are only downloaded is known to clients; a visitor without a session looks at all of them.
  const ignoreMarkers = source.isOwn ? markers.data : none;
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...windowQuery(source, query ?? noQuery),
    enabled: canAsk,
    placeholderData: keepPreviousData,
  });

  useEffect(() => on('documentDamaged', ({ documentId }) => markDamagedRow(queries, documentId)), [queries]);
  useEffect(() => on('documentUpdated', () => void queries.invalidateQueries({ queryKey: [source.name] })), [queries, source]);
  useUnreadRows(query?.criteria.unread === true ? keyOf(source, query) : undefined);
  useEffect(() => {
    // Rows that are shown already stay; without any, the list itself says what is wrong.
    if (error !== null && data !== undefined) alertError(error);
  }, [error, data]);
  const hasNext = canAsk && data !== undefined && !isPlaceholderData && (window + 1) * windowRows < data.total;
  useEffect(() => {
    if (hasNext && query !== undefined) void queries.prefetchQuery(windowQuery(source, { ...query, page: query.page + 1 }));
  }, [queries, hasNext, source, query]);

  const failure = (data === undefined ? error : null) ?? metadata.error ?? markers.error;
  const isReady = data !== undefined && ignoreMarkers !== undefined;
  const start = offset % windowRows;
  const rows = useMemo(() => data?.items.slice(start, start + view.pageSize) ?? [], [data, start, view.pageSize]);
  return {
    rows,
    total: data?.total ?? 0,
    ignoreMarkers: ignoreMarkers ?? none,
    /** `unasked`: the view names no date, or none that can be; nothing was sent. */
    state: failure !== null ? 'failed' : query === undefined ? 'unasked' : !isReady ? 'loading' : isPlaceholderData ? 'busy' : 'ready',
    error: failure,
    /** What was asked for; undefined while nothing can be. */
    query,
    refresh: () => {
      metadata.retry();
      if (markers.isError) void markers.refetch();
      void refetch();
    },
  } as const;
}

/** In a list of what is unread a document is shown as it is now, and leaves with the next reload, or when it is gone; what was published meanwhile comes at once. */
function useUnreadRows(key: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (key === undefined) return undefined;
    const show = async (documentId: string): Promise<void> => {
      const now = await call(getDocument, { params: { id: documentId } }).catch((error: unknown) =>
        isNotFound(error) ? 'gone' : undefined,
      );
      if (now === undefined) return;
      queries.setQueriesData<Rows>({ queryKey: [key] }, (data) => data && withRow(data, documentId, now));
    };
    const leave = [
      on('documentUpdated', ({ documentId }) => void show(documentId)),
      on('documentsPublished', () => void queries.invalidateQueries({ queryKey: [key] })),
    ];
    return () => leave.forEach((stop) => stop());
  }, [queries, key]);
}

type Rows = AnswerOf<typeof listOwnDocuments>;

const withRow = (rows: Rows, id: string, now: DocumentRow | 'gone'): Rows => {
  const items = rows.items.flatMap((row) => {
    if (row.id !== id) return [row];
    if (now === 'gone') return [];
    const { read, downloaded, corrupted, state } = now;
    return [{ ...row, read, downloaded, corrupted, state }];
  });
  return { items, total: rows.total - (rows.items.length - items.length) };
};

const none: readonly string[] = [];
const noQuery: DocumentQuery = { text: null, criteria: { metadata: [], period: null }, sort: [], page: 0, size: windowRows };
