import {
  type Category,
  getSentDocument,
  getSentPageText,
  getSentRenderResult,
  listCategories,
  listSentDocuments,
  type SentDocument,
} from '@pergamin/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { SelectOption } from '#kit/forms/Select.tsx';
import { prefetched } from '#kit/viewer/page-prefetch.ts';
import type { PageSource } from '#kit/viewer/page-source.ts';
import { renderWidth } from '#kit/viewer/rendering.ts';
import { call, fetchBytes } from '#platform/api.ts';
import { callQuery, useRefreshOn } from '#platform/call.queries.ts';
import { organisationTimeZone } from '#platform/brand.ts';
import { alertError } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { namedOptions } from '#platform/names.ts';
import { queryOf, type SentFilters, type SentView } from './sent-view.ts';

/** One page of what the person has sent; read again after every sending (H3). */
export function useSentList(view: SentView) {
  const body = useMemo(() => queryOf(view, organisationTimeZone()), [view]);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...callQuery(listSentDocuments, { body }),
    placeholderData: keepPreviousData,
  });
  useRefreshOn('documentSent', listSentDocuments);
  useEffect(() => {
    // Rows that are shown already stay; without any, the list itself says what is wrong.
    if (error !== null && data !== undefined) alertError(error);
  }, [error, data]);
  const pending = error === null ? 'loading' : 'failed';
  const state: 'loading' | 'busy' | 'ready' | 'failed' = data === undefined ? pending : isPlaceholderData ? 'busy' : 'ready';
  return { rows: data?.items ?? none, total: data?.total ?? 0, state, error, refresh: () => void refetch() };
}

const none: readonly SentDocument[] = [];

export type SentOptions = ReturnType<typeof useSentOptions>;

/** The options of a filter, also what is not offered any more, while the person has sent documents of it (H9). */
export function useSentOptions() {
  const { data = [] } = useQuery(callQuery(listCategories, {}));
  return (key: keyof SentFilters, { categoryId }: SentFilters): readonly SelectOption[] => {
    if (key === 'categoryId') return optionsOf(data);
    return key === 'typeId' ? optionsOf(data.find(({ id }) => id === categoryId)?.types ?? []) : [];
  };
}

const optionsOf = (items: readonly Pick<Category, 'id' | 'name' | 'deleted'>[]): readonly SelectOption[] => {
  const gone = new Set(items.filter(({ deleted }) => deleted).map(({ id }) => id));
  return namedOptions(items).map(({ id, label }) => ({ id, label: gone.has(id) ? t('sent.withdrawn', { name: label }) : label }));
};

/** A document that the person has sent; its first page is fetched at the same time, as nothing is checked before. */
export function useSentDocument(id: string) {
  return useQuery({
    queryKey: [getSentDocument.name, id],
    queryFn: async ({ signal }) => {
      const pages = prefetched(sentPages(id), { width: renderWidth(), page: 1 }, signal);
      return { document: await call(getSentDocument, { params: { id }, signal }), pages };
    },
    structuralSharing: false,
    // Each opening of the window asks anew; while it is open its answer stays.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

const sentPages = (id: string): PageSource => ({
  poll: ({ width, page }, signal) =>
    call(getSentRenderResult, { params: { id }, query: { width: String(width), page: String(page) }, signal }),
  load: fetchBytes,
  text: (page, signal) => call(getSentPageText, { params: { id, page: String(page) }, signal }),
});
