import { checkLimits, type CheckResult, type Comparison, type EntryState, type LedgerPlace } from '@pergamin/contract';
import type { OwnDocument } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import { PortalError } from '#platform/http/errors.ts';
import { type CheckedEvidence, comparisonOf, isContentRight, verdictOf } from './checks.rules.ts';
import { findReading, recordDifferences, setCorrupted } from './checks.store.ts';
import { compareStated, entryStateOf } from './differences.rules.ts';
import { findEvidence } from './evidence.store.ts';
import type { ReadAgain } from './readings.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'ledger' | 'clock' | 'log'> {
  readonly readAgain: ReadAgain;
}

/** `bytes`: SHA-256 of what is stored, undefined when it could not be read. */
export type Compared = CheckResult & { readonly compared: Comparison; readonly bytes: string | undefined };

/**
 * Compares the stored bytes of a document, and all that is kept of it, with what was published and with its statements in the ledger; marks it as corrupted or
 * sound. `isOpening`: a recent reading will do, and what is wrong with its entry is said in the answer. Otherwise throws NOT_FOUND_BC for a document without
 * one in which nothing else differs, BC_ERROR for one that cannot be proved, DUPLICATE_BC for a publication that is entered more than once.
 */
export type Compare = (document: OwnDocument, isOpening?: boolean) => Promise<Compared>;

export const createCompare =
  ({ db, ledger, readAgain, clock, log }: Parts): Compare =>
  async (document, isOpening = false) => {
    const { id, principals } = document;
    const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
    const known = isOpening ? await findReading(db, { id, since }) : undefined;
    const [reading, found] = await Promise.all([known ?? readAgain(id, document.object_key), findEvidence(db, id)]);
    // Removed since it was looked for.
    if (found === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    const evidence: CheckedEvidence = { ...found, bytes: reading.sha256, principals };
    const status = verdictOf(evidence);
    const { differences, notCompared } = compareStated(evidence);
    if (reading.sha256 !== undefined) {
      const corrupted = !isContentRight(evidence);
      if (corrupted !== document.corrupted) await setCorrupted(db, { id, corrupted });
    }
    if (differences.length > 0) await recordDifferences(db, { id, differences });
    if (status !== 'SHA_CIF_OK') log.error({ alarm: 'check', documentId: id, status, differences }, 'a document failed its check');
    const state = entryStateOf(evidence);
    if (state === 'MISSING') log.error({ alarm: 'check', documentId: id }, 'a published document has no entry in the ledger');
    const { ledger: place, entry } = await placeOf(ledger, evidence, { state, isOpening });
    if (entry === 'MISSING' && status === 'SHA_CIF_OK' && !isOpening) throw new PortalError('NOT_FOUND_BC');
    const checkedAt = reading.sha256 === undefined ? null : reading.at.getTime();
    return {
      status,
      checkedAt,
      ledger: place,
      entry,
      differences: [...differences],
      notCompared: [...notCompared],
      compared: comparisonOf(evidence),
      bytes: reading.sha256,
    };
  };

interface Place {
  readonly ledger: LedgerPlace | null;
  readonly entry: EntryState;
}

/** Reading goes on while the ledger cannot be used: the bytes were compared with its statement all the same, and an alarm is logged. */
const placeOf = async (
  ledger: Parts['ledger'],
  { stated, principals }: CheckedEvidence,
  { state, isOpening }: { readonly state: EntryState; readonly isOpening: boolean },
): Promise<Place> => {
  try {
    const place = await ledger.prove(stated, { principals, all: !isOpening });
    if (state !== 'PROVED') return { ledger: state === 'MISSING' ? null : place, entry: state };
    return { ledger: place, entry: place === null ? 'UNPROVED' : 'PROVED' };
  } catch (error) {
    if (isOpening && error instanceof PortalError && (error.code === 'BC_ERROR' || error.code === 'DUPLICATE_BC'))
      return { ledger: null, entry: 'UNPROVED' };
    throw error;
  }
};
