import * as z from 'zod/mini';
import { openCall, protectedCall } from './call.ts';
import { checkResult, documentRow } from './documents.ts';
import { verificationLimits } from './limits.ts';
import { documentId, documentState, epochMs, sha256Hex, storableText } from './values.ts';

/**
 * What a checksum was compared with. `stored`: the bytes that are kept are those that were published. `owner`: the asker is the registered
 * owner, or everybody is. `entry`: the statements in the ledger open and agree with the document in all that was compared. Null where nothing can
 * be said.
 */
export const comparison = z.object({
  stored: z.nullable(z.boolean()),
  owner: z.nullable(z.boolean()),
  entry: z.nullable(z.boolean()),
});
export type Comparison = z.output<typeof comparison>;

/**
 * Compares among public documents, with a session among the caller's own as well, and never among others. Any other checksum is answered
 * DOCUMENT_NOT_EXIST, whether or not another client has such a document. What is not a SHA-256 is refused with INVALID_SHA256.
 * `document`: the newest that was published with this very checksum; null when its owner is another one (CIF_NOT_EQUAL) or there is none.
 * `storedSha256`: what is kept of that document now, when it is something else than what was published; otherwise null. Where the document is not described,
 * nothing is said of its entry either. Throws what `checkDocument` throws.
 */
export const checkChecksum = openCall({
  name: 'checkChecksum',
  method: 'POST',
  path: '/api/open/documents/check/hash',
  load: 'heavy',
  summary: 'Looks for a published document by its SHA-256, reads its stored bytes again and compares them and its owner (G6)',
  session: 'optional',
  body: z.strictObject({ sha256: storableText(verificationLimits.checksumMaxLength) }),
  answer: z.extend(checkResult, {
    compared: z.nullable(comparison),
    document: z.nullable(documentRow),
    storedSha256: z.nullable(sha256Hex),
  }),
});

export const historyEvents = ['PUBLISHED', 'NOTIFIED', 'OPENED', 'DOWNLOADED', 'CLOSED', 'READ', 'STATE_CHANGED'] as const;

/**
 * `before`, `after`: the states around a STATE_CHANGED, null otherwise. Opened, downloaded and read are the caller's own, the first time of each;
 * notified: a notice that was sent to the caller, and did not come back; closed: an earlier release recorded that the reading was closed, while not all
 * pages were reached.
 * `pagesNotShown`: those that the viewer could not show when it was read, left out when there were none. `entry`: where the ledger holds it, null
 * for what it does not hold: that is the portal's own record alone.
 */
export const historyEntry = z.object({
  event: z.enum(historyEvents),
  at: epochMs,
  before: z.nullable(documentState),
  after: z.nullable(documentState),
  pagesNotShown: z.optional(z.array(z.int())),
  entry: z.nullable(z.object({ index: z.int() })),
});
export type HistoryEntry = z.output<typeof historyEntry>;

/** Throws DOCUMENT_NOT_FOUND_ERROR for any document that is not the caller’s to see. */
export const getDocumentHistory = protectedCall({
  name: 'getDocumentHistory',
  method: 'GET',
  path: '/api/protected/documents/history/:id',
  summary: 'What happened to a document of the caller, each with its moment, the oldest first (G3)',
  needsStatute: true,
  keepsSessionAlive: true,
  params: z.object({ id: documentId }),
  answer: z.object({ items: z.array(historyEntry) }),
});
