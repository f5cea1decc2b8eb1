import type { Readable } from 'node:stream';
import type { AnswerOf, calls, ReceivedDocument } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { assertSound, openSent } from './sent-documents.service.ts';
import { acknowledge, findReceived, listByPlace, type Place, type SentRow } from './sent-documents.store.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The organisation collects what clients sent (H6). Throws DOCUMENT_NOT_FOUND_ERROR for an id that is none. */
export interface Received {
  list(place: Place): Promise<AnswerOf<typeof calls.listReceived>>;
  download(id: string): Promise<{ fileName: string; size: number; sha256: string; body: Readable }>;
  /** Idempotent: the first time is kept, and told. */
  acknowledge(id: string, publisher: PublisherCaller): Promise<{ acknowledgedOn: number }>;
}

export const createReceived = ({ db, objects, clock, log }: Parts): Received => ({
  async list(place) {
    const rows = await listByPlace(db, place);
    const items = rows.slice(0, place.limit);
    return { items: items.map(receivedOf), cursor: items.at(-1)?.place ?? place.since, more: rows.length > items.length };
  },

  async download(id) {
    const sent = await findReceived(db, id);
    if (sent === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    const { filename, size, sha256 } = assertSound(sent);
    return { fileName: filename, size, sha256, body: await openSent({ db, objects, log }, sent) };
  },

  async acknowledge(id, { keyId }) {
    const at = await acknowledge(db, { id, by: keyId, at: clock.now() });
    if (at === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
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
