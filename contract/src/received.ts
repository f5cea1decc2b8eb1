import * as z from 'zod/mini';
import { publisherCall, wholeOrPart } from './call.ts';
import { receivedLimits } from './limits.ts';
import { categoryKey, sentType } from './sent-documents.ts';
import { calendarDay, cif, documentId, epochMs, keptText, personalId, wholeNumber } from './values.ts';

/** The organisation's side of sending (H6, R5): what may be sent, and how it is collected. */

const name = z.strictObject({ pl: keptText(200), en: keptText(200) });

export const categoryRecord = z.strictObject({
  id: categoryKey,
  name,
  /** Whole days after sending; null or left out: indefinite. */
  retentionDays: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(36_525)))),
  /** Left out: false. What is deleted stays on documents and cannot be chosen. */
  deleted: z.optional(z.boolean()),
  /** A type that is left out is deleted. Its id is unique over all categories. */
  types: z.array(z.strictObject({ id: categoryKey, name, deleted: z.optional(z.boolean()) })).check(z.maxLength(500)),
});
export type CategoryRecord = z.output<typeof categoryRecord>;

export const upsertCategories = publisherCall({
  name: 'upsertCategories',
  method: 'PUT',
  path: '/api/publisher/categories',
  summary: 'Creates categories of sent documents with their types, or changes them; categories that are not named stay. All or nothing',
  scope: 'categories:write',
  body: z.strictObject({
    items: z.array(categoryRecord).check(z.minLength(1), z.maxLength(500)),
    /** Says what would change, and changes nothing. */
    dryRun: z.optional(z.boolean()),
  }),
  answer: z.object({
    created: z.array(z.object({ id: z.string(), types: z.array(z.string()) })),
    /** `fields` of the category itself; of its types, by id, what is new, otherwise named or offered again, and not to be chosen any more. */
    changed: z.array(
      z.object({
        id: z.string(),
        fields: z.array(z.enum(['name', 'retentionDays', 'deleted', 'order'])),
        types: z.object({ added: z.array(z.string()), changed: z.array(z.string()), removed: z.array(z.string()) }),
      }),
    ),
    unchanged: z.int(),
  }),
});

/** What was found in a PDF that is not executed here, and should not be anywhere else. */
export const activeContent = ['JAVASCRIPT', 'LAUNCH', 'EMBEDDED_FILE', 'FORM_SUBMIT', 'OUTSIDE_LINK', 'XFA', 'RICH_MEDIA'] as const;

/**
 * Why customers may see less than the publisher meant. FONT_GUESSED: a font is not in the file, and which letters its codes mean is not known.
 * HIDDEN_CONTENT: pages hold words that nobody sees: of layers that are off, hidden notes or fields, or outside of the page.
 * LETTERS_MISSING: no font has some of the letters. PAGE_UNDRAWABLE: a page has no size or cannot be read. REPAIRED: damaged tables were rebuilt.
 */
export const appearanceFlags = ['FONT_GUESSED', 'HIDDEN_CONTENT', 'LETTERS_MISSING', 'PAGE_UNDRAWABLE', 'REPAIRED'] as const;

export const pdfFlag = z.enum([...activeContent, ...appearanceFlags]);
export type PdfFlag = z.output<typeof pdfFlag>;
export type ActiveContent = (typeof activeContent)[number];
export type AppearanceFlag = (typeof appearanceFlags)[number];

/** CLEAN: a scanner found nothing. UNAVAILABLE: it was unreachable, and the setting accepts files all the same. NONE: there is no scanner. */
export const malwareScan = z.enum(['CLEAN', 'UNAVAILABLE', 'NONE']);

export const receivedDocument = z.object({
  id: z.string(),
  personalId,
  /** As it was when the document was sent. */
  cif,
  filename: z.string(),
  category: sentType,
  type: sentType,
  createdOn: epochMs,
  retentionDate: z.union([calendarDay, z.literal(-1)]),
  size: z.int(),
  sha256: z.string(),
  pageCount: z.int(),
  flags: z.array(pdfFlag),
  scan: z.object({ result: malwareScan, at: z.nullable(epochMs), engine: z.nullable(z.string()) }),
  /** When it was acknowledged first. */
  acknowledgedOn: z.nullable(epochMs),
});
export type ReceivedDocument = z.output<typeof receivedDocument>;

/** Nothing that is sent later ever gets a place before the `cursor` of an answer. */
export const listReceived = publisherCall({
  name: 'listReceived',
  method: 'GET',
  path: '/api/publisher/received',
  load: 'heavy',
  summary: 'What clients have sent, oldest first, after a cursor; `pending=true`: only what is not acknowledged',
  scope: 'received:read',
  query: z.object({
    since: z._default(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0),
    limit: z._default(wholeNumber(1, receivedLimits.maxItems), receivedLimits.defaultItems),
    pending: z.optional(z.enum(['true', 'false'])),
  }),
  /** `cursor` is the `since` of the next call; `more`: there is something after it already. */
  answer: z.object({ items: z.array(receivedDocument), cursor: z.int(), more: z.boolean() }),
});

const byId = z.object({ id: documentId });

/** H6. Throws DOCUMENT_NOT_FOUND_ERROR for an unknown id. */
export const downloadReceived = publisherCall({
  name: 'downloadReceived',
  method: 'GET',
  path: '/api/publisher/received/:id/download',
  ...wholeOrPart,
  summary:
    'The very bytes that a client has sent, or one range of them; hashed on the way, and broken off before the end when they are others',
  scope: 'received:read',
  params: byId,
});

/** H6. Throws DOCUMENT_NOT_FOUND_ERROR for an unknown id. */
export const acknowledgeReceived = publisherCall({
  name: 'acknowledgeReceived',
  method: 'POST',
  path: '/api/publisher/received/:id/acknowledge',
  summary: 'The organisation has it: its sender is told so. Idempotent, the first time is kept',
  scope: 'received:acknowledge',
  params: byId,
  answer: z.object({ acknowledgedOn: epochMs }),
});
