import type { AnswerOf, calls, ReceivedDocument } from '@pergamin/contract';
import type { PublisherCaller } from '#platform/http/caller.ts';
import type { KeptFile } from '#platform/http/file-answer.ts';
import type { SentDocumentsParts } from './parts.ts';
import { sentFile } from './sent-documents.service.ts';
import { acknowledge, getReceived, listByPlace, type Place, type SentRow } from './sent-documents.store.ts';

/** The organisation collects what clients sent (H6). Throws DOCUMENT_NOT_FOUND_ERROR for an id that is none. */
export type Received = ReturnType<typeof createReceived>;

export const createReceived = (parts: Pick<SentDocumentsParts, 'db' | 'objects' | 'clock' | 'log'>) => ({
  async list(place: Place): Promise<AnswerOf<typeof calls.listReceived>> {
    const rows = await listByPlace(parts.db, place);
    const items = rows.slice(0, place.limit);
    return { items: items.map(receivedOf), cursor: items.at(-1)?.place ?? place.since, more: rows.length > items.length };
  },

  getFile: async (id: string): Promise<KeptFile> => sentFile(parts, await getReceived(parts.db, id)),

  /** Idempotent: the first time is kept, and told. */
  async acknowledge(id: string, { keyId }: PublisherCaller): Promise<{ acknowledgedOn: number }> {
    const at = await acknowledge(parts.db, { id, by: keyId, at: parts.clock.now() });
    return { acknowledgedOn: at.getTime() };
  },
});

const receivedOf = (sent: SentRow): ReceivedDocument => ({
  id: sent.id,
  personalId: sent.personalId,
  cif: sent.cif,
  filename: sent.filename,
  category: sent.category,
  type: sent.type,
  createdOn: sent.createdAt.getTime(),
  retentionDate: sent.retentionDate ?? -1,
  size: sent.size,
  sha256: sent.sha256,
  pageCount: sent.pageCount,
  flags: sent.flags,
  scan: { result: sent.scanResult, at: sent.scannedAt?.getTime() ?? null, engine: sent.scanEngine },
  acknowledgedOn: sent.acknowledgedAt?.getTime() ?? null,
});
