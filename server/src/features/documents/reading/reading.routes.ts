import { calls } from '@pergamin/contract';
import type { Checks } from '#features/documents/checking/checks.service.ts';
import type { ShownPages } from '#features/rendering/rendering.door.ts';
import { receiptAttachment } from '#platform/http/attachment.ts';
import { fileAnswer } from '#platform/http/file-answer.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { FindDocumentLock } from './document-lock.ts';
import type { GetHistory } from './history.service.ts';
import type { ListIgnoreMarkers } from './ignore-markers.ts';
import type { OpenDocument } from './opening.service.ts';
import type { Reading } from './reading.service.ts';

interface Parts {
  readonly reading: Reading;
  readonly pages: ShownPages;
  readonly checks: Checks;
  readonly open: OpenDocument;
  readonly getHistory: GetHistory;
  readonly findLock: FindDocumentLock;
  readonly listMarkers: ListIgnoreMarkers;
}

export const readingRoutes = ({ reading, pages, checks, open, getHistory, findLock, listMarkers }: Parts): readonly Route[] => [
  route(calls.getDocument, async ({ caller, params }) => reading.get(caller, params.id)),

  route(calls.getRenderResult, async ({ caller, params, query }) => pages.result(await reading.getShown(caller, params.id), query)),

  route(calls.getPageImage, async ({ caller, params: { id, page }, query: { width } }) =>
    pages.image(await reading.getShown(caller, id), { width, page }),
  ),

  route(calls.getPageText, async ({ caller, params: { id, page } }) => pages.text(await reading.getShown(caller, id), page)),

  route(calls.downloadDocument, async ({ caller, params: { id }, query: { purpose = 'download' }, request, reply }) =>
    fileAnswer(request, await reading.getFile(caller, { id, purpose, target: reply.raw })),
  ),

  route(calls.getReceipt, async ({ caller, params: { id } }) => receiptAttachment(id, await reading.getReceipt(caller, id))),

  route(calls.checkDocument, async ({ caller, params: { id }, query: { opening, width, page } }) =>
    opening === 'true' ? open(caller, { id, width, page }) : checks.check(caller, { id, isOpening: false }),
  ),

  route(calls.checkChecksum, async ({ caller, body, request }) => checks.checkChecksum({ caller, address: request.ip }, body.sha256)),

  route(calls.getDocumentLock, async ({ caller, params }) => findLock(caller, params.id)),

  route(calls.getDocumentHistory, async ({ caller, params }) => getHistory(caller, params.id)),

  route(calls.markPage, async ({ caller, params, query: { shown } }) =>
    reading.markPage(caller, { ...params, isShown: shown !== 'false' }),
  ),

  route(calls.markRead, async ({ caller, params }) => reading.markRead(caller, params.id)),

  route(calls.listIgnoreMarkers, async () => listMarkers()),
];
