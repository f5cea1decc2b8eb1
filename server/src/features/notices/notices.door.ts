import type { LanguageCode } from '@pergamin/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Route } from '#platform/http/route.ts';
import type { JobHandlers, Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Post } from '#platform/mail/mail.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { createSmsGateway } from '#platform/sms/sms.ts';
import { noticeRoutes } from './notices.routes.ts';
import { createNoticeService, type Notices } from './notices.service.ts';
import { createReport } from './report.service.ts';
import { createSending, sendJob } from './sending.ts';

export { noticePlaceholders, noticeSentences } from './notices.rules.ts';
export type { Notices } from './notices.service.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly jobs: Jobs;
  readonly post: Post;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly settings: Pick<Settings, 'publicUrl' | 'timeZone' | 'notices' | 'noticeReminderDays' | 'sms'>;
  readonly running: { readonly clock: Clock; readonly log: Log };
}

/** Notices that leave the building, by mail and SMS (M3), and what became of them. */
export const createNotices = ({
  db,
  jobs,
  post,
  sentences,
  settings,
  running,
}: Parts): Notices & { readonly routes: readonly Route[]; readonly jobs: JobHandlers } => {
  const gateway = settings.sms === undefined ? undefined : createSmsGateway(settings.sms);
  const sending = createSending({ db, jobs, post, gateway, words: { sentences, publicUrl: settings.publicUrl }, running });
  const ways = { mail: post.goesTo !== 'nowhere', sms: gateway !== undefined, isLocal: post.goesTo === 'localOutbox' };
  const notices = createNoticeService({ db, sending, ways, settings, ...running });
  return {
    tellOfPublication: (trx: Transaction<Database>, documentIds, at) => notices.tellOfPublication(trx, documentIds, at),
    routes: noticeRoutes({ notices, report: createReport({ db, settings, clock: running.clock }) }),
    jobs: {
      [sendJob]: sending.run,
      'notices:remind': () => notices.remind(),
      'notices:sweep': () => notices.wakeOverdue(),
    },
  };
};
