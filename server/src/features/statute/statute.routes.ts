import { calls } from '@pergamin/contract';
import type { ShownPages } from '#features/rendering/rendering.door.ts';
import { pdfAttachment } from '#platform/http/attachment.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { Acceptances } from './acceptances.service.ts';
import type { StatuteTexts } from './texts.service.ts';

interface Parts {
  readonly acceptances: Acceptances;
  readonly texts: StatuteTexts;
  readonly pages: ShownPages;
}

export const statuteRoutes = ({ acceptances, texts, pages }: Parts): readonly Route[] => [
  route(calls.getStatuteInForce, async ({ caller }) => acceptances.getInForce(caller)),
  route(calls.acceptStatute, async ({ caller, params }) => acceptances.accept(caller, params.id)),
  route(calls.markStatutePage, async ({ caller, params, query: { shown } }) =>
    acceptances.markPage(caller, { ...params, isShown: shown !== 'false' }),
  ),
  route(calls.getStatute, async ({ params }) => texts.get(params.id)),
  route(calls.getStatuteRenderResult, async ({ params, query }) => pages.result(await texts.getShown(params.id), query)),
  route(calls.getStatutePageImage, async ({ params: { id, page }, query: { width } }) =>
    pages.image(await texts.getShown(id), { width, page }),
  ),
  route(calls.getStatutePageText, async ({ params: { id, page } }) => pages.text(await texts.getShown(id), page)),
  route(calls.downloadStatute, async ({ params: { id } }) => pdfAttachment(id, await texts.download(id))),
];
