import { calls } from '@pergamin/contract';
import { attachmentHeaders, pdfFileName } from '#platform/http/attachment.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Statutes } from './statute.service.ts';

export const statuteRoutes = (statutes: Statutes): readonly Route[] => [
  route(calls.getStatuteInForce, async ({ caller }) => statutes.getInForce(caller)),
  route(calls.acceptStatute, async ({ caller, params }) => statutes.accept(caller, params.id)),
  route(calls.markStatutePage, async ({ caller, params }) => statutes.markPage(caller, params)),
  route(calls.getStatute, async ({ params }) => statutes.get(params.id)),
  route(calls.getStatuteRenderResult, async ({ params, query }) => statutes.render({ id: params.id, ...query })),

  route(calls.getStatutePageImage, async ({ params, query }) => {
    const { bytes, type } = await statutes.openPage({ ...params, width: query.width });
    return { body: bytes, contentType: type };
  }),

  route(calls.getStatutePageText, async ({ params }) => statutes.getPageText(params)),

  route(calls.downloadStatute, async ({ params: { id } }) => {
    const { fileName, size, body } = await statutes.download(id);
    return { body, contentType: 'application/pdf', headers: attachmentHeaders({ fileName: pdfFileName(fileName, id), size }) };
  }),
];
