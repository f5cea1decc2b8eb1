import type { Route } from '#platform/http/route.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { createDelivering, deliverJob } from './delivering.ts';
import type { WebhooksParts } from './parts.ts';
import { createWaking } from './waking.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { createTelling, createWebhookLog, type Webhooks } from './webhooks.service.ts';

export type { Webhooks } from './webhooks.service.ts';

interface Given extends Omit<WebhooksParts, 'clock' | 'log'> {
  readonly running: Pick<WebhooksParts, 'clock' | 'log'>;
}

/** What the organisation's own system is told of, and the log of it. */
export const createWebhooks = ({
  running,
  ...given
}: Given): Webhooks & { readonly routes: readonly Route[]; readonly jobs: JobHandlers } => {
  const parts = { ...given, ...running };
  const delivering = createDelivering(parts);
  const webhookLog = createWebhookLog(parts, delivering);
  return {
    ...createTelling(parts, { wakeSoon: createWaking({ delivering, log: parts.log }) }),
    routes: webhookRoutes(webhookLog),
    jobs: { [deliverJob]: delivering.run, 'webhooks:sweep': () => webhookLog.sweep() },
  };
};
