import * as z from 'zod/mini';
import { protectedCall, wholeOrPart } from './call.ts';
import { ledgerPlace } from './ledger.ts';
import { listLimits } from './limits.ts';
import { givenValue, metadataId, metadataMap, metadataValue } from './metadata.ts';
import { documentSeal } from './seals.ts';
import {
  documentId,
  documentState,
  epochMs,
  filePurpose,
  openingQuery,
  pageNumber,
  queryText,
  renderQuery,
  renderWidth,
  sortDirection,
} from './values.ts';

/** A document as a list row shows it. `read` and `downloaded` are the caller's own marks, first time kept. */
export const documentRow = z.object({
  id: z.string(),
  state: documentState,
  metadata: metadataMap,
  corrupted: z.boolean(),
  deleted: z.boolean(),
  published: z.boolean(),
  read: z.nullable(epochMs),
  downloaded: z.nullable(epochMs),
});
export type DocumentRow = z.output<typeof documentRow>;

/** In points (1/72 inch), after the page’s own rotation; 0 × 0 for a page that cannot be drawn. */
export const pageSize = z.object({ width: z.number(), height: z.number() });

/**
 * What the viewer needs besides the row: sizes in points after rotation, and the pages this client has reached already (F11). `successor`: the
 * document that replaced this one, `predecessor`: the one that it replaced; each only where the caller may see it (D19).
 */
export const documentDetails = z.extend(documentRow, {
  pageCount: z.int(),
  pageSizes: z.array(pageSize),
  pagesReached: z.array(z.int()),
  predecessor: z.optional(z.string()),
  successor: z.optional(z.string()),
  /** Left out: the document has none, or the organisation verifies none in documents of its class. */
  seal: z.optional(documentSeal),
});
export type DocumentDetails = z.output<typeof documentDetails>;

/** GQ and LQ are ≥ and ≤. NOT_EQUALS is true for a document that does not carry the key (D17). */
export const operators = ['EQUALS', 'NOT_EQUALS', 'LIKE', 'GQ', 'LQ'] as const;
export type Operator = (typeof operators)[number];

/** The value of a LIKE is a literal between `%` and `%`, with `\`, `%` and `_` escaped by a backslash; without the pair it is exact (D6). */
export const criterion = z.strictObject({ id: metadataId, operator: z.enum(operators), value: givenValue(listLimits.valueMaxLength) });
export type Criterion = z.output<typeof criterion>;

export const sortOrder = z.object({
  by: metadataId,
  order: sortDirection,
});

/**
 * The search query of both specifications. Page is 0-based; ties are broken by document id, so paging is stable (P4). `unread`: only what the
 * caller has neither read nor downloaded (D4).
 */
export const documentQuery = z.strictObject({
  text: z._default(z.nullable(queryText), null),
  criteria: z._default(
    z.strictObject({
      metadata: z._default(z.array(criterion).check(z.maxLength(listLimits.maxCriteria)), []),
      period: z._default(z.nullable(z.strictObject({ start: z.nullable(epochMs), end: z.nullable(epochMs) })), null),
      unread: z.optional(z.boolean()),
    }),
    { metadata: [], period: null },
  ),
  sort: z._default(z.array(sortOrder).check(z.maxLength(listLimits.maxSorts)), []),
  page: z._default(z.int().check(z.gte(0), z.lte(listLimits.maxPage)), 0),
  size: z._default(z.int().check(z.gte(1), z.lte(listLimits.maxPageSize)), listLimits.defaultPageSize),
});
export type DocumentQuery = z.output<typeof documentQuery>;

/** Received documents and statements; the criteria say which of the two (D5). */
export const listOwnDocuments = protectedCall({
  name: 'listOwnDocuments',
  method: 'POST',
  path: '/api/protected/documents/list/data',
  load: 'heavy',
  summary: 'Documents delivered to the caller, by criteria, sorted and paged',
  needsStatute: true,
  keepsSessionAlive: true,
  body: documentQuery,
  answer: z.object({ items: z.array(documentRow), total: z.int() }),
});

/** A query as the list takes it, and the key whose values are listed; sort, page and size are not used. */
export const listOwnValues = protectedCall({
  name: 'listOwnValues',
  method: 'POST',
  path: '/api/protected/documents/view/values',
  load: 'heavy',
  summary: 'The different values that documents of the caller have for one key, in the order of the Polish alphabet or of their size',
  needsStatute: true,
  keepsSessionAlive: true,
  body: z.extend(documentQuery, { key: metadataId }),
  /** `more`: there are others beyond the limit. */
  answer: z.object({ items: z.array(metadataValue), more: z.boolean() }),
});

/** A piece of a page around what was found. */
export const textFragment = z.array(z.object({ text: z.string(), match: z.boolean() }));

/**
 * Every word must begin a word of the text; case and accents do not matter. The newest document first, each once, with the page that has most
 * of the words. The text of a document is read after its publication, within a minute or two: until then it is not found by what it says.
 */
