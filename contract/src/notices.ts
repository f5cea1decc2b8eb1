import * as z from 'zod/mini';
import { openCall, publisherCall } from './call.ts';
import { noticeLimits, openCallLimits } from './limits.ts';
import { channelId } from './account.ts';
import { checkStatuses } from './documents.ts';
import {
  calendarDay,
  cif,
  documentId,
  documentState,
  epochMs,
  keptText,
  patternedText,
  personalId,
  sha256Hex,
  storableText,
  wholeNumber,
} from './values.ts';

/** Notices by mail and SMS (M3) for the organisation: their states, and which documents are unopened. */

/** `sent`: handed over to the mail server or gateway; only a bounce says that it did not arrive. */
export const noticeState = z.enum(['queued', 'sent', 'failed', 'bounced']);
export type NoticeState = z.output<typeof noticeState>;

/**
 * Why a notice failed. NO_ADDRESS: the client has none that a channel of the portal reaches. REFUSED: the mail server or the gateway will not
 * have it. GIVEN_UP: not taken in any attempt. WITHDRAWN: the document was gone before, or the client was disabled. BOUNCED: taken, and told later that it did not arrive.
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
  /** When it failed or bounced. Null, too, where that was not recorded yet. */
  failedOn: z.nullable(epochMs),
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

/** The first and the last day of publication, where the organisation is. */
const days = { from: z.optional(calendarDay), to: z.optional(calendarDay) };

const asked = {
  ...days,
  kind: z.optional(z.enum(['private', 'statement'])),
  /** Clients with this customer number alone. */
  cif: z.optional(cif),
  /** One document. Throws DOCUMENT_NOT_FOUND_ERROR for the id of none that was published. */
  document: z.optional(documentId),
};

const onlyWhat = { only: z.optional(z.enum(['unread', 'undelivered'])) };

const inOrder = z.refine<{ readonly from?: string | undefined; readonly to?: string | undefined }>(
  ({ from = '', to = '9' }) => from <= to,
  { path: ['to'], error: 'before from' },
);

/** `csv`: a table for spreadsheets. `json`: an object a line (NDJSON). */
const asFile = { format: z._default(z.enum(['csv', 'json']), 'csv') };

export const listUnopened = publisherCall({
  name: 'listUnopened',
  method: 'GET',
  path: '/api/publisher/notices/unread',
  load: 'heavy',
  summary: 'Documents that those they were published to have not opened, and those whose notice was not delivered; oldest first',
  scope: 'notices:read',
  query: z
    .object({
      ...asked,
      ...onlyWhat,
      /** Of the answer before; nothing of it is meant to be understood. */
      cursor: z.optional(patternedText(/^[\w-]+$/, { maxLength: 400 })),
      limit: z._default(wholeNumber(1, noticeLimits.maxItems), noticeLimits.defaultItems),
    })
    .check(inOrder),
  /** `cursor` of the next call; null: there is nothing after this. An answer without items may have more after it. */
  answer: z.object({ items: z.array(unopenedDocument), cursor: z.nullable(z.string()) }),
});

export const exportUnopened = publisherCall({
  name: 'exportUnopened',
  method: 'GET',
  path: '/api/publisher/reports/unread',
  load: 'heavy',
  summary: 'The same whole, as a table for spreadsheets (CSV, UTF-8) or an object a line (NDJSON)',
  scope: 'notices:read',
  query: z.object({ ...asked, ...onlyWhat, ...asFile }).check(inOrder),
  answer: 'bytes',
});

/** A page that the client reached. Null: it could not be shown, or the time was not recorded yet. */
const seenPage = z.object({ page: z.int(), seenOn: z.nullable(epochMs) });

/** One document and one client who may see it, or could; what happened first, and when. A line of `exportDeliveries` as JSON. */
export const deliveryProof = z.object({
  documentId: z.string(),
  uniqueName: z.nullable(z.string()),
  fileName: z.string(),
  kind: z.enum(['private', 'statement']),
  state: documentState,
  sha256: sha256Hex,
  pageCount: z.int(),
  publishedOn: epochMs,
  personalId,
  notice: z.nullable(noticeStatus),
  remindedOn: z.nullable(epochMs),
  openedOn: z.nullable(epochMs),
  pages: z.array(seenPage),
  pagesNotShown: z.array(z.int()),
  /** The whole document, to its end: every page was reached, and the reading was closed. */
  readOn: z.nullable(epochMs),
  /** The reading was closed before its end, as an earlier release recorded it; null otherwise. */
  closedOn: z.nullable(epochMs),
  downloadedOn: z.nullable(epochMs),
  /** By the client; of each outcome the first time. */
  verifications: z.array(z.object({ outcome: z.enum(checkStatuses), on: epochMs })),
});
export type DeliveryProof = z.output<typeof deliveryProof>;

export const exportDeliveries = publisherCall({
  name: 'exportDeliveries',
  method: 'GET',
  path: '/api/publisher/reports/delivery',
  load: 'heavy',
  summary: 'Proof of delivery: of each document and client what happened first and when, oldest publication first, as CSV or NDJSON',
  scope: 'notices:read',
  query: z.object({ ...asked, ...asFile }).check(inOrder),
  answer: 'bytes',
});

export const countNotices = publisherCall({
  name: 'countNotices',
  method: 'GET',
  path: '/api/publisher/notices/counts',
  load: 'heavy',
  summary:
    'How many notices there are in each state, made on these days; `undeliverable`: of the failed ones those whose client has no address',
  scope: 'notices:read',
  query: z.object(days).check(inOrder),
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
