import * as z from 'zod/mini';
import { protectedCall } from './call.ts';
import { documentId, epochMs } from './values.ts';

export const notificationType = z.enum(['publication', 'account_update', 'withdrawal']);
export type NotificationType = z.output<typeof notificationType>;

/** `value`: the document's id; of an account_update the receiver's own personal id. `name`: the document's file name, or nothing. */
export const notification = z.object({
  id: z.string(),
  type: notificationType,
  value: z.string(),
  name: z.string(),
  receiver: z.string(),
  timestamp: epochMs,
  read: z.boolean(),
});
export type Notification = z.output<typeof notification>;

/** Polled in the background: it never keeps a session alive (B19). */
export const listNotifications = protectedCall({
  name: 'listNotifications',
  method: 'GET',
  path: '/api/protected/notifications/list',
  summary: 'What the caller has not seen yet, newest first; no more than the limit',
  needsStatute: true,
  keepsSessionAlive: false,
  answer: z.object({ items: z.array(notification) }),
});

/** M4. Throws RESOURCE_NOT_FOUND for one of another client. */
export const readNotification = protectedCall({
  name: 'readNotification',
  method: 'POST',
  path: '/api/protected/notifications/read/:id',
  summary: 'The caller has seen this one; idempotent',
  needsStatute: true,
  keepsSessionAlive: true,
  params: z.object({ id: documentId }),
  answer: 'nothing',
});
