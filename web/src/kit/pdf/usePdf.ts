import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { openPdf } from './pdf-pages.ts';

/** Opens these bytes for as long as they are shown. */
export function usePdf(documentId: string, bytes: Blob | undefined) {
  const { data, error, isFetching, refetch } = useQuery({
    // Each component opens its own, as it closes it.
    queryKey: ['pdf', documentId, useId()],
    queryFn: ({ signal }) => openPdf(bytes ?? new Blob(), signal),
    enabled: bytes !== undefined,
    structuralSharing: false,
    // The bytes are here: no line is needed.
    networkMode: 'always',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => () => data?.close(), [data]);
  return { pdf: data, error: isFetching ? null : error, retry: () => void refetch() };
}
