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

interface DocumentFile {
  readonly details: DocumentDetails;
  /** Undefined when it is not to be shown: the bytes that came are not those that were published. */
  readonly bytes: Blob | undefined;
}

/** A document of the caller and its file, whose checksum is computed here. */
export function useDocumentFile(id: string) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [getDocument.name, id, 'file'],
    queryFn: async ({ signal }): Promise<DocumentFile> => {
      const details = await call(getDocument, { params: { id }, signal });
      if (refusalOfDocument(details) !== undefined) return { details, bytes: undefined };
      const bytes = await fetchDocumentFile(details, signal);
      const isSame = (await sha256Of(bytes)) === checksumOf(details);
      return { details, bytes: isSame ? bytes : undefined };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { file: data, refusal: isFetching ? undefined : refusalOf(data, error), retry: () => void refetch() };
}

const refusalOf = (file: DocumentFile | undefined, error: Error | null): Refusal | undefined => {
  if (error !== null) return refusalOfError(error);
  if (file === undefined || file.bytes !== undefined) return undefined;
  return refusalOfDocument(file.details) ?? { kind: 'notVerified', status: 'SHA_NOT_EQUAL' };
};

const sha256Of = async (bytes: Blob): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
  return bytesToHex(new Uint8Array(hash));
};
