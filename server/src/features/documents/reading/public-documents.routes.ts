import { calls } from '@pergamin/contract';
import type { FastifyRequest } from 'fastify';
import { receiptAttachment } from '#platform/http/attachment.ts';
import { holdsTag } from '#platform/http/byte-range.ts';
import { PortalError } from '#platform/http/errors.ts';
import { entityTagOf, fileAnswer, noBytes } from '#platform/http/file-answer.ts';
import { type Bytes, route, type Route } from '#platform/http/route.ts';
import type { Checks } from '#features/documents/checking/checks.service.ts';
import type { PublicDocuments } from './public-documents.service.ts';

interface Parts {
  readonly publicDocuments: PublicDocuments;
  readonly checks: Checks;
}

/** Every site may link to a public document and keep a copy. None may embed it in a page of its own. */
const refuseAsPartOfPage = ({ headers }: FastifyRequest): void => {
  const site = headers['sec-fetch-site'];
  const isFromElsewhere = site === 'cross-site' || site === 'same-site';
  if (isFromElsewhere && headers['sec-fetch-dest'] !== 'document') throw new PortalError('CALL_NOT_PERMITTED');
};

export const publicDocumentRoutes = ({ publicDocuments, checks }: Parts): readonly Route[] => [
  route(calls.getPublicDocument, async ({ params }) => publicDocuments.get(params.id)),

  route(calls.downloadPublicDocument, async ({ params: { id }, request, reply }): Promise<Bytes> => {
    refuseAsPartOfPage(request);
    const file = await publicDocuments.getFile(id);
    // The same for everybody. Caches revalidate each time, so that a deleted document is not shown from one.
    const caching = { etag: entityTagOf(file), 'cache-control': 'public, no-cache', 'accept-ranges': 'bytes' };
    const isKept = holdsTag(request.headers['if-none-match'], caching.etag);
    const answer = isKept ? { ...noBytes, headers: caching, status: 304 as const } : await fileAnswer(request, file);
    if (answer.status === 416) return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
    void reply.removeHeader('vary');
    return { ...answer, headers: { ...answer.headers, ...caching } };
  }),

  route(calls.getPublicReceipt, async ({ params: { id } }) => receiptAttachment(id, await publicDocuments.getReceipt(id))),

  route(calls.checkPublicDocument, async ({ params, request }) => checks.checkPublic(request.ip, params.id)),
];
