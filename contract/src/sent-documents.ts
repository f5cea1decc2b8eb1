import * as z from 'zod/mini';
import { protectedCall, wholeOrPart } from './call.ts';
import { pageSize, pageText, renderResult } from './documents.ts';
import { listLimits, publishingLimits } from './limits.ts';
import {
  calendarDay,
  documentId,
  epochMs,
  limitedText,
  pageNumber,
  patternedText,
  queryText,
  renderQuery,
  renderWidth,
  sortDirection,
} from './values.ts';

/** Documents that clients send to the organisation (H, I). Only their sender and the organisation see them. */

/** Chosen by the organisation, as keys of dictionaries are. */
export const categoryKey = patternedText(/^[A-Z][A-Z0-9_]{0,63}$/, { maxLength: 64 });

export const namedInBoth = z.object({ pl: z.string(), en: z.string() });

export const sentType = z.object({ id: z.string(), name: namedInBoth });

export const categoryType = z.extend(sentType, { deleted: z.boolean() });

/** A deleted category cannot be chosen any more; clients who have sent documents under it still get it, for their filters (H9). */
export const category = z.object({
  id: z.string(),
  name: namedInBoth,
  deleted: z.boolean(),
  createdOn: epochMs,
  types: z.array(categoryType),
});
export type Category = z.output<typeof category>;

export const listCategories = protectedCall({
  name: 'listCategories',
  method: 'POST',
  path: '/api/protected/documents/client/categories',
  summary: 'Categories with their types; deleted ones only where the caller has sent documents of them',
  needsStatute: true,
  keepsSessionAlive: true,
  answer: z.array(category),
});

/** What the installation lets one client send. */
export const getSendingLimits = protectedCall({
  name: 'getSendingLimits',
  method: 'GET',
  path: '/api/protected/documents/client/limits',
  summary: 'How large a file may be, how many may be sent in a session and in a day, and how many the caller may still send',
  needsStatute: true,
  keepsSessionAlive: false,
  answer: z.object({ maxFileBytes: z.int(), filesPerSession: z.int(), filesPerDay: z.int(), leftToday: z.int(), leftInSession: z.int() }),
});

/** SENT, then RECEIVED when the organisation has acknowledged it. */
export const sentStatus = z.enum(['SENT', 'RECEIVED']);

export const sentDocument = z.object({
  id: z.string(),
  filename: z.string(),
  category: sentType,
  type: sentType,
  createdOn: epochMs,
  /** A calendar day of the organisation, or -1: indefinite. */
  retentionDate: z.union([calendarDay, z.literal(-1)]),
  status: sentStatus,
  /** When the organisation acknowledged it. */
  receivedOn: z.nullable(epochMs),
  sha256: z.string(),
});
export type SentDocument = z.output<typeof sentDocument>;

/** `filename`: folders and what no file system takes are cut off rather than refused, `.pdf` is appended if missing. */
export const uploadDescription = z.strictObject({
  filename: limitedText(publishingLimits.maxDescriptionBytes).check(z.minLength(1)),
  categoryId: categoryKey,
  typeId: categoryKey,
});
export type UploadDescription = z.output<typeof uploadDescription>;

/**
 * With the header `Idempotency-Key` (8 to 100 letters, digits, `-` and `_`) the call can be repeated: the same key with the same bytes and
 * description gives the first answer again, with others VALIDATION_ERROR.
 */
export const uploadDocument = protectedCall({
  name: 'uploadDocument',
  method: 'POST',
  path: '/api/protected/documents/client/upload',
  summary: 'Sends one PDF to the organisation: multipart with `file` and `description` (JSON)',
  needsStatute: true,
  keepsSessionAlive: true,
  form: { description: uploadDescription, file: 'file' },
  status: 201,
  answer: sentDocument,
});

const blankable = z._default(z.nullable(queryText), null);

/** I3. Blank text and null are no condition. `createdOnAfter` and `createdOnBefore` are both inclusive. */
export const sentQuery = z.strictObject({
  text: blankable,
  criteria: z._default(
    z.strictObject({
      filename: blankable,
      typeId: blankable,
      categoryId: blankable,
      createdOnAfter: z._default(z.nullable(epochMs), null),
      createdOnBefore: z._default(z.nullable(epochMs), null),
    }),
    { filename: null, typeId: null, categoryId: null, createdOnAfter: null, createdOnBefore: null },
  ),
  sort: z._default(
    z
      .array(
        z.strictObject({
          by: z.literal('createdOn'),
          order: sortDirection,
        }),
      )
      .check(z.maxLength(listLimits.maxSorts)),
    [],
  ),
  page: z._default(z.int().check(z.gte(0), z.lte(listLimits.maxPage)), 0),
  size: z._default(z.int().check(z.gte(1), z.lte(listLimits.maxPageSize)), listLimits.defaultPageSize),
});
export type SentQuery = z.output<typeof sentQuery>;

/** I3. Throws INVALID_DATE_RANGE when `createdOnBefore` is earlier than `createdOnAfter`. */
export const listSentDocuments = protectedCall({
  name: 'listSentDocuments',
  method: 'POST',
  path: '/api/protected/documents/client/list',
  load: 'heavy',
  summary: 'What the caller has sent, by criteria, newest first unless asked otherwise',
  needsStatute: true,
  keepsSessionAlive: true,
  body: sentQuery,
  answer: z.object({ items: z.array(sentDocument), total: z.int() }),
});

export const sentDocumentDetails = z.extend(sentDocument, {
  size: z.int(),
  pageCount: z.int(),
  pageSizes: z.array(pageSize),
});
export type SentDocumentDetails = z.output<typeof sentDocumentDetails>;

const byId = z.object({ id: documentId });

export const getSentDocument = protectedCall({
  name: 'getSentDocument',
  method: 'GET',
  path: '/api/protected/documents/client/details/:id',
  summary: 'One document that the caller has sent',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  answer: sentDocumentDetails,
});

/** Throws DOCUMENT_NOT_FOUND_ERROR for one of another client, STORAGE_ERROR for a corrupted one. */
export const downloadSentDocument = protectedCall({
  name: 'downloadSentDocument',
  method: 'GET',
  path: '/api/protected/documents/client/download/:id',
  ...wholeOrPart,
  summary: 'The very bytes that the caller has sent, or one range of them',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
});

export const getSentRenderResult = protectedCall({
  name: 'getSentRenderResult',
  method: 'GET',
  path: '/api/protected/documents/client/render/queue/result/:id',
  summary: 'Page images of a sent document: asks for them and tells how far they are',
  needsStatute: true,
  keepsSessionAlive: false,
  params: byId,
  query: renderQuery,
  answer: renderResult,
});

export const getSentPageImage = protectedCall({
  name: 'getSentPageImage',
  method: 'GET',
  path: '/api/protected/documents/client/render/page/:id/:page',
  summary: 'One page image of a sent document (PNG or JPEG)',
  needsStatute: true,
  keepsSessionAlive: false,
  params: z.object({ id: documentId, page: pageNumber }),
  query: z.object({ width: renderWidth }),
  answer: 'bytes',
});

export const getSentPageText = protectedCall({
  name: 'getSentPageText',
  method: 'GET',
  path: '/api/protected/documents/client/render/text/:id/:page',
  summary: 'The text of one page of a sent document and where each letter of it lies',
  needsStatute: true,
  keepsSessionAlive: false,
  params: z.object({ id: documentId, page: pageNumber }),
  answer: pageText,
});
