import * as z from 'zod/mini';
import { publisherCall } from './call.ts';
import { calendarDay, documentId, documentState, documentType, epochMs, keptText, personalId } from './values.ts';

const byId = z.object({ id: documentId });

/** Why a document is changed, in the organisation's words: kept in its history, and never told to clients. */
const reason = keptText(500);

/** Asks for a removal before the end of the retention; the key needs `documents:remove-early` besides. */
const beforeRetention = z.optional(z.boolean());

/** A document as its publisher keeps it. `changed`: false when it was so before, and its history has nothing new. */
export const keptDocument = z.object({
  id: z.string(),
  state: documentState,
  /** Null: forgotten. */
  sha256: z.nullable(z.string()),
  publishedAt: epochMs,
  /** The last day on which it is kept, in the organisation's time zone; -1: for ever; null: none was set. */
  retentionDate: z.nullable(z.union([z.string(), z.literal(-1)])),
  legalHold: z.boolean(),
  /** When its bytes were removed. */
  removedAt: z.nullable(epochMs),
  /**
   * Until when the store was told to lock its bytes. What is removed or forgotten before stays in the store until then, unreadable where it was encrypted; only then is
   * `removedAt` set. Null: no lock is known of.
   */
  lockedUntil: z.nullable(epochMs),
});
export type KeptDocument = z.output<typeof keptDocument>;

const changedDocument = z.extend(keptDocument, { changed: z.boolean() });

/**
 * R2: ACTIVE becomes CANCELLED or DELETED; CANCELLED and OBSOLETE become DELETED; OBSOLETE becomes ACTIVE again once every later version was taken back
 * (CANCELLED, DELETED, FORGOTTEN). Throws INVALID_STATUS for any other change,
 * DOCUMENT_REMOVE_ERROR under a legal hold, DOCUMENT_RETENTION_ERROR before the retention is over, DOCUMENT_NOT_FOUND_ERROR for an unknown id.
 */
export const changeDocumentState = publisherCall({
  name: 'changeDocumentState',
  method: 'POST',
  path: '/api/publisher/documents/:id/status',
  summary: 'Cancels or deletes a document, or puts it in force again; the state that it has already is no change',
  scope: 'documents:status',
  params: byId,
  body: z.strictObject({ state: documentState, reason, beforeRetention }),
  answer: changedDocument,
});

/** One person who has opened a document, was shown pages of it, took it or verified it; what of it happened first, and when. */
const sighting = z.object({
  personalId,
  openedOn: z.nullable(epochMs),
  pages: z.array(z.int()),
  readOn: z.nullable(epochMs),
  downloadedOn: z.nullable(epochMs),
});
export type Sighting = z.output<typeof sighting>;

/** `withdrawn`: it has left the lists of its recipients. `seenBy` is empty of a public document: who has opened it is not known. */
export const withdrawal = z.object({
  id: documentId,
  uniqueName: z.nullable(z.string()),
  fileName: z.string(),
  type: documentType,
  cif: z.nullable(z.string()),
  cif2: z.nullable(z.string()),
  groupId: z.nullable(z.string()),
  state: documentState,
  withdrawn: z.boolean(),
  seenBy: z.array(sighting),
});
export type Withdrawal = z.output<typeof withdrawal>;

/**
 * Takes back a document that should not have been published: it becomes CANCELLED. When nobody has opened it, it leaves the lists and does not exist for
 * its recipients any more; else they are told that it was cancelled. What it had replaced is in force again. Throws as `changeDocumentState`; with BATCH_SECOND_KEY=required CALL_NOT_PERMITTED
 * for a key without the scope `documents:release`.
 */
export const withdrawDocument = publisherCall({
  name: 'withdrawDocument',
  method: 'POST',
  path: '/api/publisher/documents/:id/withdraw',
  summary: 'Cancels a document; it leaves the lists when nobody has opened it, and the answer names who has; idempotent',
  scope: 'documents:status',
  params: byId,
  body: z.strictObject({ reason }),
  answer: z.extend(withdrawal, { changed: z.boolean() }),
});

/** Throws INVALID_STATUS for a document that is forgotten or whose bytes are removed. */
export const holdDocument = publisherCall({
  name: 'holdDocument',
  method: 'PUT',
  path: '/api/publisher/documents/:id/hold',
  summary: 'Sets or releases the legal hold of a document: while it is held, nothing removes it',
  scope: 'documents:hold',
  params: byId,
  body: z.strictObject({ held: z.boolean(), reason }),
  answer: changedDocument,
});

/** T4. Throws DOCUMENT_RETENTION_ERROR for an earlier day, INVALID_STATUS for a document that is forgotten or whose bytes are removed. */
export const retainDocument = publisherCall({
  name: 'retainDocument',
  method: 'PUT',
  path: '/api/publisher/documents/:id/retention',
  summary: 'Extends the retention of a document to a later day, or for ever (-1)',
  scope: 'documents:retain',
  params: byId,
  body: z.strictObject({ until: z.union([calendarDay, z.literal(-1)]), reason: z.optional(reason) }),
  answer: changedDocument,
});

/**
 * R2: DELETED becomes FORGOTTEN. All that names the document or its owner goes at once, its bytes with the next round of removal; what stays is that
 * there was a document of this id, its history without the reasons of before, and this reason. Throws as `changeDocumentState`, and VALIDATION_ERROR
 * (`fields.reason`) for a reason that names the document or its owner.
 */
export const forgetDocument = publisherCall({
  name: 'forgetDocument',
  method: 'POST',
  path: '/api/publisher/documents/:id/forget',
  summary: 'Forgets a deleted document; cannot be undone',
  scope: 'documents:forget',
  params: byId,
  body: z.strictObject({ reason, beforeRetention }),
  answer: changedDocument,
});

export const lifeEvents = ['PUBLISHED', 'STATE_CHANGED', 'HELD', 'RELEASED', 'RETENTION_EXTENDED', 'REMOVED', 'WITHDRAWN'] as const;

/**
 * `before`, `after`: the states around a STATE_CHANGED, the days around a RETENTION_EXTENDED, null otherwise. `keyId` and `keyName`: the key that
 * did it; both null where no key did, as of a removal.
 */
export const lifeEntry = z.object({
  event: z.enum(lifeEvents),
  at: epochMs,
  before: z.nullable(z.union([z.string(), z.literal(-1)])),
  after: z.nullable(z.union([z.string(), z.literal(-1)])),
  keyId: z.nullable(z.string()),
  keyName: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});
export type LifeEntry = z.output<typeof lifeEntry>;

/** Throws DOCUMENT_NOT_FOUND_ERROR for an unknown id. */
export const getDocumentLife = publisherCall({
  name: 'getDocumentLife',
  method: 'GET',
  path: '/api/publisher/documents/:id/history',
  summary: 'A document as it is kept, and every change since its publication with who and why, the oldest first',
  scope: 'documents:read',
  params: byId,
  answer: z.object({ document: keptDocument, items: z.array(lifeEntry) }),
});
