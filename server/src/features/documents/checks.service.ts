import { checkLimits, type AnswerOf, type calls } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { hashBytes } from '#platform/objects/verified-bytes.ts';
import { countCall, findReading, recordReading, setCorrupted } from './checks.store.ts';
import { isContentRight, verdictOf } from './documents.rules.ts';
import { findOwnDocument } from './own-documents.store.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Reading {
  readonly sha256: string | undefined;
  readonly at: Date;
}

type CheckResult = AnswerOf<typeof calls.checkDocument>;

export interface Checks {
  /** G1, G7, G8. A document that is not the caller's is answered as one that does not exist. Throws CALL_NOT_PERMITTED over the limit. */
  check(caller: ClientCaller, request: { id: string; isOpening: boolean }): Promise<CheckResult>;
}

/** Reads the stored bytes of a document again and compares them, and its owner, with what was published. */
export const createChecks = ({ db, objects, clock, log }: Parts): Checks => {
  /** One reading of a document at a time in this process; whoever asks meanwhile gets its result. */
  const readings = new Map<string, Promise<Reading>>();

  const readAgain = async (id: string, objectKey: string): Promise<Reading> => {
    try {
      const { sha256 } = await hashBytes(await objects.open(objectKey));
      const at = clock.now();
      await recordReading(db, { id, sha256, at });
      return { sha256, at };
    } catch (error) {
      if (!isStorageProblem(error)) throw error;
      log.error({ alarm: 'unreadable', documentId: id, err: error }, 'the stored bytes of a document could not be read');
      return { sha256: undefined, at: clock.now() };
    }
  };

  const readOnce = (id: string, objectKey: string): Promise<Reading> => {
    const running = readings.get(id);
    if (running !== undefined) return running;
    const reading = readAgain(id, objectKey).finally(() => readings.delete(id));
    readings.set(id, reading);
    return reading;
  };

  const limit = async ({ personalId }: ClientCaller): Promise<void> => {
    const at = clock.now();
    const counted = await countCall(db, { subject: `check:${personalId}`, limit: checkLimits.perMinute, windowMs: 60_000, at });
    if (counted.allowed) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((counted.again.getTime() - at.getTime()) / 1_000));
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many checks', retryAfterSeconds });
  };

  return {
    async check(caller, { id, isOpening }) {
      await limit(caller);
      const document = await findOwnDocument(db, caller, id);
      if (document === undefined) return { status: 'DOCUMENT_NOT_EXIST', checkedAt: null };
      const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
      const known = isOpening ? await findReading(db, { id, since }) : undefined;
      const reading = known ?? (await readOnce(id, document.object_key));
      const evidence = { live: document, registered: document.registered, bytes: reading.sha256, principals: document.principals };
      const status = verdictOf(evidence);
      if (reading.sha256 !== undefined) {
        const corrupted = !isContentRight(evidence);
        if (corrupted !== document.corrupted) await setCorrupted(db, { id, corrupted });
      }
      if (status !== 'SHA_CIF_OK') log.error({ alarm: 'check', documentId: id, status }, 'a document failed its check');
      return { status, checkedAt: reading.sha256 === undefined ? null : reading.at.getTime() };
    },
  };
};

/** The store's own refusal, or a file that broke off while it was read. */
const isStorageProblem = (error: unknown): boolean =>
  (error instanceof PortalError && error.code === 'STORAGE_ERROR') || (error instanceof Error && 'syscall' in error);
