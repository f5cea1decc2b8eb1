import { randomUUID } from 'node:crypto';
import {
  addDays,
  type AnswerOf,
  type calls,
  createDayOf,
  type PdfFlag,
  type SentDocument,
  sendingLimits,
  startOfDay,
  type UploadDescription,
} from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { Upload } from '#platform/http/upload.ts';
import type { Log } from '#platform/log/log.ts';
import type { Scanner } from '#platform/malware/scanner.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { createFairQueue } from '#platform/http/fair-queue.ts';
import { inspectUpload } from '#platform/pdf/inspect-upload.ts';
import type { PdfInspection, PdfPool } from '#platform/pdf/pdf-pool.ts';
import { findPair } from './categories.store.ts';
import { createRefusedFiles } from './refused-files.ts';
import { keptFileName, packPageSizes, retentionDateOf } from './sent-documents.rules.ts';
import { countSentSince, findByKey, insertSent, lockSending, type NewSent, type SentRow } from './sent-documents.store.ts';
import { sentDocumentOf } from './sent-documents.service.ts';
import type { Announce } from './webhook.ts';

export interface SendingParts {
  readonly db: Kysely<Database>;
  readonly stores: { readonly objects: Objects; readonly pdf: Pick<PdfPool, 'inspect'>; readonly scanner: Scanner | undefined };
  readonly announce: Announce;
  readonly settings: {
    readonly timeZone: string;
    readonly sendingFilesPerDay: number;
    readonly sendingFilesPerSession: number;
    readonly sendingRefuse: readonly PdfFlag[];
    readonly malwareScanFailure: 'refuse' | 'accept';
  };
  readonly clock: Clock;
  readonly log: Log;
}

interface Sending {
  readonly caller: ClientCaller;
  /** The same key is the same sending (H4). */
  readonly key: string | undefined;
}

export interface SendingService {
  /** Before the bytes are taken. Throws CALL_NOT_PERMITTED for a client whose contract has ended, and over the quota of the day (429). */
  assertMaySend(sending: Sending): Promise<void>;
  /** What `act` refuses counts as one of the client's files of the day, since it had to be received and looked into as any other. */
  countRefusal<Result>(caller: ClientCaller, act: () => Promise<Result>): Promise<Result>;
  /** Throws VALIDATION_ERROR, INVALID_DOC_TYPE, DOCUMENT_UPLOAD_ERROR with the reason in words, CALL_NOT_PERMITTED or STORAGE_ERROR. */
  send(upload: Upload<UploadDescription>, sending: Sending): Promise<SentDocument>;
  limitsOf(caller: ClientCaller): Promise<AnswerOf<typeof calls.getSendingLimits>>;
}

/** A file of 5 MB takes some tenths of a second at most, and several times as long on a busy machine. */
const inspectWithinMs = 5_000;
/** A client's other files wait: whoever sends many at once keeps one thread busy at most. */
const inspectedAtOnce = { atOnce: 16, perCaller: 1, countsForMs: 60_000 };

type Scan = Pick<NewSent, 'scanResult' | 'scanEngine' | 'scannedAt'>;

/**
 * How documents of clients come in. Everything is checked before anything is stored; the object is stored before the row that names it; the
 * row, and the word to the organisation, appear in one transaction. What fails on the way leaves nothing: its object is taken away at once, or
 * by the sweep of objects that nothing names.
 */
