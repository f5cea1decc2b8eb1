import * as z from 'zod/mini';
import { openCall, protectedCall } from './call.ts';
import { openCallLimits } from './limits.ts';
import { documentId, epochMs } from './values.ts';

const byId = z.object({ id: documentId });

/**
 * What keeps the stored bytes of one document from being removed, as the store answered `askedAt`. `compliance`: nobody can remove them before `until`; `governance`:
 * only with a special right. Null: the store does not lock them.
 */
const documentLock = z.object({
  lock: z.nullable(z.object({ mode: z.enum(['compliance', 'governance']), until: epochMs })),
  askedAt: epochMs,
});
export type DocumentLock = z.output<typeof documentLock>;

/**
 * Of a public document, with a session of the caller's own as well. Throws DOCUMENT_NOT_FOUND_ERROR for any other, STORAGE_ERROR when the store gives no answer or has
 * no such bytes.
 */
export const getDocumentLock = openCall({
  name: 'getDocumentLock',
  method: 'GET',
  path: '/api/open/documents/lock/:id',
  perMinute: openCallLimits.receiptsPerMinute,
  session: 'optional',
  summary: 'Until when the store locks the bytes of a document, asked of the store now (T4)',
  params: byId,
  answer: documentLock,
});

/** As `getDocumentLock`, of what the caller has sent. */
export const getSentLock = protectedCall({
  name: 'getSentLock',
  method: 'GET',
  path: '/api/protected/documents/client/lock/:id',
  summary: 'Until when the store locks the bytes of a document that the caller has sent, asked of the store now (T4)',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  answer: documentLock,
});
