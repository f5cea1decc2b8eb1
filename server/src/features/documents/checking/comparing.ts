import { type AnswerOf, type calls, checkLimits, type Comparison, type LedgerPlace } from '@pergamin/contract';
import type { OwnDocument } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { Registered } from '#features/ledger/ledger.door.ts';
import { PortalError } from '#platform/http/errors.ts';
import { comparisonOf, isContentRight, verdictOf } from './checks.rules.ts';
import { findReading, setCorrupted } from './checks.store.ts';
import type { ReadAgain } from './readings.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'ledger' | 'clock' | 'log'> {
  readonly readAgain: ReadAgain;
}

/** `bytes`: SHA-256 of what is stored, undefined when it could not be read. */
export type Compared = AnswerOf<typeof calls.checkDocument> & { readonly compared: Comparison; readonly bytes: string | undefined };

/**
 * Compares the stored bytes of a document, and its owner, with what was published and with its statement in the ledger; marks it as corrupted or
 * sound. `isOpening`: a recent reading will do, and so will a ledger that cannot prove its entry now. Throws BC_ERROR for one that cannot, DUPLICATE_BC
 * for a publication that is entered more than once.
 */
export type Compare = (document: OwnDocument, isOpening?: boolean) => Promise<Compared>;

export const createCompare =
  ({ db, ledger, readAgain, clock, log }: Parts): Compare =>
  async (document, isOpening = false) => {
    const { id } = document;
    const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
    const known = isOpening ? await findReading(db, { id, since }) : undefined;
    const [reading, entry] = await Promise.all([known ?? readAgain(id, document.object_key), ledger.findRegistered(id)]);
    const evidence = {
      live: document,
      registered: document.registered,
      statement: entry === undefined ? null : (entry.statement ?? ('closed' as const)),
      bytes: reading.sha256,
      principals: document.principals,
    };
    const status = verdictOf(evidence);
    if (reading.sha256 !== undefined) {
      const corrupted = !isContentRight(evidence);
      if (corrupted !== document.corrupted) await setCorrupted(db, { id, corrupted });
    }
    if (status !== 'SHA_CIF_OK') log.error({ alarm: 'check', documentId: id, status }, 'a document failed its check');
    const checkedAt = reading.sha256 === undefined ? null : reading.at.getTime();
    return { status, checkedAt, compared: comparisonOf(evidence), bytes: reading.sha256, ledger: await placeOf(entry, isOpening) };
  };

/** Reading goes on while the ledger cannot be used: the bytes were compared with its statement all the same, and an alarm is logged. */
const placeOf = async (entry: Registered | undefined, isOpening: boolean): Promise<LedgerPlace | null> => {
  try {
    return (await entry?.prove()) ?? null;
  } catch (error) {
    if (isOpening && error instanceof PortalError && (error.code === 'BC_ERROR' || error.code === 'DUPLICATE_BC')) return null;
    throw error;
  }
};
