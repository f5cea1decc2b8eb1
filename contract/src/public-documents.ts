import * as z from 'zod/mini';
import { openCall, wholeOrPart } from './call.ts';
import { checkResult, documentDetails, documentQuery, documentRow } from './documents.ts';
import { openCallLimits } from './limits.ts';
import { documentId } from './values.ts';

/** Documents for everybody, without a session, so without marks: `read` and `downloaded` are null, no page is reached. */

export const listPublicDocuments = openCall({
  name: 'listPublicDocuments',
  method: 'POST',
  path: '/api/open/documents/list',
  perMinute: openCallLimits.listsPerMinute,
  load: 'heavy',
  summary: 'Public documents by criteria, sorted and paged; never others, for any criteria',
  body: documentQuery,
  answer: z.object({ items: z.array(documentRow), total: z.int() }),
});

const byId = z.object({ id: documentId });

/** Throws DOCUMENT_NOT_FOUND_ERROR for anything but a published public document. */
export const getPublicDocument = openCall({
  name: 'getPublicDocument',
  method: 'GET',
  path: '/api/open/documents/details/:id',
  perMinute: openCallLimits.listsPerMinute,
  summary: 'One public document',
  params: byId,
  answer: documentDetails,
});

export const downloadPublicDocument = openCall({
  name: 'downloadPublicDocument',
  method: 'GET',
  path: '/api/open/documents/download/:id',
  perMinute: openCallLimits.downloadsPerMinute,
  ...wholeOrPart,
  also: { ...wholeOrPart.also, 304: 'nothing' },
  summary:
    'The very bytes that were published, or one range of them (206, 416). The entity tag is their SHA-256: caches may keep them, and ask each time whether they are still to be shown (304)',
  params: byId,
  // Pages of others link to it, and add words of their own.
  query: z.looseObject({}),
});

/** Throws CALL_NOT_PERMITTED with Retry-After beyond `checksPerMinute` of a network, and what `checkDocument` throws. */
export const checkPublicDocument = openCall({
  name: 'checkPublicDocument',
  method: 'GET',
  path: '/api/open/documents/check/:id',
  load: 'heavy',
  summary: 'Reads the stored bytes of a public document again, hashes them and compares them with the publication (G6)',
  params: byId,
  answer: checkResult,
});
