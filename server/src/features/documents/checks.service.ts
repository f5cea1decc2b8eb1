import { checkLimits, openCallLimits, type AnswerOf, type calls } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { networkOf } from '#platform/http/network.ts';
import type { Log } from '#platform/log/log.ts';
import { countCall, findReading, setCorrupted } from './checks.store.ts';
import { isContentRight, verdictOf } from './documents.rules.ts';
import { findOwnDocument, findPublicDocument, type OwnDocument } from './own-documents.store.ts';
import type { ReadAgain } from './readings.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly readAgain: ReadAgain;
  readonly clock: Clock;
  readonly log: Log;
}

type CheckResult = AnswerOf<typeof calls.checkDocument>;

/** Compares the stored bytes of a document, and its owner, with what was published. Throws CALL_NOT_PERMITTED over the limit. */
export interface Checks {
  /** G1, G7, G8. A document that is not the caller's is answered as one that does not exist. */
  check(caller: ClientCaller, request: { id: string; isOpening: boolean }): Promise<CheckResult>;
  /** G6. Anything but a public document does not exist for somebody without a session. */
  checkPublic(address: string, id: string): Promise<CheckResult>;
}

const notThere: CheckResult = { status: 'DOCUMENT_NOT_EXIST', checkedAt: null };

export const createChecks = ({ db, readAgain, clock, log }: Parts): Checks => {
  const limit = async (subject: string, perMinute: number): Promise<void> => {
    const at = clock.now();
    const counted = await countCall(db, { subject, limit: perMinute, windowMs: 60_000, at });
    if (counted.allowed) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((counted.again.getTime() - at.getTime()) / 1_000));
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many checks', retryAfterSeconds });
  };

  const compare = async (document: OwnDocument, isOpening: boolean): Promise<CheckResult> => {
    const { id } = document;
    const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
    const known = isOpening ? await findReading(db, { id, since }) : undefined;
    const reading = known ?? (await readAgain(id, document.object_key));
    const evidence = { live: document, registered: document.registered, bytes: reading.sha256, principals: document.principals };
    const status = verdictOf(evidence);
    if (reading.sha256 !== undefined) {
      const corrupted = !isContentRight(evidence);
      if (corrupted !== document.corrupted) await setCorrupted(db, { id, corrupted });
    }
    if (status !== 'SHA_CIF_OK') log.error({ alarm: 'check', documentId: id, status }, 'a document failed its check');
    return { status, checkedAt: reading.sha256 === undefined ? null : reading.at.getTime() };
  };

  return {
    async check(caller, { id, isOpening }) {
      await limit(`check:${caller.personalId}`, checkLimits.perMinute);
      const document = await findOwnDocument(db, caller, id);
      return document === undefined ? notThere : compare(document, isOpening);
    },

    async checkPublic(address, id) {
      await limit(`check of everybody:${networkOf(address)}`, openCallLimits.checksPerMinute);
      const document = await findPublicDocument(db, id);
      return document === undefined ? notThere : compare(document, false);
    },
  };
};
