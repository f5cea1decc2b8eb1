import { createKeyCare, type KeyCare } from '#platform/encryption/key-care.ts';
import { openDatabaseHere } from './open-database-here.ts';

/**
 * For `pergamin encryption`: the key file and the clients' keys of this environment, beside a portal that runs as well as while none does.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const openKeyCareHere = async (environment: NodeJS.ProcessEnv): Promise<KeyCare & { close(): Promise<void> }> => {
  const { db, settings, close } = await openDatabaseHere(environment);
  return { ...createKeyCare({ db, settings }), close };
};
