import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { WebhookLog } from './webhooks.service.ts';

export const webhookRoutes = (webhookLog: Pick<WebhookLog, 'list' | 'retry'>): readonly Route[] => [
  route(calls.listWebhooks, async ({ query: { state, cursor, limit } }) => webhookLog.list({ state, cursor, limit })),
  route(calls.retryWebhooks, async ({ body }) => webhookLog.retry(body)),
];
