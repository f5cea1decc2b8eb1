import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { outagesOf } from '#platform/log/outages.ts';
import { createSmsGateway } from '#platform/sms/sms.ts';
import { noticeRoutes } from './notices.routes.ts';
import { createNoticeService, type Notices } from './notices.service.ts';
import { listWaiting, makeMailDue } from './notices.store.ts';
import type { NoticesParts } from './parts.ts';
import { createProof } from './proof.service.ts';
import { createReport } from './report.service.ts';
import { createSending, sendJob } from './sending.ts';

export { noticePlaceholders, noticeSentences } from './notices.rules.ts';
export type { Notices } from './notices.service.ts';
export { listWaiting as listWaitingNotices, makeMailDue as makeMailedNoticesDue, type NoticesStanding } from './notices.store.ts';

interface Given extends Omit<NoticesParts, 'gateway' | 'clock' | 'log'> {
  readonly running: Pick<NoticesParts, 'clock' | 'log'>;
}

/** Notices that leave the building, by mail and SMS (M3), and what became of them. */
export const createNotices = ({
  running,
  ...given
}: Given): Notices & { readonly routes: readonly Route[]; readonly jobs: JobHandlers } => {
  const { post, settings } = given;
  const gateway = settings.sms === undefined ? undefined : createSmsGateway(settings.sms, outagesOf(running.log).of('sms'));
  const parts: NoticesParts = { ...given, ...running, gateway };
  const sending = createSending(parts);
  given.metrics.observeNotices(() => listWaiting(parts.db, parts.clock.now()));
  post.onBack(() => makeMailDue(parts.db, parts.clock.now()));
  const ways = { mail: post.goesTo !== 'nowhere', sms: gateway !== undefined, isLocal: post.goesTo === 'localOutbox' };
  const notices = createNoticeService({ ...parts, sending, ways });
  return {
    tellOfPublication: (trx, documentIds, at) => notices.tellOfPublication(trx, documentIds, at),
    tellOfWithdrawal: (trx, documentIds) => notices.tellOfWithdrawal(trx, documentIds),
    routes: noticeRoutes({ notices, report: createReport(parts), proof: createProof(parts) }),
    jobs: {
      [sendJob]: sending.run,
      'notices:remind': () => notices.remind(),
      'notices:sweep': () => notices.wakeOverdue(),
    },
  };
};
