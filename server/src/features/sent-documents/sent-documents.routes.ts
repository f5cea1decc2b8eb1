import { calls, sendingLimits, uploadDescription } from '@pergamin/contract';
import { attachmentHeaders, pdfFileName } from '#platform/http/attachment.ts';
import { route, type Route } from '#platform/http/route.ts';
import { ignoreSilence } from '#platform/http/silence.ts';
import type { FairQueue } from '#platform/http/fair-queue.ts';
import { withUpload } from '#platform/http/upload.ts';
import type { Categories } from './categories.service.ts';
import type { Received } from './received.service.ts';
import type { SendingService } from './sending.service.ts';
import { readIdempotencyKey } from './sent-documents.rules.ts';
import type { SentDocuments } from './sent-documents.service.ts';

interface Parts {
  readonly categories: Categories;
  readonly sending: SendingService;
  readonly sentDocuments: SentDocuments;
  readonly received: Received;
  readonly uploadFolder: string;
  readonly receiving: FairQueue;
}

export const sentDocumentRoutes = ({ categories, sending, sentDocuments, received, uploadFolder, receiving }: Parts): readonly Route[] => [
  route(calls.listCategories, async ({ caller }) => categories.list(caller)),

  route(calls.getSendingLimits, async ({ caller }) => sending.limitsOf(caller)),

  route(calls.uploadDocument, async ({ caller, request, reply }) => {
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    await sending.assertMaySend({ caller, key });
    const options = { folder: uploadFolder, maxBytes: sendingLimits.maxFileBytes, schema: uploadDescription };
    const hearSilence = ignoreSilence(reply);
    return sending.countRefusal(caller, () =>
      receiving.pass(caller.personalId, (keepPlace) => {
        hearSilence();
        return withUpload(request, options, (upload) => {
          keepPlace();
          ignoreSilence(reply);
          return sending.send(upload, { caller, key });
        });
      }),
    );
  }),

  route(calls.listSentDocuments, async ({ caller, body }) => sentDocuments.list(caller, body)),

  route(calls.getSentDocument, async ({ caller, params }) => sentDocuments.get(caller, params.id)),

  route(calls.downloadSentDocument, async ({ caller, params: { id } }) => {
    const { fileName, size, body } = await sentDocuments.download(caller, id);
    return { body, contentType: 'application/pdf', headers: attachmentHeaders({ fileName: pdfFileName(fileName, id), size }) };
  }),

  route(calls.getSentRenderResult, async ({ caller, params, query }) => sentDocuments.render(caller, { id: params.id, ...query })),

  route(calls.getSentPageImage, async ({ caller, params, query }) => {
    const { bytes, type } = await sentDocuments.openPage(caller, { ...params, width: query.width });
    return { body: bytes, contentType: type, headers: { 'cache-control': 'private, no-store' } };
  }),

  route(calls.getSentPageText, async ({ caller, params }) => sentDocuments.getPageText(caller, params)),

  route(calls.upsertCategories, async ({ caller, body }) => categories.upsert(body.items, caller)),

  route(calls.listReceived, async ({ query: { since, limit, pending } }) => received.list({ since, limit, isPending: pending === 'true' })),

  route(calls.downloadReceived, async ({ params: { id } }) => {
    const { fileName, size, sha256, body } = await received.download(id);
    const headers = { ...attachmentHeaders({ fileName: pdfFileName(fileName, id), size }), etag: `"${sha256}"` };
    return { body, contentType: 'application/pdf', headers };
  }),

  route(calls.acknowledgeReceived, async ({ params, caller }) => received.acknowledge(params.id, caller)),
];
