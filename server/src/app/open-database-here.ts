import { resolve } from 'node:path';
import { KeyRegisterError } from '#features/publishing/publishing.door.ts';
import { orRefused } from '#platform/database/check-database.ts';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { type DatabaseAddress, openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { findRunningDatabase } from '#platform/database/embedded-postgres/running-database.ts';
import { requireMigrated } from '#platform/database/migrate.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { createLog, type Log } from '#platform/log/log.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { leaveRoot } from './leave-root.ts';

/** Programs beside the portal migrate nothing, and refuse what it has not brought up to date. */
const requireUsable = async ({ db }: Pick<OpenDatabase, 'db'>): Promise<void> => {
  try {
    await orRefused('DATABASE_URL', () => requireMigrated(db));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw new KeyRegisterError('the database cannot be reached', { cause: error });
  }
};

/** For leaveRoot and startEmbeddedPostgres: nothing is given away for what is then refused. */
export const createMigratedJudge =
  ({ databaseUrl: url }: Pick<Settings, 'databaseUrl'>, log: Log) =>
  async (connection?: DatabaseConnection): Promise<void> => {
    const address = connection === undefined ? url && { url } : { connection };
    if (!address) return;
    const database = openDatabase({ ...address, maxConnections: 1, log });
    try {
      await requireUsable(database);
    } finally {
      await database.close();
    }
  };

/** Beside a portal that runs as well as while none does. */
const openDatabaseServer = async (
  settings: Settings,
  log: Log,
): Promise<{ readonly address: DatabaseAddress; readonly stop: () => Promise<void> }> => {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) return { address: { url: databaseUrl }, stop: async () => {} };
  const running = await findRunningDatabase({ dataDir });
  if (running !== undefined) return { address: { connection: running }, stop: async () => {} };
  const judge = createMigratedJudge(settings, log);
  await leaveRoot({ settings, log, judge });
  const postgres = await startEmbeddedPostgres({ dataDir, log, judge });
  return { address: { connection: postgres.portalConnection }, stop: postgres.stop };
};

/**
 * For commands on the portal's machine: the database of this environment. Only warnings are logged.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const openDatabaseHere = async (environment: NodeJS.ProcessEnv) => {
  const read = readSettings(environment);
  const settings: Settings = { ...read, dataDir: resolve(read.dataDir) };
  const log = createLog('warn');
  const databaseServer = await openDatabaseServer(settings, log);
  const { db, close } = openDatabase({ ...databaseServer.address, maxConnections: 1, log });
  const closeAll = async (): Promise<void> => {
    await close();
    await databaseServer.stop();
  };
  try {
    await requireUsable({ db });
  } catch (error) {
    await closeAll();
    throw error;
  }
  return { db, settings, close: closeAll };
};
