import { addDays } from '@pergamin/contract';
import { pdfFileName } from '#platform/http/attachment.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { PageSize } from '#platform/database/schema.ts';

/** The name that is kept: no folders of the sender's machine, nothing that a file system or a reader could be led astray by, `.pdf` at the end. */
export const keptFileName = (written: string, id: string): string => pdfFileName(written.split(/[/\\]/).at(-1) ?? '', id);

const keyPattern = /^[\w-]{8,100}$/;

/** Undefined when there is none: then the call is a new sending each time. Throws VALIDATION_ERROR for one that is malformed. */
export const readIdempotencyKey = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !keyPattern.test(header))
    throw invalidField('Idempotency-Key', 'not 8 to 100 letters, digits, hyphens and underscores');
  return header;
};

/** The last day on which it is kept; null: indefinitely. */
export const retentionDateOf = (sentOn: string, retentionDays: number | null): string | null =>
  retentionDays === null ? null : addDays(sentOn, retentionDays);

/** Pages of one size are kept as one. */
export const packPageSizes = (sizes: readonly PageSize[]): PageSize[] => {
  const [first] = sizes;
  const isUniform = first !== undefined && sizes.every(({ width, height }) => width === first.width && height === first.height);
  return isUniform ? [first] : [...sizes];
};

export const unpackPageSizes = (sizes: readonly PageSize[], pageCount: number): PageSize[] => {
  const [first] = sizes;
  return sizes.length === 1 && first !== undefined ? Array.from({ length: pageCount }, () => first) : [...sizes];
};

/** Blank text asks for nothing. */
export const unlessBlank = (text: string | null): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
};
