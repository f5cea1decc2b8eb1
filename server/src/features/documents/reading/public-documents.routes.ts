import { calls } from '@pergamin/contract';
import type { FastifyRequest } from 'fastify';
import { attachmentHeaders, pdfFileName, receiptAttachment } from '#platform/http/attachment.ts';
import { holdsTag, readByteRange } from '#platform/http/byte-range.ts';
import { PortalError } from '#platform/http/errors.ts';
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

const pdf = 'application/pdf';
const nothing = { body: Buffer.alloc(0), contentType: pdf };

export const publicDocumentRoutes = ({ publicDocuments, checks }: Parts): readonly Route[] => [
  route(calls.getPublicDocument, async ({ params }) => publicDocuments.get(params.id)),

  route(calls.downloadPublicDocument, async ({ params: { id }, request, reply }): Promise<Bytes> => {
    refuseAsPartOfPage(request);
    const file = await publicDocuments.getFile(id);
    const etag = `"${file.sha256}"`;
    // The same for everybody. Caches revalidate each time, so that a deleted document is not shown from one.
    const caching = { etag, 'cache-control': 'public, no-cache', 'accept-ranges': 'bytes' };
    if (holdsTag(request.headers['if-none-match'], etag)) {
      void reply.removeHeader('vary');
      return { ...nothing, headers: caching, status: 304 };
    }
    const headers = { ...attachmentHeaders({ fileName: pdfFileName(file.fileName, id), size: file.size }), ...caching };
    const ifRange = request.headers['if-range'];
    const range = ifRange === undefined || ifRange === etag ? readByteRange(request.headers.range, file.size) : undefined;
    if (range === 'unsatisfiable')
      return { ...nothing, headers: { 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store' }, status: 416 };
    const body = range === undefined ? await file.open() : await file.openPart(range);
    void reply.removeHeader('vary');
    if (range === undefined) return { body, contentType: pdf, headers };
    const { start, end } = range;
    const part = { 'content-range': `bytes ${start}-${end}/${file.size}`, 'content-length': String(end - start + 1) };
    return { body, contentType: pdf, headers: { ...headers, ...part }, status: 206 };
  }),

  route(calls.getPublicReceipt, async ({ params: { id } }) => receiptAttachment(id, await publicDocuments.getReceipt(id))),

  route(calls.checkPublicDocument, async ({ params, request }) => checks.checkPublic(request.ip, params.id)),
];
