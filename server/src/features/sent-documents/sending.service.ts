import { randomUUID } from 'node:crypto';
import { type AnswerOf, type calls, createDayOf, type SentDocument, sendingLimits, type UploadDescription } from '@pergamin/contract';
import { hashOfMetadata, type LedgerFact } from '#features/ledger/ledger.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { createFairQueue } from '#platform/http/fair-queue.ts';
import type { Upload } from '#platform/http/upload.ts';
import { keptUntilOf } from '#platform/objects/kept-until.ts';
import { storeNamed } from '#platform/objects/named-object.ts';
import { inspectUpload } from '#platform/pdf/inspect-upload.ts';
import { packPageSizes } from '#platform/pdf/page-sizes.ts';
import type { PdfInspection } from '#platform/pdf/pdf-pool.ts';
import { getPair } from './categories.store.ts';
import type { SentDocumentsParts } from './parts.ts';
import { createQuota, type Quota } from './quota.ts';
import type { Scan } from './scan.ts';
import { keptFileName, retentionDateOf, sentDocumentOf } from './sent-documents.rules.ts';
import { findByKey, insertSent, lockSending, type NewSent } from './sent-documents.store.ts';

interface Parts extends Pick<SentDocumentsParts, 'db' | 'objects' | 'pdf' | 'webhooks' | 'ledger' | 'settings' | 'clock'> {
  readonly scan: Scan;
}

interface Sending {
  readonly caller: ClientCaller;
  /** The same key is the same sending (H4). */
  readonly key: string | undefined;
}

export interface SendingService extends Pick<Quota, 'countRefusal'> {
  /** Before the bytes are taken. Throws CALL_NOT_PERMITTED for a client whose contract has ended, and over the quota of the day (429). */
  assertMaySend(sending: Sending): Promise<void>;
  /** Throws VALIDATION_ERROR, INVALID_DOC_TYPE, DOCUMENT_UPLOAD_ERROR with the reason in words, CALL_NOT_PERMITTED or STORAGE_ERROR. */
  send(upload: Upload<UploadDescription>, sending: Sending): Promise<SentDocument>;
  limitsOf(caller: ClientCaller): Promise<AnswerOf<typeof calls.getSendingLimits>>;
}

const receivedFact = ({ id, sha256, size, category, type, createdAt }: NewSent) => ({
  type: 'document.received' as const,
  createdOn: createdAt.getTime(),
  document: { id, sha256, size, categoryId: category.id, typeId: type.id },
});

const receivedEntry = ({ id, sha256, size, cif, filename, category, type }: NewSent): LedgerFact => ({
  documentId: id,
  event: 'RECEIVED',
  sha256,
  size,
  owner: `cif:${cif}`,
  type: 'PRIVATE',
  state: 'ACTIVE',
  metadata: hashOfMetadata({ fileName: filename, category: category.id, type: type.id }),
});

/** Of processor time. A file of 5 MB takes some tenths of a second at most. */
const inspectWithinMs = 5_000;
/** Admission control per client: further files of one client wait, so that a client keeps one thread busy at most. */
const inspectedAtOnce = { atOnce: 16, perCaller: 1, countsForMs: 60_000 };

type Inspect = (path: string, caller: ClientCaller) => Promise<PdfInspection>;

const createInspect = ({ db, pdf, settings }: Parts, quota: Quota): Inspect => {
  const queue = createFairQueue(inspectedAtOnce);
  return (path, caller) =>
    queue.pass(caller.personalId, async (keepPlace) => {
      keepPlace();
      // Those before it may have been refused meanwhile.
      await quota.assertLeft(db, caller);
      // Counted before the next request of this client begins.
      return quota.countRefusal(caller, () =>
        inspectUpload(pdf, { path, client: caller.personalId, cpuMs: inspectWithinMs, refuse: settings.sendingRefuse }),
      );
    });
};