export const createSending = ({ db, stores: { objects, pdf, scanner }, announce, settings, clock, log }: SendingParts): SendingService => {
  const dayOf = createDayOf(settings.timeZone);

  const refused = createRefusedFiles();
  const inspecting = createFairQueue(inspectedAtOnce);

  const assertBelowQuota = ({ personalId }: ClientCaller, { sent, today }: { sent: number; today: string }): void => {
    if (sent + refused.countOf(personalId, today) < settings.sendingFilesPerDay) return;
    const againMs = startOfDay(addDays(today, 1), settings.timeZone) - clock.now().getTime();
    throw new PortalError('CALL_NOT_PERMITTED', {
      message: `Not more than ${settings.sendingFilesPerDay} documents a day`,
      retryAfterSeconds: Math.max(1, Math.ceil(againMs / 1_000)),
    });
  };

  let latest: { readonly day: string; readonly start: Date } | undefined;
  const today = (): { day: string; start: Date } => {
    const day = dayOf(clock.now().getTime());
    // Where a day starts is found by trying, which takes longer than asking the database.
    if (latest?.day !== day) latest = { day, start: new Date(startOfDay(day, settings.timeZone)) };
    return latest;
  };

  /** The same key with the same bytes and words is the same sending made again. */
  const findRepeated = async (
    { description, sha256 }: Upload<UploadDescription>,
    { caller, key }: Sending,
  ): Promise<SentDocument | undefined> => {
    const present = key === undefined ? undefined : await findByKey(db, caller.personalId, key);
    if (present === undefined) return undefined;
    if (!isSame(present, { ...description, sha256 })) throw invalidField('Idempotency-Key', 'used before for another document');
    return sentDocumentOf(present);
  };

  const scan = async ({ path, sha256 }: Upload<UploadDescription>): Promise<Scan> => {
    if (scanner === undefined) return { scanResult: 'NONE', scanEngine: null, scannedAt: null };
    const { engine } = scanner;
    try {
      const verdict = await scanner.scan(path);
      if (verdict.result === 'clean') return { scanResult: 'CLEAN', scanEngine: engine, scannedAt: clock.now() };
      log.warn({ alarm: 'malware', signature: verdict.signature, sha256 }, 'a client sent an infected file; it was refused');
      throw new PortalError('DOCUMENT_UPLOAD_ERROR', { message: 'The file is infected' });
    } catch (error) {
      if (error instanceof PortalError) throw error;
      if (settings.malwareScanFailure === 'refuse') throw new PortalError('STORAGE_ERROR', { cause: error });
      log.error({ alarm: 'scanner', err: error, sha256 }, 'a file that a client sent could not be scanned; it was accepted all the same');
      return { scanResult: 'UNAVAILABLE', scanEngine: engine, scannedAt: null };
    }
  };

  const countRefusal: SendingService['countRefusal'] = async ({ personalId }, act) => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof PortalError && error.status < 500 && error.status !== 429) refused.add({ personalId, day: today().day, error });
      throw error;
    }
  };

  const inspect = (path: string, caller: ClientCaller): Promise<PdfInspection> =>
    inspecting.pass(caller.personalId, async (keepPlace) => {
      keepPlace();
      // Those before it may have been refused meanwhile.
      assertBelowQuota(caller, { sent: 0, today: today().day });
      // Counted before the next one's turn.
      return countRefusal(caller, () =>
        inspectUpload(pdf, { path, client: caller.personalId, deadlineMs: inspectWithinMs, refuse: settings.sendingRefuse }),
      );
    });

  const getPair = async (executor: Kysely<Database>, { categoryId, typeId }: UploadDescription) => {
    const pair = await findPair(executor, { categoryId, typeId });
    if (pair === undefined) throw invalidField('typeId', 'not a type of this category, or not to be chosen any more');
    return pair;
  };

  return {
    async assertMaySend({ caller, key }) {
      if (caller.state === 'CLOSED') throw new PortalError('CALL_NOT_PERMITTED');
      const { day, start } = today();
      const sent = await countSentSince(db, caller.personalId, start);
      if (sent + refused.countOf(caller.personalId, day) < settings.sendingFilesPerDay) return;
      // Whoever only asks again for an answer that got lost has been counted.
      if (key === undefined || (await findByKey(db, caller.personalId, key)) === undefined) assertBelowQuota(caller, { sent, today: day });
    },

    countRefusal,

    async send(upload, sending) {
      const { caller, key } = sending;
      const { description } = upload;
      const repeated = await findRepeated(upload, sending);
      if (repeated !== undefined) return repeated;
      await getPair(db, description);
      const inspection = await inspect(upload.path, caller);
      const scanned = await scan(upload);
      const object = await objects.putFile(upload);
      const id = randomUUID();
      const at = clock.now();
      let isCommitting = false;
      try {
        return await db.transaction().execute(async (trx) => {
          await lockSending(trx, caller.personalId);
          const { day, start } = today();
          assertBelowQuota(caller, { sent: await countSentSince(trx, caller.personalId, start), today: day });
          const { category, type, retentionDays } = await getPair(trx, description);
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
            retentionDate: retentionDateOf(day, retentionDays),
            createdAt: at,
          };
          await insertSent(trx, sent);
          await announce(trx, id);
          isCommitting = true;
          return sentDocumentOf({ ...sent, acknowledgedAt: null });
        });
      } catch (error) {
        // Of a commit whose answer got lost nobody knows yet what becomes; an object that is named by nothing in the end is swept a day later.
        if (!isCommitting) await objects.discard(object.key);
        // Another call may have sent under the same key between our look and our insert.
        const sent = await findRepeated(upload, sending);
        if (sent !== undefined) return sent;
        throw error;
      }
    },

    async limitsOf({ personalId }) {
      const { day, start } = today();
      const sent = (await countSentSince(db, personalId, start)) + refused.countOf(personalId, day);
      return {
        maxFileBytes: sendingLimits.maxFileBytes,
        filesPerSession: settings.sendingFilesPerSession,
        filesPerDay: settings.sendingFilesPerDay,
        leftToday: Math.max(0, settings.sendingFilesPerDay - sent),
      };
    },
  };
};

const isSame = (present: SentRow, { filename, categoryId, typeId, sha256 }: UploadDescription & { sha256: string }): boolean =>
  present.sha256 === sha256 &&
  present.category.id === categoryId &&
  present.type.id === typeId &&
  present.filename === keptFileName(filename, present.id);
