import * as z from 'zod/mini';
import { openCall, publisherCall } from './call.ts';
import { noticeLimits, openCallLimits } from './limits.ts';
import { channelId } from './account.ts';
import { calendarDay, documentState, epochMs, keptText, patternedText, personalId, storableText, wholeNumber } from './values.ts';

/** Notices by mail and SMS (M3) for the organisation: their states, and which documents are unopened. */

/** `sent`: handed over to the mail server or gateway; only a bounce says that it did not arrive. */
export const noticeState = z.enum(['queued', 'sent', 'failed', 'bounced']);
export type NoticeState = z.output<typeof noticeState>;

/**
 * Why a notice failed. NO_ADDRESS: the client has none that a channel of the portal reaches. REFUSED: the mail server or the gateway will not
 * have it. GIVEN_UP: not taken in any attempt. WITHDRAWN: the document was gone before. BOUNCED: taken, and told later that it did not arrive.
 */
export const noticeReason = z.enum(['NO_ADDRESS', 'REFUSED', 'GIVEN_UP', 'WITHDRAWN', 'BOUNCED']);
export type NoticeReason = z.output<typeof noticeReason>;

export const noticeStatus = z.object({
  id: z.string(),
  state: noticeState,
  reason: z.nullable(noticeReason),
  /** Null: there was none to reach the client by. */
  channel: z.nullable(channelId),
  /** How often it was taken up, and how often it was handed over or may have been. */
  attempts: z.int(),
  sends: z.int(),
  sentOn: z.nullable(epochMs),
  lastError: z.nullable(z.string()),
});
export type NoticeStatus = z.output<typeof noticeStatus>;

/** One document and one of its recipients. */
export const unopenedDocument = z.object({
  documentId: z.string(),
  uniqueName: z.nullable(z.string()),
  fileName: z.string(),
  state: documentState,
  publishedOn: epochMs,
  personalId,
  /** Neither read nor downloaded by this person. */
  unread: z.boolean(),
  /** The notice failed or bounced. */
  undelivered: z.boolean(),
  /** Null: notices were off when it was published. */
  notice: z.nullable(noticeStatus),
  remindedOn: z.nullable(epochMs),
});
export type UnopenedDocument = z.output<typeof unopenedDocument>;

const asked = {
  /** A day of the organisation: what was published before it is left out. */
  since: z.optional(calendarDay),
  only: z.optional(z.enum(['unread', 'undelivered'])),
};

export const listUnopened = publisherCall({
  name: 'listUnopened',
  method: 'GET',
  path: '/api/publisher/notices/unread',
  load: 'heavy',
  summary: 'Documents that those they were published to have not opened, and those whose notice was not delivered; oldest first',
  scope: 'notices:read',
  query: z.object({
    ...asked,
    /** Of the answer before; nothing of it is meant to be understood. */
    cursor: z.optional(patternedText(/^[\w-]+$/, { maxLength: 400 })),
    limit: z._default(wholeNumber(1, noticeLimits.maxItems), noticeLimits.defaultItems),
  }),
  /** `cursor` of the next call; null: there is nothing after this. An answer without items may have more after it. */
  answer: z.object({ items: z.array(unopenedDocument), cursor: z.nullable(z.string()) }),
});

export const exportUnopened = publisherCall({
  name: 'exportUnopened',
  method: 'GET',
  path: '/api/publisher/notices/unread.csv',
  load: 'heavy',
  summary: 'The same as a table for spreadsheets (CSV, UTF-8), whole',
  scope: 'notices:read',
  query: z.object(asked),
  answer: 'bytes',
});

export const countNotices = publisherCall({
  name: 'countNotices',
  method: 'GET',
  path: '/api/publisher/notices/counts',
  load: 'heavy',
  summary: 'How many notices there are in each state, since a day; `undeliverable`: of the failed ones those whose client has no address',
  scope: 'notices:read',
  query: z.object({ since: asked.since }),
  answer: z.object({
    queued: z.int(),
    sent: z.int(),
    failed: z.int(),
    bounced: z.int(),
    undeliverable: z.int(),
    reminders: z.int(),
  }),
});

/** Throws RESOURCE_NOT_FOUND for an id of no notice. */
export const reportBounce = publisherCall({
  name: 'reportBounce',
  method: 'POST',
  path: '/api/publisher/notices/bounced',
  summary:
    'A notice did not arrive: reported by the SMS gateway, or by the program that reads bounced mail. Idempotent, the first time is kept',
  scope: 'notices:bounce',
  body: z.strictObject({
    /** The notice’s own id (the gateway’s `reference`), the gateway’s id of the message, or the Message-ID of the mail. */
    id: keptText(300),
    reason: z.optional(keptText(300)),
  }),
  answer: 'nothing',
});

/**
 * The gateway's delivery report of an SMS, as JSON or as a form, in the gateway's own fields: the settings SMS_REPORT_… name those of the id and
 * the status. Authenticated by the secret in the address. The answer is the same for every report, so that ids cannot be probed.
 */
export const reportDelivery = openCall({
  name: 'reportDelivery',
  method: 'POST',
  path: '/api/open/notices/delivery/:token',
  perMinute: openCallLimits.smsReportsPerMinute,
  summary: 'The delivery report of an SMS, in the gateway’s own fields; answered with OK, whether or not a notice has its id',
  params: z.object({ token: storableText(200) }),
  answer: 'bytes',
});
