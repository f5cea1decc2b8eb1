import { downloadDocument, downloadPublicDocument, getDocument, type DocumentDetails } from '@pergamin/contract';
import { bytesToHex } from '@noble/hashes/utils.js';
import { useQuery } from '@tanstack/react-query';
import { call } from '#platform/api.ts';
import { checksumOf } from '#platform/metadata.ts';
import { type Refusal, refusalOfDocument, refusalOfError } from './opening.ts';

/** The bytes of a document, to be shown: that is no download. Those of a public one need no session. */
export const fetchDocumentFile = ({ id, metadata }: DocumentDetails, signal?: AbortSignal): Promise<Blob> =>
  metadata['TYPE'] === 'PUBLIC'
    ? call(downloadPublicDocument, { params: { id }, signal })
    : call(downloadDocument, { params: { id }, query: { purpose: 'showing' }, signal });

/** A document of the caller and its file, whose checksum is computed here. */
export function useDocumentFile(id: string) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [getDocument.name, id, 'file'],
    queryFn: async ({ signal }) => {
      const details = await call(getDocument, { params: { id }, signal });
      const gone = refusalOfDocument(details);
      if (gone !== undefined) return { details, refusal: gone };
      const bytes = await fetchDocumentFile(details, signal);
      if ((await sha256Of(bytes)) === checksumOf(details)) return { details, bytes };
      // The bytes that came are not those that were published.
      return { details, refusal: { kind: 'notVerified', status: 'SHA_NOT_EQUAL' } satisfies Refusal };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const refusal = error === null ? data?.refusal : refusalOfError(error);
  return { file: data, refusal: isFetching ? undefined : refusal, retry: () => void refetch() };
}

const sha256Of = async (bytes: Blob): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
  return bytesToHex(new Uint8Array(hash));
};
