import { calls } from '@pergamin/contract';
import { attachmentHeaders, pdfFileName } from '#platform/http/attachment.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Checks } from './checks.service.ts';
import type { Documents } from './documents.service.ts';
import type { GetHistory } from './history.service.ts';
import type { ListIgnoreMarkers } from './ignore-markers.ts';
import type { OpenDocument } from './opening.service.ts';

interface Parts {
  readonly documents: Documents;
  readonly checks: Checks;
  readonly open: OpenDocument;
  readonly getHistory: GetHistory;
  readonly listMarkers: ListIgnoreMarkers;
}

export const documentRoutes = ({ documents, checks, open, getHistory, listMarkers }: Parts): readonly Route[] => [
  route(calls.getDocument, async ({ caller, params }) => documents.get(caller, params.id)),

  route(calls.getRenderResult, async ({ caller, params, query }) => documents.render(caller, { id: params.id, ...query })),

  route(calls.getPageImage, async ({ caller, params, query }) => {
    const { bytes, type } = await documents.openPage(caller, { ...params, width: query.width });
    return { body: bytes, contentType: type, headers: { 'cache-control': 'private, no-store' } };
  }),

  route(calls.getPageText, async ({ caller, params }) => documents.getPageText(caller, params)),

  route(calls.downloadDocument, async ({ caller, params: { id }, reply }) => {
    const { fileName, size, body } = await documents.download(caller, { id, target: reply.raw });
    return { body, contentType: 'application/pdf', headers: attachmentHeaders({ fileName: pdfFileName(fileName, id), size }) };
  }),

  route(calls.checkDocument, async ({ caller, params: { id }, query: { opening, width, page } }) =>
    opening === 'true' && width !== undefined
      ? open(caller, { id, width, page })
      : checks.check(caller, { id, isOpening: opening === 'true' }),
  ),

  route(calls.checkChecksum, async ({ caller, body, request }) => checks.checkChecksum({ caller, address: request.ip }, body.sha256)),

  route(calls.getDocumentHistory, async ({ caller, params }) => getHistory(caller, params.id)),

  route(calls.markPage, async ({ caller, params }) => documents.markPage(caller, params)),

  route(calls.markRead, async ({ caller, params }) => documents.markRead(caller, params.id)),

  route(calls.listIgnoreMarkers, async () => listMarkers()),
];
