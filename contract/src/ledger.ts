import * as z from 'zod/mini';
import { openCall, protectedCall } from './call.ts';
import { openCallLimits } from './limits.ts';
import { documentId, epochMs, wholeNumber } from './values.ts';

/**
 * Where a document is in the ledger: the entry of its publication, `index` from 0, in the published tree of `size` entries, and how many
 * witnesses have cosigned that tree.
 */
export const ledgerPlace = z.object({ index: z.int(), size: z.int(), cosignedBy: z.int() });
export type LedgerPlace = z.output<typeof ledgerPlace>;

const byId = z.object({ id: documentId });

/**
 * The receipt in the format C2SP tlog-proof, as text. Throws DOCUMENT_NOT_FOUND_ERROR for any document that is not the caller’s to see,
 * NOT_FOUND_BC for one that has no entry yet, or whose entry cannot be opened any more, BC_ERROR when the entry cannot be proved.
 */
export const getReceipt = protectedCall({
  name: 'getReceipt',
  method: 'GET',
  path: '/api/protected/documents/receipt/:id',
  summary: 'The receipt of a document of the caller: what was published, and the proof that the ledger holds it (T2)',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  answer: 'bytes',
});

/** As `getReceipt`, of what the caller has sent. */
export const getSentReceipt = protectedCall({
  name: 'getSentReceipt',
  method: 'GET',
  path: '/api/protected/documents/client/receipt/:id',
  summary: 'The receipt of a document that the caller has sent: what was received, and the proof that the ledger holds it (H7)',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  answer: 'bytes',
});

/** As `getReceipt`, of a public document. */
export const getPublicReceipt = openCall({
  name: 'getPublicReceipt',
  method: 'GET',
  path: '/api/open/documents/receipt/:id',
  perMinute: openCallLimits.receiptsPerMinute,
  summary: 'The receipt of a public document',
  params: byId,
  answer: 'bytes',
});

/**
 * `root` in hexadecimal, `checkpoint` with the cosignatures, `policy` in the format C2SP tlog-policy. `at`: when the checkpoint was published.
 * `witnesses`: those that the installation asks, `cosignedAt` null while one has not cosigned this tree. `isWatched`: it asks any. `isHalted`: nothing is entered now. `timestamp`:
 * the newest one of an outside authority (RFC 3161): `token`, DER in base64, dates the SHA-256 of `note`, the checkpoint of `size` entries.
 * While nothing was ever published, `size` is 0 and every text is empty.
 */
export const getLedger = openCall({
  name: 'getLedger',
  method: 'GET',
  path: '/api/open/ledger',
  summary: 'The ledger as everybody may know it: its key, its latest checkpoint, and who watches it',
  answer: z.object({
    origin: z.string(),
    verifierKey: z.string(),
    size: z.int(),
    root: z.string(),
    checkpoint: z.string(),
    at: epochMs,
    policy: z.string(),
    witnesses: z.array(z.object({ name: z.string(), cosignedAt: z.nullable(epochMs) })),
    isWatched: z.boolean(),
    isHalted: z.boolean(),
    timestamp: z.nullable(z.object({ size: z.int(), at: epochMs, note: z.string(), token: z.string() })),
  }),
});

/**
 * `proof`: hashes in base64 that show that the latest tree continues that of `from` entries (RFC 9162, section 2.1.4). Throws VALIDATION_ERROR
 * for more entries than there are, NOT_FOUND_BC while nothing was ever published.
 */
export const getConsistency = openCall({
  name: 'getConsistency',
  method: 'GET',
  path: '/api/open/ledger/consistency',
  perMinute: openCallLimits.receiptsPerMinute,
  summary: 'The latest checkpoint of the ledger, and the proof that it continues an earlier tree',
  query: z.object({ from: wholeNumber(0, 999_999_999_999_999) }),
  answer: z.object({ size: z.int(), checkpoint: z.string(), proof: z.array(z.string()) }),
});
