import { bytesToHex } from '@noble/hashes/utils.js';
import {
  checkDocument,
  type DocumentDetails,
  downloadDocument,
  downloadPublicDocument,
  getDocument,
  getPageText,
  getRenderResult,
  listIgnoreMarkers,
  type OpenedDocument,
} from '@pergamin/contract';
import { queryOptions, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EmbeddedPage, PageSource } from '#kit/viewer/page-source.ts';
import { renderWidth } from '#kit/viewer/rendering.ts';
import { call, fetchBytes } from '#platform/api.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { checksumOf } from '#platform/metadata.ts';
import { nothingSaid, type Refusal, refusalOfCheck, refusalOfCheckError, refusalOfDocument, refusalOfError } from './opening.ts';

/** Each opening of the window asks anew; while it is open its answer stays. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } as const;

const markersQuery = lastingCallQuery(listIgnoreMarkers, {});

/** Opens a document: it is verified, and may be shown or not (F1, G8). What the verification does not bring along is asked for, and says why. */
export function useOpening(id: string, startPage?: number) {
  const queries = useQueryClient();
  const checking = queryOptions({
    queryKey: [checkDocument.name, id, 'opening'],
    queryFn: async ({ signal }) => {
      const page = startPage === undefined ? {} : { page: String(startPage) };
      const query = { opening: 'true', width: String(renderWidth()), ...page } as const;
      const { opened, ...checked } = await call(checkDocument, { params: { id }, query, signal });
      return { ...checked, document: opened?.document, firstPage: opened?.firstPage && embeddedPage(opened.firstPage) };
    },
    // Blobs cannot be compared.
    structuralSharing: false,
    ...once,
  });
  // While the window is being drawn, and not after it.
  usePrefetchQuery(checking);
  usePrefetchQuery(markersQuery);
  const check = useQuery(checking);
  const opened = useQuery({
    queryKey: [getDocument.name, id, 'opening', check.dataUpdatedAt],
    queryFn: async ({ signal }) => {
      const asking = check.data?.document ?? call(getDocument, { params: { id }, signal });
      const [document, markers] = await Promise.all([asking, queries.ensureQueryData(markersQuery)]);
      return { document, isDownloadOnly: markers.some((marker) => Object.hasOwn(document.metadata, marker)) };
    },
    enabled: check.data?.status === 'SHA_CIF_OK',
    ...once,
  });
  if (check.isFetching || opened.isFetching) return opening;
  const refusal = ((): Refusal | undefined => {
    if (check.error !== null) return refusalOfCheckError(check.error);
    if (opened.error !== null) return refusalOfError(opened.error);
    return (check.data && refusalOfCheck(check.data)) ?? (opened.data && refusalOfDocument(opened.data.document));
  })();
  if (refusal !== undefined) return { state: 'refused', refusal, retry: () => void check.refetch() } as const;
  if (check.data === undefined || opened.data === undefined) return opening;
  const { document, isDownloadOnly } = opened.data;
  const { checkedAt, firstPage, entry, differences, notCompared } = check.data;
  const checked = { checkedAt, entry, differences, notCompared };
  return { state: isDownloadOnly ? 'downloadOnly' : 'ready', opened: { document, checked, firstPage } } as const;
}

const opening = { state: 'opening' } as const;

const embeddedPage = ({ page, url, type, base64 }: NonNullable<OpenedDocument['firstPage']>): EmbeddedPage => {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return { page, url, bytes: new Blob([bytes], { type }) };
};

export const documentPages = (id: string, embedded?: EmbeddedPage): PageSource => ({
  embedded,
  poll: ({ width, page }, signal) => call(getRenderResult, { params: { id }, query: { width: String(width), page: String(page) }, signal }),
  load: fetchBytes,
  text: (page, signal) => call(getPageText, { params: { id, page: String(page) }, signal }),
});

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
      return { details, refusal: { kind: 'notVerified', status: 'SHA_NOT_EQUAL', detail: nothingSaid } satisfies Refusal };
    },
    ...once,
  });
  const refusal = error === null ? data?.refusal : refusalOfError(error);
  return { file: data, refusal: isFetching ? undefined : refusal, retry: () => void refetch() };
}

const sha256Of = async (bytes: Blob): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer());
  return bytesToHex(new Uint8Array(hash));
};
