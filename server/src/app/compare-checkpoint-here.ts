import { compareKept, type KeptComparison } from '#features/ledger/ledger.door.ts';
import { openDatabaseHere } from './open-database-here.ts';

export type { KeptComparison };

/**
 * For `pergamin audit --checkpoint`: compares a checkpoint that somebody kept with the ledger in the database of this environment.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const compareCheckpointHere = async (environment: NodeJS.ProcessEnv, text: string): Promise<KeptComparison> => {
  const { db, close } = await openDatabaseHere(environment);
  try {
    return await compareKept(db, text);
  } finally {
    await close();
  }
};
