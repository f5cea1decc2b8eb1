import * as z from 'zod/mini';
import { errorCodeNames } from './error-codes.ts';
import { listLimits, personalIdPattern, signInLimits, viewerLimits } from './limits.ts';

/** A string of at most so many characters (code points). A longer one skips the further checks, whose cost grows with its length. */
/* @__NO_SIDE_EFFECTS__ */
export const limitedText = (maxLength: number, error?: string) => z.string().check(z.maxLength(maxLength, { abort: true, error }));

/** Text of one form, its length judged before its pattern. The only place where a schema takes a pattern. */
/* @__NO_SIDE_EFFECTS__ */
export const patternedText = (pattern: RegExp, { maxLength, error }: { readonly maxLength: number; readonly error?: string }) =>
  limitedText(maxLength, error).check(z.regex(pattern, { error }));

/**
 * Letters and their marks in one way (NFC): a Mac names files in another one than Windows, and both mean the same. All text that is stored, compared or
 * looked for is written so from here on.
 */
/* @__NO_SIDE_EFFECTS__ */
export const composed = () => z.normalize('NFC');

/** As it was typed, for passwords, of which only a hash is kept. It has no NUL, and no half of a surrogate pair. */
/* @__NO_SIDE_EFFECTS__ */
export const typedText = (maxLength: number) =>
  limitedText(maxLength).check(
    z.refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'holds characters that cannot be kept' }),
  );

/** Text that PostgreSQL can store and compare: it has no NUL, and half of a surrogate pair would come back as another character. */
/* @__NO_SIDE_EFFECTS__ */
export const storableText = (maxLength: number) => typedText(maxLength).check(composed());

/** The same, and not empty. */
/* @__NO_SIDE_EFFECTS__ */
export const keptText = (maxLength: number) => storableText(maxLength).check(z.minLength(1));

/** Ids on the wire, of documents and of all else that is ours, are lower- or upper-case UUIDs; anything else is a VALIDATION_ERROR. */
export const documentId = patternedText(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, { maxLength: 36 }).check(z.toLowerCase());

/** A15. */
export const personalId = patternedText(personalIdPattern, { maxLength: signInLimits.personalIdMaxLength });

/** Customer number: whose documents they are. */
export const cif = patternedText(/^[A-Za-z0-9-]{1,32}$/, { maxLength: 32 });

/** 64 hexadecimal digits in either case; comes out in lower case. */
export const sha256Hex = patternedText(/^[0-9a-fA-F]{64}$/, { maxLength: 64 }).check(z.toLowerCase());

/** A number in a query, in digits only, and in one way: without leading zeros. */
/* @__NO_SIDE_EFFECTS__ */
export const wholeNumber = (min: number, max: number) =>
  z.pipe(z.pipe(patternedText(/^(?:0|[1-9]\d{0,14})$/, { maxLength: 15 }), z.transform(Number)), z.int().check(z.gte(min), z.lte(max)));

/** Milliseconds since 1970-01-01 UTC. */
export const epochMs = z.int().check(z.gte(-8.64e15), z.lte(8.64e15));

/** A moment that is kept: as `epochMs`, from year 1 on, since PostgreSQL's calendar is shorter than JavaScript's. */
export const keptEpochMs = z.int().check(z.gte(-62_135_596_800_000), z.lte(8.64e15));

const isRealDay = (text: string): boolean => {
  if (text < '0001') return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
};

/** `yyyy-mm-dd`, a day that exists, from 0001-01-01 on: no other part of the product holds earlier ones. */
export const calendarDay = patternedText(/^\d{4}-\d{2}-\d{2}$/, { maxLength: 10 }).check(z.refine(isRealDay, { error: 'no such day' }));

/** The languages that the product brings; the first is the default. */
export const productLanguages = ['PL', 'EN'] as const;
export type ProductLanguage = (typeof productLanguages)[number];

/** One of the product's languages or of those that the installation adds: which there are, `listLanguages` tells. */
export const languageCode = patternedText(/^[A-Z]{2,3}$/, { maxLength: 3 });
export type LanguageCode = z.output<typeof languageCode>;

/** Pages are numbered from 1. Written in digits only: `1e3` and `0x1` are not page numbers. */
export const pageNumber = z.pipe(
  z.pipe(patternedText(/^[1-9]\d{0,4}$/, { maxLength: 5 }), z.transform(Number)),
  z.int().check(z.gte(1), z.lte(10_000)),
);

const knownRenderWidth = z.pipe(
  limitedText(5).check(z.refine((text) => viewerLimits.renderWidthsPx.some((width) => String(width) === text))),
  z.transform(Number),
);
/** The width of a page image in pixels, as text of a query: one of `viewerLimits.renderWidthsPx`. */
export const renderWidth = z._default(knownRenderWidth, viewerLimits.defaultRenderWidthPx);

/** The image width, and the page in the viewport: it is rendered first. */
export const renderQuery = z.object({ width: renderWidth, page: z.optional(pageNumber) });

/** The image width for the viewer, and the page that it shows first. */
export const openingQuery = z.object({
  opening: z.optional(z.literal('true')),
  width: z.optional(knownRenderWidth),
  page: z.optional(pageNumber),
});

/** What the bytes of a document are fetched for. Only what is saved is a download. */
export const filePurpose = z.enum(['download', 'showing']);
export type FilePurpose = z.output<typeof filePurpose>;

/** R2 has the transitions. DELETED and FORGOTTEN are seen in a history only (D19). */
export const documentState = z.enum(['ACTIVE', 'CANCELLED', 'OBSOLETE', 'DELETED', 'FORGOTTEN']);
export type DocumentState = z.output<typeof documentState>;

/** R3: everybody, one or two owners, the members of a group. */
export const documentType = z.enum(['PUBLIC', 'PRIVATE', 'GROUP']);
export type DocumentType = z.output<typeof documentType>;

/** The body of every error (Q1). `requestId` finds the details in the log. */
export const errorBody = z.object({
  code: z.enum(errorCodeNames),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  requestId: z.optional(z.string()),
});
export type ErrorBody = z.output<typeof errorBody>;

/** Small letters or capitals. */
export const sortDirection = z.pipe(patternedText(/^(asc|desc)$/i, { maxLength: 4 }).check(z.toLowerCase()), z.enum(['asc', 'desc']));

export const queryText = storableText(listLimits.textMaxLength);
