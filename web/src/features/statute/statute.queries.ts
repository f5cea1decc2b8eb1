import { getStatute, getStatuteInForce, getStatutePageText, getStatuteRenderResult, type StatuteDetails } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import type { PageSource } from '#kit/viewer/page-source.ts';
import { call, fetchBytes } from '#platform/api.ts';

export interface StatuteToAccept {
  readonly details: StatuteDetails;
  /** Pages this client had reached before. */
  readonly pagesReached: readonly number[];
}

/** The statute in force, which the caller has not accepted yet; undefined while it loads, or when there is none. */
export function useStatuteToAccept(): {
  readonly statute: StatuteToAccept | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
} {
  const inForce = useQuery({
    queryKey: [getStatuteInForce.name],
    queryFn: ({ signal }) => call(getStatuteInForce, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const id = inForce.data?.id ?? undefined;
  const details = useQuery({
    queryKey: [getStatute.name, id],
    queryFn: ({ signal }) => call(getStatute, { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    statute: details.data && { details: details.data, pagesReached: inForce.data?.pagesReached ?? [] },
    error: inForce.error ?? details.error,
    retry: () => void (inForce.isError ? inForce.refetch() : details.refetch()),
  };
}

/** The pages of one version of the statute. */
export const statutePages = (id: string): PageSource => ({
  poll: ({ width, page }, signal) =>
    call(getStatuteRenderResult, { params: { id }, query: { width: String(width), page: String(page) }, signal }),
  load: fetchBytes,
  text: (page, signal) => call(getStatutePageText, { params: { id, page: String(page) }, signal }),
});
