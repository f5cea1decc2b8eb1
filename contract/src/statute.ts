import * as z from 'zod/mini';
import { openCall, protectedCall } from './call.ts';
import { markedPage, pageSize, pageText, renderResult } from './documents.ts';
import { documentId, epochMs, pageNumber, renderQuery, renderWidth } from './values.ts';

const byId = z.object({ id: documentId });

/** One version of the terms. `changes` describes in words what is new since the version before. */
export const statuteDetails = z.object({
  id: z.string(),
  version: z.string(),
  effectiveFrom: epochMs,
  changes: z.nullable(z.string()),
  sha256: z.string(),
  size: z.int(),
  pageCount: z.int(),
  pageSizes: z.array(pageSize),
});
export type StatuteDetails = z.output<typeof statuteDetails>;

/** A version that was published ahead, the nearest of them: it may be accepted now, or when it takes effect (C3). */
export const upcomingStatute = z.object({
  id: z.string(),
  version: z.string(),
  effectiveFrom: epochMs,
  changes: z.nullable(z.string()),
  accepted: z.boolean(),
  pagesReached: z.array(z.int()),
});
export type UpcomingStatute = z.output<typeof upcomingStatute>;

/** Null fields: no statute is in force, nothing is blocked (C4). `upcoming`: left out where none was published ahead, or need not be accepted. */
export const statuteInForce = z.object({
  id: z.nullable(z.string()),
  version: z.nullable(z.string()),
  effectiveFrom: z.nullable(epochMs),
  accepted: z.boolean(),
  pagesReached: z.array(z.int()),
  upcoming: z.optional(upcomingStatute),
});
export type StatuteInForce = z.output<typeof statuteInForce>;

export const getStatuteInForce = protectedCall({
  name: 'getStatuteInForce',
  method: 'GET',
  path: '/api/protected/documents/statute/data',
  summary: 'The statute in force and whether the caller accepted it; the next one, when it was published ahead',
  needsStatute: false,
  keepsSessionAlive: true,
  answer: statuteInForce,
});

/**
 * C2, C3, C5. Throws INVALID_STATUS for a version that is neither in force nor upcoming, and unless the caller has marked every page of it: `fields.pages`
 * names what is missing as ranges (`1-3, 7`). Throws RESOURCE_NOT_FOUND for an unknown one.
 */
export const acceptStatute = protectedCall({
  name: 'acceptStatute',
  method: 'POST',
  path: '/api/protected/documents/statute/accepted/:id',
  summary: 'The caller accepts the statute in force, or the upcoming one; kept with time, version and checksum; idempotent',
  needsStatute: false,
  keepsSessionAlive: true,
  params: byId,
  answer: 'nothing',
});

/** C5. Throws as `acceptStatute` does of a version; RESOURCE_NOT_FOUND for a page that the version does not have. `shown` as in `markPage`. */
export const markStatutePage = protectedCall({
  name: 'markStatutePage',
  method: 'POST',
  path: '/api/protected/documents/statute/mark/page/:id/:page',
  summary: 'The caller has reached this page of the statute; idempotent',
  needsStatute: false,
  keepsSessionAlive: true,
  params: z.object({ id: documentId, page: pageNumber }),
  query: markedPage,
  answer: 'nothing',
});

/** C4. Throws RESOURCE_NOT_FOUND for an unknown version. */
export const getStatute = openCall({
  name: 'getStatute',
  method: 'GET',
  path: '/api/open/documents/statute/:id',
  summary: 'One version of the statute; public, so that it can be read before signing in',
  params: byId,
  answer: statuteDetails,
});

export const getStatuteRenderResult = openCall({
  name: 'getStatuteRenderResult',
  method: 'GET',
  path: '/api/open/documents/statute/:id/render',
  summary: 'Page images of the statute',
  params: byId,
  query: renderQuery,
  answer: renderResult,
});

export const getStatutePageImage = openCall({
  name: 'getStatutePageImage',
  method: 'GET',
  path: '/api/open/documents/statute/:id/page/:page',
  summary: 'One page image of the statute',
  params: z.object({ id: documentId, page: pageNumber }),
  query: z.object({ width: renderWidth }),
  answer: 'bytes',
});

export const getStatutePageText = openCall({
  name: 'getStatutePageText',
  method: 'GET',
  path: '/api/open/documents/statute/:id/text/:page',
  summary: 'The text of one page of the statute and where each letter of it lies',
  params: z.object({ id: documentId, page: pageNumber }),
  answer: pageText,
});

/** C4. Throws RESOURCE_NOT_FOUND for an unknown version; broken off before its end when the stored bytes are not those published. */
export const downloadStatute = openCall({
  name: 'downloadStatute',
  method: 'GET',
  path: '/api/open/documents/statute/:id/download',
  load: 'stream',
  summary: 'The statute as the PDF that was published',
  params: byId,
  answer: 'bytes',
});
