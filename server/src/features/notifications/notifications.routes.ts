import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { OwnNotifications } from './notifications.service.ts';

export const notificationRoutes = (notifications: OwnNotifications): readonly Route[] => [
  route(calls.listNotifications, async ({ caller }) => ({ items: await notifications.listUnread(caller) })),
  route(calls.readNotification, async ({ caller, params }) => notifications.markRead(caller, params.id)),
];
