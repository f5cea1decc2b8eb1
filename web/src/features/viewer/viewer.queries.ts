import { checkDocument, getDocument, getPageText, getRenderResult, listIgnoreMarkers, type DocumentDetails } from '@pergamin/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { beginFirstLook, type FirstLook, withFirstLook } from '#kit/viewer/first-look.ts';
import type { PageSource } from '#kit/viewer/page-source.ts';
import { renderWidth } from '#kit/viewer/useViewer.ts';
import { call, fetchBytes } from '#platform/api.ts';
import { type Refusal, refusalOfCheck, refusalOfCheckError, refusalOfDocument, refusalOfError } from './opening.ts';

export type Opening =
  | { readonly state: 'opening' }
  | { readonly state: 'refused'; readonly refusal: Refusal; readonly retry: () => void }
  | {
      readonly state: 'downloadOnly' | 'ready';
      readonly document: DocumentDetails;
      readonly checkedAt: number | null;
      readonly first: FirstLook | undefined;
    };

/** Each opening of the window asks anew; while it is open its answer stays. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } as const;

const markersQuery = queryOptions({
  queryKey: [listIgnoreMarkers.name],
  queryFn: ({ signal }) => call(listIgnoreMarkers, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Opens a document of the caller: first the verification, then its data, then whether it may be shown at all (F1, G8). */
export function useOpening(id: string, startPage = 1): Opening {
  const queries = useQueryClient();
  const check = useQuery({
    queryKey: [checkDocument.name, id, 'opening'],
    queryFn: async ({ signal }) => {
      const [checked, ignored] = await Promise.all([
        call(checkDocument, { params: { id }, query: { opening: 'true' }, signal }),
        queries.ensureQueryData(markersQuery).catch(() => undefined),
      ]);
      // While its data are on their way; unless there are documents that are not to be shown, and this may be one of them.
      const mayLook = checked.status === 'SHA_CIF_OK' && ignored?.length === 0;
      const look = { width: renderWidth(), page: startPage };
      return { ...checked, first: mayLook ? beginFirstLook(documentPages(id), look, signal) : undefined };
    },
    // Of what is told here nothing is data to be compared.
    structuralSharing: false,
    ...once,
  });
  const isVerified = check.data?.status === 'SHA_CIF_OK';
  const document = useQuery({
    queryKey: [getDocument.name, id],
    queryFn: ({ signal }) => call(getDocument, { params: { id }, signal }),
    enabled: isVerified,
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
  if (document.isFetching || markers.isFetching) return { state: 'opening' };
  if (document.error !== null) return refused(refusalOfError(document.error), document.refetch);
  if (markers.error !== null) return refused(refusalOfError(markers.error), markers.refetch);
  if (document.data === undefined || markers.data === undefined) return { state: 'opening' };
  const gone = refusalOfDocument(document.data);
  if (gone !== undefined) return refused(gone, document.refetch);
  const { metadata } = document.data;
  return {
    state: markers.data.some((marker) => Object.hasOwn(metadata, marker)) ? 'downloadOnly' : 'ready',
    document: document.data,
    checkedAt: check.data?.checkedAt ?? null,
    first: check.data?.first,
  };
}

/** The pages of a document of the caller. */
export const documentPages = (id: string, first?: FirstLook): PageSource =>
  withFirstLook(
    {
      poll: ({ width, page }, signal) =>
        call(getRenderResult, { params: { id }, query: { width: String(width), page: String(page) }, signal }),
      load: fetchBytes,
      text: (page, signal) => call(getPageText, { params: { id, page: String(page) }, signal }),
    },
    first,
  );
