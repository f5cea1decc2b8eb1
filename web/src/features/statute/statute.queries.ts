import { getStatute, getStatuteInForce, getStatutePageText, getStatuteRenderResult, type StatuteInForce } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import type { PageSource } from '#kit/viewer/page-source.ts';
import { call, fetchBytes } from '#platform/api.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';

export type StatuteToAccept = NonNullable<ReturnType<typeof useStatuteToAccept>['statute']>;

export type AskedVersion = 'inForce' | 'upcoming';

const versionOf = ({ id, pagesReached, upcoming }: StatuteInForce, asked: AskedVersion) => {
  if (asked === 'inForce') return id === null ? undefined : { id, pagesReached };
  return upcoming?.accepted === false ? upcoming : undefined;
};

/** A version that the caller has not accepted yet; undefined while it loads, or when there is none. */
export function useStatuteToAccept(asked: AskedVersion) {
  const inForce = useQuery(lastingCallQuery(getStatuteInForce, {}));
  const version = inForce.data && versionOf(inForce.data, asked);
  const id = version?.id;
  const details = useQuery({ ...lastingCallQuery(getStatute, { params: { id: id ?? '' } }), enabled: id !== undefined });
  return {
    /** With the pages that this client had reached before. */
    statute: details.data && { details: details.data, pagesReached: version?.pagesReached ?? [] },
    /** It is known that there is none. */
    isNone: inForce.data !== undefined && version === undefined,
    error: inForce.error ?? details.error,
    retry: () => void (inForce.isError ? inForce.refetch() : details.refetch()),
  };
}

export const statutePages = (id: string): PageSource => ({
  poll: ({ width, page }, signal) =>
    call(getStatuteRenderResult, { params: { id }, query: { width: String(width), page: String(page) }, signal }),
  load: fetchBytes,
  text: (page, signal) => call(getStatutePageText, { params: { id, page: String(page) }, signal }),
});
