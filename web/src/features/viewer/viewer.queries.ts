import {
  checkDocument,
  getDocument,
  getPageText,
  getRenderResult,
  listIgnoreMarkers,
  type DocumentDetails,
  type OpenedDocument,
} from '@pergamin/contract';
import { type QueryClient, queryOptions, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PagePrefetch, prefetchPage, withPrefetched } from '#kit/viewer/page-prefetch.ts';
import type { EmbeddedPage, PageSource } from '#kit/viewer/page-source.ts';
import { renderWidth } from '#kit/viewer/rendering.ts';
import { call, fetchBytes } from '#platform/api.ts';
import { lastingCallQuery, callQuery } from '#platform/call.queries.ts';
import { type Refusal, refusalOfCheck, refusalOfCheckError, refusalOfDocument, refusalOfError } from './opening.ts';

export type Opening =
  | { readonly state: 'opening' }
  | { readonly state: 'refused'; readonly refusal: Refusal; readonly retry: () => void }
  | {
      readonly state: 'downloadOnly' | 'ready';
      readonly document: DocumentDetails;
      readonly checkedAt: number | null;
      readonly pages: OpenedPages;
    };

/** What there is of the pages when the document may be shown: one that came with it, or else the question for them. */
export interface OpenedPages {
  readonly embedded?: EmbeddedPage | undefined;
  readonly prefetch?: PagePrefetch | undefined;
}

/** Each opening of the window asks anew; while it is open its answer stays. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } as const;

const markersQuery = lastingCallQuery(listIgnoreMarkers, {});

const checkQuery = (id: string, startPage: number | undefined, queries: QueryClient) =>
  queryOptions({
    queryKey: [checkDocument.name, id, 'opening'],
    queryFn: async ({ signal }) => {
      const width = renderWidth();
      const page = startPage === undefined ? {} : { page: String(startPage) };
      const [{ opened, ...checked }, ignored] = await Promise.all([
        call(checkDocument, { params: { id }, query: { opening: 'true', width: String(width), ...page }, signal }),
        queries.ensureQueryData(markersQuery).catch(() => undefined),
      ]);
      const embedded = opened?.firstPage && embeddedPage(opened.firstPage);
      // While its data are on their way; unless there are documents that are not to be shown, and this may be one of them.
      const mayPrefetch = checked.status === 'SHA_CIF_OK' && embedded === undefined && ignored?.length === 0;
      const prefetch = mayPrefetch ? prefetchPage(documentPages(id), { width, page: startPage ?? 1 }, signal) : undefined;
      return { ...checked, document: opened?.document, pages: { embedded, prefetch } };
    },
    // Blobs and promises cannot be compared.
    structuralSharing: false,
    ...once,
  });

const embeddedPage = ({ page, url, type, base64 }: NonNullable<OpenedDocument['firstPage']>): EmbeddedPage => {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return { page, url, bytes: new Blob([bytes], { type }) };
};

/**
 * Opens a document of the caller: first the verification, then its data, then whether it may be shown at all (F1, G8). The verification brings
 * the rest along; what it does not bring is asked for, and says why.
 */
export function useOpening(id: string, startPage?: number): Opening {
  const queries = useQueryClient();
  const checking = checkQuery(id, startPage, queries);
  // While the window is being drawn, and not after it.
  usePrefetchQuery(checking);
  const check = useQuery(checking);
  const isVerified = check.data?.status === 'SHA_CIF_OK';
  const brought = check.data?.document;
  const document = useQuery({
    ...callQuery(getDocument, { params: { id } }),
    enabled: isVerified && brought === undefined,
    ...once,
  });
  const markers = useQuery(markersQuery);

  const refused = (refusal: Refusal, retry: () => Promise<unknown>): Opening => ({
    state: 'refused',
    refusal,
    retry: () => void retry(),
  });
  if (check.isFetching) return { state: 'opening' };
  if (check.error !== null) return refused(refusalOfCheckError(check.error), check.refetch);
  const verdict = check.data === undefined ? undefined : refusalOfCheck(check.data.status);
  if (verdict !== undefined) return refused(verdict, check.refetch);
  const details = brought ?? document.data;
  if (document.isFetching || markers.isFetching) return { state: 'opening' };
  if (brought === undefined && document.error !== null) return refused(refusalOfError(document.error), document.refetch);
  if (markers.error !== null) return refused(refusalOfError(markers.error), markers.refetch);
  if (details === undefined || markers.data === undefined) return { state: 'opening' };
  const gone = refusalOfDocument(details);
  if (gone !== undefined) return refused(gone, brought === undefined ? document.refetch : check.refetch);
  return {
    state: markers.data.some((marker) => Object.hasOwn(details.metadata, marker)) ? 'downloadOnly' : 'ready',
    document: details,
    checkedAt: check.data?.checkedAt ?? null,
    pages: check.data?.pages ?? {},
  };
}

/** The pages of a document of the caller. */
export const documentPages = (id: string, { embedded, prefetch }: OpenedPages = {}): PageSource =>
  withPrefetched(
    {
      embedded,
      poll: ({ width, page }, signal) =>
        call(getRenderResult, { params: { id }, query: { width: String(width), page: String(page) }, signal }),
      load: fetchBytes,
      text: (page, signal) => call(getPageText, { params: { id, page: String(page) }, signal }),
    },
    prefetch,
  );
