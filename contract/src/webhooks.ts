import * as z from 'zod/mini';
import { channelId } from './account.ts';
import { publisherCall } from './call.ts';
import { webhookLimits } from './limits.ts';
import { noticeReason } from './notices.ts';
import { documentId, epochMs, patternedText, personalId, wholeNumber } from './values.ts';

/** What the organisation's system is told by the webhook, and the log of it. */

const event = { id: z.string(), createdOn: epochMs };
const publishedDocument = z.object({ id: z.string(), uniqueName: z.nullable(z.string()) });

/** A client sent a document. Without personal data: the receiver reads more with its key. */
export const receivedEvent = z.object({
  ...event,
  type: z.literal('document.received'),
  document: z.object({ id: z.string(), sha256: z.string(), size: z.int(), categoryId: z.string(), typeId: z.string() }),
});

/** A client read a document to its end for the first time. Readings of public documents are not sent. */
export const readEvent = z.object({ ...event, type: z.literal('document.read'), document: publishedDocument, personalId });

/** A mail or an SMS did not reach a client, and is not sent again. */
export const noticeFailedEvent = z.object({
  ...event,
  type: z.literal('notice.failed'),
  notice: z.object({
    id: z.string(),
    kind: z.enum(['publication', 'reminder', 'withdrawal']),
    channel: z.nullable(channelId),
    reason: noticeReason,
  }),
  document: publishedDocument,
  personalId,
});

/** Every document of a batch is published. */
export const batchFinishedEvent = z.object({
  ...event,
  type: z.literal('batch.finished'),
  batch: z.object({ id: z.string(), name: z.string(), documents: z.int(), publishedAt: epochMs }),
});

/** The body of what is posted to RECEIVED_WEBHOOK_URL. */
export const webhookEvent = z.discriminatedUnion('type', [receivedEvent, readEvent, noticeFailedEvent, batchFinishedEvent]);
export type WebhookEvent = z.output<typeof webhookEvent>;
export type WebhookType = WebhookEvent['type'];

export const webhookTypes = ['document.received', 'document.read', 'notice.failed', 'batch.finished'] as const satisfies WebhookType[];

/** `queued` waits for its first or next attempt; `failed` was given up. */
export const webhookState = z.enum(['queued', 'delivered', 'failed']);
export type WebhookState = z.output<typeof webhookState>;

/** An event in the log: when it was posted, and what was answered. */
export const webhookDelivery = z.object({
  id: z.string(),
  type: z.string(),
  /** Null where the event is of no document. */
  documentId: z.nullable(z.string()),
  createdOn: epochMs,
  state: webhookState,
  attempts: z.int(),
  /** The status of the last answer; null: there was none. */
  lastStatus: z.nullable(z.int()),
  lastError: z.nullable(z.string()),
  lastAttemptOn: z.nullable(epochMs),
  /** Null unless it is queued. */
  nextAttemptOn: z.nullable(epochMs),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

export const listWebhooks = publisherCall({
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/publisher/webhooks',
  summary: 'The log of the webhook: events in one state, the newest first, with their attempts and the last answer',
  scope: 'webhooks:read',
  query: z.object({
    state: z._default(webhookState, 'failed'),
    /** Of the answer before; nothing of it is meant to be understood. */
    cursor: z.optional(patternedText(/^[\w-]+$/, { maxLength: 200 })),
    limit: z._default(wholeNumber(1, webhookLimits.maxItems), webhookLimits.defaultItems),
  }),
  /** `cursor` of the next call; null: there is nothing after this. */
  answer: z.object({ items: z.array(webhookDelivery), cursor: z.nullable(z.string()) }),
});

export const retryWebhooks = publisherCall({
  name: 'retryWebhooks',
  method: 'POST',
  path: '/api/publisher/webhooks/retry',
  summary:
    'Posts events that were given up once more, and at once those that wait for their next attempt; without ids all that were given up',
  scope: 'webhooks:retry',
  body: z.strictObject({ ids: z.optional(z.array(documentId).check(z.minLength(1), z.maxLength(webhookLimits.maxItems))) }),
  /** `more`: there are further ones, for another call. */
  answer: z.object({ retried: z.int(), more: z.boolean() }),
});
