import { addDays, type SentDocument } from '@pergamin/contract';
import { pdfFileName } from '#platform/http/attachment.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { SentRow } from './sent-documents.store.ts';

/** The name that is kept: no folders of the sender's machine, nothing that a file system or a reader could be led astray by, `.pdf` at the end. */
export const keptFileName = (written: string, id: string): string => pdfFileName(written.split(/[/\\]/).at(-1) ?? '', id);

const keyPattern = /^[\w-]{8,100}$/;

/** The idempotency key; undefined when there is none: then each call is a new sending. Throws VALIDATION_ERROR for a malformed one. */
export const readIdempotencyKey = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !keyPattern.test(header))
    throw invalidField('Idempotency-Key', 'not 8 to 100 letters, digits, hyphens and underscores');
  return header;
};

/** The last day on which it is kept; null: indefinitely. */
export const retentionDateOf = (sentOn: string, retentionDays: number | null): string | null =>
  retentionDays === null ? null : addDays(sentOn, retentionDays);

/** The sent document as its sender sees it. */
export const sentDocumentOf = (sent: Omit<SentRow, 'corrupted' | 'place'>): SentDocument => ({
  id: sent.id,
  filename: sent.filename,
  category: sent.category,
  type: sent.type,
  createdOn: sent.createdAt.getTime(),
  retentionDate: sent.retentionDate ?? -1,
  status: sent.acknowledgedAt === null ? 'SENT' : 'RECEIVED',
  receivedOn: sent.acknowledgedAt?.getTime() ?? null,
  sha256: sent.sha256,
});
