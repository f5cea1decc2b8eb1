import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import { setCorrupted } from './checks.store.ts';
import type { ReadAgain } from './readings.ts';
import { countKept, keepRound, type KeptBytes, type KeptReport, listLongestUnread, reportKept } from './scrubbing.store.ts';

export { type KeptReport, readLastScrub } from './scrubbing.store.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'ledger' | 'settings' | 'clock' | 'log'> {
  readonly readAgain: ReadAgain;
}

interface ScrubFindings {
  readonly read: number;
  readonly damaged: number;
  readonly unreadable: number;
  /** Whose entries in the ledger cannot be proved, do not follow one another, or end with another state. */
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

  const isContentRight = async ({ id, object_key: objectKey, sha256, corrupted }: KeptBytes): Promise<boolean | undefined> => {
    const [reading, entry] = await Promise.all([readAgain(id, objectKey), ledger.findRegistered(id)]);
    if (reading.sha256 === undefined) return undefined;
    const isRight = reading.sha256 === sha256 && (entry === undefined || entry.statement?.sha256 === sha256);
    if (isRight === corrupted) await setCorrupted(db, { id, corrupted: !isRight });
    if (!isRight)
      log.error({ alarm: 'scrub', documentId: id, found: reading.sha256, expected: sha256 }, 'stored bytes are not those published');
    return isRight;
  };

  const isUndisputed = async ({ id, state }: KeptBytes): Promise<boolean> => {
    const problem = await ledger.findDispute(id, state);
    if (problem !== undefined) log.error({ alarm: 'scrub', documentId: id, problem }, 'a document and its entries in the ledger disagree');
    return problem === undefined;
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
        const isRight = await isContentRight(document);
        if (isRight === undefined) findings.unreadable += 1;
        if (isRight === false) findings.damaged += 1;
        if (!(await isUndisputed(document))) findings.disputed += 1;
        findings.read += 1;
        await pause((performance.now() - begunAtMs) * pausePerReading, undefined, { signal }).catch(() => undefined);
      }
    }
    return findings;
  };
};

/** The documents’ share, and then the whole ledger. */
export const createScrubJob = (parts: Parts): JobHandler => {
  const scrub = createScrub(parts);
  const { db, ledger, clock, log } = parts;
  return async (_payload, signal) => {
    const findings = await scrub(signal);
    const found = await ledger.audit(signal);
    if (signal.aborted) return;
    const isLedgerSound = found.problem === null;
    if (!isLedgerSound) log.error({ alarm: 'scrub', ...found }, 'the ledger is not what was entered');
    await keepRound(db, { ...findings, isLedgerSound, endedOn: clock.now() });
    log.info({ ...findings, entries: found.entries, isLedgerSound }, 'the scrub has ended');
  };
};

/** What the last readings of all documents gave; `days`: in which each ought to have been read again. */
export const reportKeptDocuments = (db: Db, { now, days }: { now: Date; days: number }): Promise<KeptReport> =>
  reportKept(db, new Date(now.getTime() - days * dayMs));
