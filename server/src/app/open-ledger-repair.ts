import { createLedgerRepair, type LedgerRepair } from '#features/ledger/ledger.door.ts';
import { openDatabaseHere } from './open-database-here.ts';

/**
 * For `pergamin ledger`: the ledger of this environment, beside a portal that runs as well as while none does.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const openLedgerRepairHere = async (environment: NodeJS.ProcessEnv): Promise<LedgerRepair & { close(): Promise<void> }> => {
  const { db, settings, close } = await openDatabaseHere(environment);
  return { ...createLedgerRepair({ db, settings }), close };
};
