import type { LanguageCode } from '@pergamin/contract';
import type { Webhooks } from '#features/webhooks/webhooks.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Post } from '#platform/mail/mail.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { Settings } from '#platform/settings/settings.ts';
import type { SmsGateway } from '#platform/sms/sms.ts';

/** What the room is made with. */
export interface NoticesParts {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly post: Post;
  readonly webhooks: Pick<Webhooks, 'wants' | 'tell'>;
  readonly gateway: SmsGateway | undefined;
  readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>;
  readonly settings: Pick<Settings, 'publicUrl' | 'timeZone' | 'notices' | 'noticeReminderDays' | 'sms'>;
  readonly metrics: Pick<Metrics, 'countNotice' | 'observeNotices'>;
  readonly clock: Clock;
  readonly log: Log;
}
