import { resolve } from 'node:path';
import { type KeptReport, reportKeptDocuments } from '#features/documents/documents.door.ts';
import { auditLedgerOf, type LedgerFindings } from '#features/ledger/ledger.door.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { createLog } from '#platform/log/log.ts';
import { openStore } from '#platform/objects/open-store.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { leaveRoot } from './leave-root.ts';
import { createMigratedJudge, openDatabaseHere } from './open-database-here.ts';

export { auditLedgerOf };

export interface AuditReport {
  readonly isRight: boolean;
  readonly ledger: LedgerFindings;
  readonly documents: KeptReport;
  readonly scrubDays: number;
}

/**
 * For `pergamin audit`: looks at the ledger, at what its entries are about, and at what the scrub found, in the database, the folders and the store of
 * this environment. Only warnings are logged.
 * @throws SettingsError, STORAGE_ERROR, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const auditHere = async (environment: NodeJS.ProcessEnv): Promise<AuditReport> => {
  const read = readSettings(environment);
  const log = createLog('warn');
  // Folders that root would make could not be used by the portal's user.
  await leaveRoot({ settings: { ...read, dataDir: resolve(read.dataDir) }, log, judge: createMigratedJudge(read, log) });
  const { db, settings, close } = await openDatabaseHere(environment);
  try {
    const { objects } = await openStore(settings);
    const ledger = await auditLedgerOf({ db, settings, log, objects });
    const { scrubDays } = settings;
    const documents = await reportKeptDocuments(db, { now: systemClock.now(), days: scrubDays });
    const isRight = ledger.problem === null && ledger.lost.count === 0 && ledger.missing.count === 0 && documents.wrong.length === 0;
    return { isRight, ledger, documents, scrubDays };
  } finally {
    await close();
  }
};