export const searchOwnDocuments = protectedCall({
  name: 'searchOwnDocuments',
  method: 'POST',
  path: '/api/protected/documents/search',
  load: 'heavy',
  summary: 'Documents of the caller by the words on their pages',
  needsStatute: true,
  keepsSessionAlive: true,
  body: z.strictObject({
    text: queryText.check(z.minLength(1)),
    page: z._default(z.int().check(z.gte(0), z.lte(listLimits.maxPage)), 0),
    size: z._default(z.int().check(z.gte(1), z.lte(listLimits.maxPageSize)), listLimits.defaultPageSize),
  }),
  answer: z.object({
    items: z.array(z.object({ document: documentRow, page: z.int(), fragment: textFragment })),
    total: z.int(),
  }),
});

const byId = z.object({ id: documentId });

/** Throws DOCUMENT_NOT_FOUND_ERROR for any document that is not the caller’s to see, for every reason alike (B11). */
export const getDocument = protectedCall({
  name: 'getDocument',
  method: 'GET',
  path: '/api/protected/documents/data/:id',
  summary: 'One document of the caller',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  answer: documentDetails,
});

/** Left out: the page was shown. */
export const markedPage = z.object({ shown: z.optional(z.enum(['true', 'false'])) });

/** A page that cannot be shown, with the url of its image where another attempt may succeed. */
const failedPage = z.object({ page: z.int(), url: z.optional(z.string()) });

/**
 * `sources` holds the page images that are ready, in page order, and `failed` (left out: none) the pages that cannot be shown; `done` when each
 * page is one of both. Urls are fetched with the authorization header (F10).
 */
export const renderResult = z.object({
  done: z.boolean(),
  progress: z.int().check(z.gte(0), z.lte(100)),
  sources: z.array(z.object({ page: z.int(), url: z.string() })),
  failed: z.optional(z.array(failedPage)),
});
export type RenderResult = z.output<typeof renderResult>;

/**
 * F2. The first answer waits up to `firstAnswerWaitMs` for the viewed page; asking again draws what is missing. Throws STORAGE_ERROR when a
 * store failed, INTERNAL_SERVER_ERROR when no page at all can be shown.
 */
export const getRenderResult = protectedCall({
  name: 'getRenderResult',
  method: 'GET',
  path: '/api/protected/documents/render/queue/result/:id',
  summary: 'Page images of a document: asks for them and tells how far they are',
  needsStatute: true,
  keepsSessionAlive: false,
  params: byId,
  query: renderQuery,
  answer: renderResult,
});

/** Throws RESOURCE_NOT_FOUND for a page that the document does not have or that cannot be drawn. Private: no cache keeps it (F10). */
export const getPageImage = protectedCall({
  name: 'getPageImage',
  method: 'GET',
  path: '/api/protected/documents/render/page/:id/:page',
  summary: 'One page image (PNG or JPEG)',
  needsStatute: true,
  keepsSessionAlive: false,
  params: z.object({ id: documentId, page: pageNumber }),
  query: z.object({ width: renderWidth }),
  answer: 'bytes',
});

/** Letters in a row that no gap divides. `ends`: where each UTF-16 unit of the text ends, in points from the beginning of the line. */
const textRun = z.object({ at: z.number(), text: z.string(), ends: z.array(z.number()) });

/**
 * A line of text: its top left corner in points from that of the page, turned by `angle` degrees clockwise around this corner. `heading`: its
 * level, where the document says so. `language`: where it differs from that of the page. A soft hyphen at the end marks a broken word.
 * `rightToLeft`: it begins at its right edge.
 */
const textLine = z.object({
  x: z.number(),
  y: z.number(),
  height: z.number(),
  angle: z.number(),
  heading: z.optional(z.int()),
  language: z.optional(z.string()),
  rightToLeft: z.optional(z.boolean()),
  runs: z.array(textRun),
});
export type TextLine = z.output<typeof textLine>;

/** The alternative text of a picture, and its position in points; read before the line of this index. */
const textFigure = z.object({
  before: z.int(),
  text: z.string(),
  language: z.optional(z.string()),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});
export type TextFigure = z.output<typeof textFigure>;

/** The text of a page, line by line in reading order; `language` as the document itself names it. A scanned page has no lines. */
export const pageText = z.object({
  language: z.nullable(z.string()),
  lines: z.array(textLine),
  figures: z.optional(z.array(textFigure)),
});
export type PageText = z.output<typeof pageText>;

/** Throws RESOURCE_NOT_FOUND for a page that the document does not have. */
export const getPageText = protectedCall({
  name: 'getPageText',
  method: 'GET',
  path: '/api/protected/documents/render/text/:id/:page',
  summary: 'The text of one page and where each letter of it lies',
  needsStatute: true,
  keepsSessionAlive: false,
  params: z.object({ id: documentId, page: pageNumber }),
  answer: pageText,
});

/**
 * The bytes are hashed on the way. Throws STORAGE_ERROR for a corrupted document; one that is found corrupted on the way is broken off before
 * its end (D18).
 */
