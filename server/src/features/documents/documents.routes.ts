import { calls } from '@pergamin/contract';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import { attachmentHeaders, pdfFileName } from '#platform/http/attachment.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Checks } from './checks.service.ts';
import type { Documents } from './documents.service.ts';
import type { GetHistory } from './history.service.ts';

interface Parts {
  readonly documents: Documents;
  readonly checks: Checks;
  readonly getHistory: GetHistory;
  readonly metadata: Metadata;
  readonly ignoreMarkers: readonly string[];
}

export const documentRoutes = ({ documents, checks, getHistory, metadata, ignoreMarkers }: Parts): readonly Route[] => [
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

  route(calls.checkDocument, async ({ caller, params, query }) =>
    checks.check(caller, { id: params.id, isOpening: query.opening === 'true' }),
  ),

  route(calls.checkChecksum, async ({ caller, body, request }) => checks.checkChecksum({ caller, address: request.ip }, body.sha256)),

  route(calls.getDocumentHistory, async ({ caller, params }) => getHistory(caller, params.id)),

  route(calls.markPage, async ({ caller, params }) => documents.markPage(caller, params)),

  route(calls.markRead, async ({ caller, params }) => documents.markRead(caller, params.id)),

  // Matched by id and by name (E9): metadata maps hold one of the two, so both are told.
  route(calls.listIgnoreMarkers, async () => {
    const definitions = await metadata.definitions();
    const names = ignoreMarkers.flatMap((marker) => {
      const definition = definitions.find(marker);
      return definition === undefined ? [marker] : [definition.id, ...(definition.number === null ? [] : [String(definition.number)])];
    });
    return [...new Set(names)];
  }),
];
