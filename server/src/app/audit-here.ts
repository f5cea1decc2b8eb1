import { type KeptReport, reportKeptDocuments } from '#features/documents/documents.door.ts';
import { auditLedgerOf, type LedgerFindings } from '#features/ledger/ledger.door.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { createLog } from '#platform/log/log.ts';
import { openDatabaseHere } from './open-database-here.ts';

export interface AuditReport {
  readonly isRight: boolean;
  readonly ledger: LedgerFindings;
  readonly documents: KeptReport;
  readonly scrubDays: number;
}

/**
 * For `pergamin audit`: looks at the ledger and at what the scrub found, in the database and the folders of this environment. Only warnings are
 * logged.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const auditHere = async (environment: NodeJS.ProcessEnv): Promise<AuditReport> => {
  const { db, settings, close } = await openDatabaseHere(environment);
  try {
    const ledger = await auditLedgerOf({ db, settings, log: createLog('warn') });
    const { scrubDays } = settings;
    const documents = await reportKeptDocuments(db, { now: systemClock.now(), days: scrubDays });
    return { isRight: ledger.problem === null && documents.wrong.length === 0, ledger, documents, scrubDays };
  } finally {
    await close();
  }
};