export const downloadDocument = protectedCall({
  name: 'downloadDocument',
  method: 'GET',
  path: '/api/protected/documents/download/:id',
  ...wholeOrPart,
  summary:
    'The very bytes that were published, or one range of them; a completed download sets the downloaded mark (D10), a showing and HEAD do not',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  query: z.object({ purpose: z.optional(filePurpose) }),
});

/** G1: SHA is the checksum of the stored bytes, CIF the owner; NOK: neither could be confirmed. */
export const checkStatuses = ['SHA_CIF_OK', 'CIF_NOT_EQUAL', 'SHA_NOT_EQUAL', 'SHA_CIF_NOK', 'DOCUMENT_NOT_EXIST'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/**
 * What of a document is not as the register of publications and the ledger say, besides its bytes and its owner. METADATA: its name, version, another
 * value, or what was said of retention and moment when it was published. TIME: when it was published. RECIPIENTS: to whom it is delivered, and in which list.
 */
export const checkedParts = ['TIME', 'METADATA', 'TYPE', 'SIZE', 'STATE', 'RETENTION', 'RECIPIENTS'] as const;
export type CheckedPart = (typeof checkedParts)[number];

/**
 * The publication's entry in the ledger. WAITING: it is not covered by a published checkpoint yet. MISSING: it has none although it is published.
 * UNPROVED: it is there, and cannot be proved now.
 */
export const entryStates = ['PROVED', 'WAITING', 'MISSING', 'UNPROVED'] as const;
export type EntryState = (typeof entryStates)[number];

/**
 * What a check answers of a document. `checkedAt`: when the stored bytes were last read again; null when there was nothing to read. `ledger`: where
 * the publication is registered; null while it is not proved. `entry`: null of a document that is not there. `differences`: with any of them the status is
 * not SHA_CIF_OK. `notCompared`: of which nothing can be said, as no statement in the ledger names it or it waits to be covered. A process of the version
 * before, which goes on serving during an upgrade, leaves these three out.
 */
export const checkResult = z.object({
  status: z.enum(checkStatuses),
  checkedAt: z.nullable(epochMs),
  ledger: z.nullable(ledgerPlace),
  entry: z.optional(z.nullable(z.enum(entryStates))),
  differences: z.optional(z.array(z.enum(checkedParts))),
  notCompared: z.optional(z.array(z.enum(checkedParts))),
});
export type CheckResult = z.output<typeof checkResult>;

/**
 * The opening of a verified document. `firstPage`: the page that its reading begins with, if it was rendered before, perhaps at another
 * width than asked for; `url` is where `getRenderResult` will say it is.
 */
export const openedDocument = z.object({
  document: documentDetails,
  firstPage: z.optional(z.object({ page: z.int(), url: z.string(), type: z.string(), base64: z.string() })),
});
export type OpenedDocument = z.output<typeof openedDocument>;

/**
 * `opened`: what the viewer shows first, at the asked width, and only when nothing differs; without it the viewer asks for each part alone, and gets the
 * error there. Throws NOT_FOUND_BC when nothing else differs and the document has no entry in the ledger, BC_ERROR when its entry cannot be proved, and
 * DUPLICATE_BC when it is entered more than once, but not for an opening, which says so in `entry`.
 */
export const checkDocument = protectedCall({
  name: 'checkDocument',
  method: 'GET',
  path: '/api/protected/documents/document/check/:id',
  load: 'heavy',
  summary: 'Reads the stored bytes again, hashes them and compares checksum and owner with the publication',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  query: openingQuery,
  answer: z.extend(checkResult, { opened: z.optional(openedDocument) }),
});

/** F5. Throws RESOURCE_NOT_FOUND for a page that the document does not have. `shown=false`: the viewer could not show it, and said so. */
export const markPage = protectedCall({
  name: 'markPage',
  method: 'POST',
  path: '/api/protected/documents/mark/page/:id/:page',
  summary: 'The caller has reached this page; idempotent',
  needsStatute: true,
  keepsSessionAlive: true,
  params: z.object({ id: documentId, page: pageNumber }),
  query: markedPage,
  answer: 'nothing',
});

/**
 * F5, D10. The notification of the document becomes read as well. Throws INVALID_STATUS unless the caller has marked every page, those that could not be
 * shown among them: `fields.pages` names what is missing as ranges (`1-3, 7`).
 */
export const markRead = protectedCall({
  name: 'markRead',
  method: 'POST',
  path: '/api/protected/documents/mark/read/:id',
  summary: 'The caller has read every page and closed the document; idempotent, the first time is kept',
  needsStatute: true,
  keepsSessionAlive: true,
  params: byId,
  answer: 'nothing',
});

export const listIgnoreMarkers = protectedCall({
  name: 'listIgnoreMarkers',
  method: 'GET',
  path: '/api/protected/documents/markers/ignore',
  summary: 'Metadata ids or names; a document that carries one is downloaded instead of shown (E9)',
  needsStatute: false,
  keepsSessionAlive: false,
  answer: z.array(z.string()),
});