/** The same key with the same bytes and words is the same sending made again. */
const findRepeated = async (
  { db }: Parts,
  { description, sha256 }: Upload<UploadDescription>,
  { caller, key }: Sending,
): Promise<SentDocument | undefined> => {
  const present = key === undefined ? undefined : await findByKey(db, caller.personalId, key);
  if (present === undefined) return undefined;
  const isSame =
    present.sha256 === sha256 &&
    present.category.id === description.categoryId &&
    present.type.id === description.typeId &&
    present.filename === keptFileName(description.filename, present.id);
  if (!isSame) throw invalidField('Idempotency-Key', 'used before for another document');
  return sentDocumentOf(present);
};

/**
 * Everything is checked before anything is stored; the object is stored before the row that names it; the row, and the word to the organisation,
 * appear in one transaction.
 */
const createSend = (parts: Parts, quota: Quota): SendingService['send'] => {
  const { db, scan, webhooks, ledger, settings, clock } = parts;
  const dayOf = createDayOf(settings.timeZone);
  const inspect = createInspect(parts, quota);
  return async (upload, sending) => {
    const { caller, key } = sending;
    const { description } = upload;
    const repeated = await findRepeated(parts, upload, sending);
    if (repeated !== undefined) return repeated;
    const { retentionDays: days } = await getPair(db, description);
    const inspection = await inspect(upload.path, caller);
    const scanned = await scan(upload);
    try {
      const now = clock.now();
      const keptUntil = keptUntilOf([retentionDateOf(dayOf(now.getTime()), days)], { timeZone: settings.timeZone, now });
      const received = await storeNamed(parts, [{ ...upload, owners: [`cif:${caller.cif}`], keptUntil }], async (trx, [object]) => {
        await lockSending(trx, caller.personalId);
        await quota.assertLeft(trx, caller);
        const { category, type, retentionDays } = await getPair(trx, description);
        const id = randomUUID();
        const createdAt = clock.now();
        const sent: NewSent = {
          id,
          personalId: caller.personalId,
          cif: caller.cif,
          filename: keptFileName(description.filename, id),
          category,
          type,
          objectKey: object.key,
          sha256: object.sha256,
          size: object.size,
          pageCount: inspection.pages,
          pageSizes: packPageSizes(inspection.sizes),
          flags: inspection.flags,
          ...scanned,
          idempotencyKey: key,
          retentionDate: retentionDateOf(dayOf(createdAt.getTime()), retentionDays),
          createdAt,
        };
        await insertSent(trx, sent);
        await webhooks.tell(trx, [receivedFact(sent)]);
        await ledger.enter(trx, [receivedEntry(sent)]);
        return sentDocumentOf({ ...sent, acknowledgedAt: null });
      });
      ledger.coverSoon();
      return received;
    } catch (error) {
      // Another call may have sent under the same key between our look and our insert.
      const sent = await findRepeated(parts, upload, sending);
      if (sent !== undefined) return sent;
      throw error;
    }
  };
};

export const createSending = (parts: Parts): SendingService => {
  const { db, settings } = parts;
  const quota = createQuota(parts);
  return {
    async assertMaySend({ caller, key }) {
      if (caller.state === 'CLOSED') throw new PortalError('CALL_NOT_PERMITTED');
      // A repeated request whose answer was lost was counted the first time.
      if (key === undefined || (await findByKey(db, caller.personalId, key)) === undefined) await quota.assertLeft(db, caller);
    },

    countRefusal: (caller, act) => quota.countRefusal(caller, act),

    send: createSend(parts, quota),

    async limitsOf(caller) {
      const left = await quota.countLeft(db, caller);
      return {
        maxFileBytes: sendingLimits.maxFileBytes,
        filesPerSession: settings.sendingFilesPerSession,
        filesPerDay: settings.sendingFilesPerDay,
        leftToday: left.today,
        leftInSession: left.inSession,
      };
    },
  };
};
