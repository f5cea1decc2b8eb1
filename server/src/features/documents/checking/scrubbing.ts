import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import { isContentRight, isOwnerRight } from './checks.rules.ts';
import { recordDifferences, setCorrupted } from './checks.store.ts';
import { compareStated, principalsOf } from './differences.rules.ts';
import { type Evidence, findEvidence } from './evidence.store.ts';
import type { ReadAgain, Reading } from './readings.ts';
import { countKept, keepRound, type KeptBytes, type KeptReport, listLongestUnread, reportKept } from './scrubbing.store.ts';

export { type KeptReport, readLastScrub } from './scrubbing.store.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'ledger' | 'settings' | 'clock' | 'log'> {
  readonly readAgain: ReadAgain;
}

interface ScrubFindings {
  readonly read: number;
  readonly damaged: number;
  readonly unreadable: number;
  /** Which are not as their entries in the ledger say, or whose entries do not follow one another. */
  readonly disputed: number;
}

/**
 * Reads a day’s share of all documents again, those first that were not read for the longest time, and compares each with its publication and its
 * entries in the ledger. What is found is kept as a check keeps it, so that the next share goes on behind this one, also after a kill. Nothing is
 * removed or repaired.
 */
type Scrub = (signal: AbortSignal) => Promise<ScrubFindings>;

const dayMs = 86_400_000;
/** Of the documents that are looked for at once. */
const portion = 200;
/** Pauses in proportion, so that a scrub takes at most half of a disk. */
const pausePerReading = 1;

const createScrub = (parts: Parts): Scrub => {
  const { db, ledger, readAgain, clock, log } = parts;

  const isBytesRight = async (
    { id, corrupted }: KeptBytes,
    evidence: Evidence,
    { sha256: bytes }: Reading,
  ): Promise<boolean | undefined> => {
    if (bytes === undefined) return undefined;
    const isRight = isContentRight({ ...evidence, bytes });
    if (isRight === corrupted) await setCorrupted(db, { id, corrupted: !isRight });
    const expected = evidence.registered?.sha256;
    if (!isRight) log.error({ alarm: 'scrub', documentId: id, found: bytes, expected }, 'stored bytes are not those published');
    return isRight;
  };

  /** Beside its bytes: owner, all that its statements name, and that these follow one another. A missing entry is found by the audit, of all documents. */
  const isUndisputed = async ({ id, state }: KeptBytes, evidence: Evidence): Promise<boolean> => {
    const problem = await ledger.findDispute(id, state);
    const differences = [
      ...(isOwnerRight({ ...evidence, principals: principalsOf(evidence.live) }) ? [] : ['OWNER']),
      ...compareStated(evidence).differences,
      ...(problem === undefined ? [] : ['ENTRIES']),
    ];
    await recordDifferences(db, { id, differences });
    if (differences.length === 0) return true;
    log.error({ alarm: 'scrub', documentId: id, problem, differences }, 'a document and its entries in the ledger disagree');
    return false;
  };

  const look = async (document: KeptBytes): Promise<readonly ('damaged' | 'unreadable' | 'disputed')[]> => {
    const [reading, evidence] = await Promise.all([readAgain(document.id, document.object_key), findEvidence(db, document.id)]);
    // Removed since it was looked for.
    if (evidence === undefined) return [];
    const isRight = await isBytesRight(document, evidence, reading);
    const isFine = await isUndisputed(document, evidence);
    return [
      ...(isRight === undefined ? ['unreadable' as const] : []),
      ...(isRight === false ? ['damaged' as const] : []),
      ...(isFine ? [] : ['disputed' as const]),
    ];
  };

  return async (signal) => {
    const before = clock.now();
    const share = Math.ceil((await countKept(db)) / parts.settings.scrubDays);
    const findings = { read: 0, damaged: 0, unreadable: 0, disputed: 0 };
    while (findings.read < share && !signal.aborted) {
      const due = await listLongestUnread(db, { before, limit: Math.min(portion, share - findings.read) });
      if (due.length === 0) break;
      for (const document of due) {
        if (signal.aborted) break;
        const begunAtMs = performance.now();
        for (const what of await look(document)) findings[what] += 1;
        findings.read += 1;
        await pause((performance.now() - begunAtMs) * pausePerReading, undefined, { signal }).catch(() => undefined);
      }
    }
    return findings;
  };
};

/** The documents’ share, and then the whole ledger, from its entries to all documents and back. */
export const createScrubJob = (parts: Parts): JobHandler => {
  const scrub = createScrub(parts);
  const { db, ledger, clock, log } = parts;
  return async (_payload, signal) => {
    const findings = await scrub(signal);
    const found = await ledger.audit(signal);
    if (signal.aborted) return;
    const isLedgerSound = found.problem === null;
    const { lost, missing, ...audited } = found;
    if (!isLedgerSound) log.error({ alarm: 'scrub', ...audited }, 'the ledger is not what was entered');
    if (lost.count > 0) log.error({ alarm: 'scrub', lost }, 'what entries of the ledger are about is gone');
    if (missing.count > 0) log.error({ alarm: 'scrub', missing }, 'published documents have no entry in the ledger');
    const ended = { ...findings, missing: missing.count, lost: lost.count, isLedgerSound };
    await keepRound(db, { ...ended, endedOn: clock.now() });
    log.info({ ...ended, entries: found.entries }, 'the scrub has ended');
  };
};

/** What the last readings of all documents gave; `days`: in which each ought to have been read again. */
export const reportKeptDocuments = (db: Db, { now, days }: { now: Date; days: number }): Promise<KeptReport> =>
  reportKept(db, new Date(now.getTime() - days * dayMs));
