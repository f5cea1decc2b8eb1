import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { NoticeService } from './notices.service.ts';
import type { Proof } from './proof.service.ts';
import type { Report } from './report.service.ts';

interface Parts {
  readonly notices: Pick<NoticeService, 'reportBounce' | 'takeReport'>;
  readonly report: Report;
  readonly proof: Proof;
}

export const noticeRoutes = ({ notices, report, proof }: Parts): readonly Route[] => [
  route(calls.listUnopened, async ({ query }) => report.list(query)),

  route(calls.exportUnopened, async ({ query }) => report.file(query)),

  route(calls.exportDeliveries, async ({ query }) => proof.file(query)),

  route(calls.countNotices, async ({ query }) => report.count(query)),

  route(calls.reportBounce, async ({ body: { id, reason } }) => notices.reportBounce({ id, reason })),

  route(
    calls.reportDelivery,
    async ({ params: { token }, request }) => {
      await notices.takeReport(token, request.body);
      // Some gateways go on until they read this word.
      return { body: Buffer.from('OK'), contentType: 'text/plain; charset=utf-8' };
    },
    { isReport: true },
  ),
];
