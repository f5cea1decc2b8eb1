import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { createKeyRegister, type KeyRegister, KeyRegisterError } from '#features/publishing/publishing.door.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { orRefused } from '#platform/database/check-database.ts';
import { type DatabaseAddress, openDatabase } from '#platform/database/database.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { isRoot } from '#platform/database/embedded-postgres/operating-system-user.ts';
import { findRunningDatabase } from '#platform/database/embedded-postgres/running-database.ts';
import { requireMigrated } from '#platform/database/migrate.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { createLog, type Log } from '#platform/log/log.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { leaveRoot } from './leave-root.ts';

/** For the record of what is done. Behind sudo everybody is root. */
const nameOperator = (environment: NodeJS.ProcessEnv): string => {
  const sudoer = environment['SUDO_USER'] ?? '';
  if (isRoot() && sudoer !== '') return `${sudoer} (sudo)`;
  try {
    return userInfo().username;
  } catch {
    return `user id ${process.getuid?.() ?? 'unknown'}`;
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
  await leaveRoot({ settings, log });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  return { address: { connection: postgres.portalConnection }, stop: postgres.stop };
};

/** The register, and the time zone in which moments are told. */
export interface OpenKeyRegister extends KeyRegister {
  readonly timeZone: string;
  close(): Promise<void>;
}

/**
 * For `pergamin keys`: the register of keys in the database of this environment. Only warnings are logged.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const openKeyRegisterHere = async (environment: NodeJS.ProcessEnv): Promise<OpenKeyRegister> => {
  const by = nameOperator(environment);
  const read = readSettings(environment);
  const settings: Settings = { ...read, dataDir: resolve(read.dataDir) };
  const { timeZone } = settings;
  const log = createLog('warn');
  const databaseServer = await openDatabaseServer(settings, log);
  const { db, close } = openDatabase({ ...databaseServer.address, maxConnections: 1, log });
  const closeAll = async (): Promise<void> => {
    await close();
    await databaseServer.stop();
  };
  try {
    await orRefused('DATABASE_URL', () => requireMigrated(db));
  } catch (error) {
    await closeAll();
    if (!isDatabaseUnavailable(error)) throw error;
    throw new KeyRegisterError('the database cannot be reached', { cause: error });
  }
  return { ...createKeyRegister(db, { clock: systemClock, by, timeZone }), timeZone, close: closeAll };
};
