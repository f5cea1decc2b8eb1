import { calls } from '@pergamin/contract';
import { attachmentHeaders } from '#platform/http/attachment.ts';
import { route, type Route } from '#platform/http/route.ts';
import type { NoticeService } from './notices.service.ts';
import type { Report } from './report.service.ts';

interface Parts {
  readonly notices: Pick<NoticeService, 'reportBounce' | 'takeReport'>;
  readonly report: Report;
}

export const noticeRoutes = ({ notices, report }: Parts): readonly Route[] => [
  route(calls.listUnopened, async ({ query: { since, only, cursor, limit } }) => report.list({ since, only, cursor, limit })),

  route(calls.exportUnopened, async ({ query: { since, only } }) => {
    const { fileName, body } = report.csv({ since, only });
    return { body, contentType: 'text/csv; charset=utf-8', headers: attachmentHeaders({ fileName }) };
  }),

  route(calls.countNotices, async ({ query: { since } }) => report.count({ since })),

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
