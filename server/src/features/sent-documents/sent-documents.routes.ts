import { calls, sendingLimits, uploadDescription } from '@pergamin/contract';
import { receiptAttachment } from '#platform/http/attachment.ts';
import { fileAnswer } from '#platform/http/file-answer.ts';
import { route, type Route } from '#platform/http/route.ts';
import { ignoreSilence } from '#platform/http/silence.ts';
import type { FairQueue } from '#platform/http/fair-queue.ts';
import { withUpload } from '#platform/http/upload.ts';
import type { ShownPages } from '#features/rendering/rendering.door.ts';
import type { Categories } from './categories.service.ts';
import type { Received } from './received.service.ts';
import type { SendingService } from './sending.service.ts';
import { readIdempotencyKey } from './sent-documents.rules.ts';
import type { SentDocuments } from './sent-documents.service.ts';

interface Parts {
  readonly categories: Categories;
  readonly sending: SendingService;
  readonly sentDocuments: SentDocuments;
  readonly pages: ShownPages;
  readonly received: Received;
  readonly uploadFolder: string;
  readonly receiving: FairQueue;
}

export const sentDocumentRoutes = (parts: Parts): readonly Route[] => [...clientRoutes(parts), ...publisherRoutes(parts)];

const clientRoutes = ({ categories, sending, sentDocuments, pages, uploadFolder, receiving }: Parts): readonly Route[] => [
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

  route(calls.downloadSentDocument, async ({ caller, params: { id }, request }) =>
    fileAnswer(request, await sentDocuments.getFile(caller, id)),
  ),

  route(calls.getSentReceipt, async ({ caller, params: { id } }) => receiptAttachment(id, await sentDocuments.getReceipt(caller, id))),

  route(calls.getSentLock, async ({ caller, params }) => sentDocuments.findLock(caller, params.id)),

  route(calls.getSentRenderResult, async ({ caller, params, query }) =>
    pages.result(await sentDocuments.getShown(caller, params.id), query),
  ),

  route(calls.getSentPageImage, async ({ caller, params: { id, page }, query: { width } }) =>
    pages.image(await sentDocuments.getShown(caller, id), { width, page }),
  ),

  route(calls.getSentPageText, async ({ caller, params: { id, page } }) => pages.text(await sentDocuments.getShown(caller, id), page)),
];

const publisherRoutes = ({ categories, received }: Parts): readonly Route[] => [
  route(calls.upsertCategories, async ({ caller, body }) => categories.upsert(body, caller)),

  route(calls.listReceived, async ({ query: { since, limit, pending } }) => received.list({ since, limit, isPending: pending === 'true' })),

  route(calls.downloadReceived, async ({ params: { id }, request }) => fileAnswer(request, await received.getFile(id))),

  route(calls.acknowledgeReceived, async ({ params, caller }) => received.acknowledge(params.id, caller)),
];
