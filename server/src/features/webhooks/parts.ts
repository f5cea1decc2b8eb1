import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { SendingSettings } from '#platform/settings/sending-settings.ts';

/** What the room is made with. */
export interface WebhooksParts {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly settings: Pick<SendingSettings, 'receivedWebhook'>;
  readonly metrics: Pick<Metrics, 'countWebhook'>;
  readonly clock: Clock;
  readonly log: Log;
}

export type Webhook = NonNullable<SendingSettings['receivedWebhook']>;
