import { listIgnoreMarkers, listLimits, listOwnDocuments, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#platform/api.ts';
import { alertError } from '#platform/errors.ts';
import { on } from '#platform/events.ts';
import { useMetadata, type OwnMetadata } from '#platform/metadata.queries.ts';

/** Rows are fetched in windows of this many; the pages of the list are cut from them (E2). */
const windowRows = listLimits.maxPageSize;

export interface ListView {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly sort: { readonly by: string; readonly order: 'asc' | 'desc' };
}

export interface ReceivedDocuments {
  readonly metadata: OwnMetadata;
  readonly rows: readonly DocumentRow[];
  readonly total: number;
  readonly ignoreMarkers: readonly string[];
  readonly state: 'loading' | 'busy' | 'ready' | 'failed';
  readonly error: Error | null;
  readonly refresh: () => void;
}

/** One page of the documents delivered to the caller, statements and public documents excepted (D5). */
export function useReceivedDocuments(view: ListView): ReceivedDocuments {
  const queries = useQueryClient();
  const metadata = useMetadata();
  const markers = useQuery({
    queryKey: [listIgnoreMarkers.name],
    queryFn: ({ signal }) => call(listIgnoreMarkers, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { statementMarker } = metadata;
  const offset = view.page * view.pageSize;
  const window = Math.floor(offset / windowRows);
  const list = useQuery({
    ...windowQuery(receivedQuery(statementMarker ?? '', { window, sort: view.sort })),
    enabled: statementMarker !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data, error, isPlaceholderData, refetch } = list;

  useEffect(() => on('documentUpdated', () => void queries.invalidateQueries({ queryKey: [listOwnDocuments.name] })), [queries]);
  useEffect(() => {
    // Rows that are shown already stay; without any, the list itself says what is wrong.
    if (error !== null && data !== undefined) alertError(error);
  }, [error, data]);
  const hasNext = data !== undefined && !isPlaceholderData && (window + 1) * windowRows < data.total;
  const { by, order } = view.sort;
  useEffect(() => {
    if (hasNext && statementMarker !== undefined)
      void queries.prefetchQuery(windowQuery(receivedQuery(statementMarker, { window: window + 1, sort: { by, order } })));
  }, [queries, hasNext, statementMarker, window, by, order]);

  const failure = (data === undefined ? error : null) ?? metadata.error ?? markers.error;
  const ready = data !== undefined && markers.data !== undefined;
  const start = offset % windowRows;
  return {
    metadata,
    rows: data?.items.slice(start, start + view.pageSize) ?? [],
    total: data?.total ?? 0,
    ignoreMarkers: markers.data ?? [],
    state: failure !== null ? 'failed' : !ready ? 'loading' : isPlaceholderData ? 'busy' : 'ready',
    error: failure,
    refresh: () => {
      metadata.retry();
      if (markers.isError) void markers.refetch();
      void refetch();
    },
  };
}

/** What the list asks for: one window of the documents received. */
export const receivedQuery = (
  statementMarker: string,
  { window, sort }: { readonly window: number; readonly sort: ListView['sort'] },
): DocumentQuery => ({
  text: null,
  criteria: {
    metadata: [
      { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
      { id: statementMarker, operator: 'NOT_EQUALS', value: 'STATEMENTS' },
    ],
    period: null,
  },
  sort: [{ ...sort }],
  page: window,
  size: windowRows,
});

export const windowQuery = (query: DocumentQuery) =>
  queryOptions({
    queryKey: [listOwnDocuments.name, query],
    queryFn: ({ signal }) => call(listOwnDocuments, { body: query, signal }),
  });
