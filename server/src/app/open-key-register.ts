import { userInfo } from 'node:os';
import { createKeyRegister, type KeyRegister } from '#features/publishing/publishing.door.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { isRoot } from '#platform/database/embedded-postgres/operating-system-user.ts';
import { openDatabaseHere } from './open-database-here.ts';

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

/** The register, and the time zone in which moments are told. */
export interface OpenKeyRegister extends KeyRegister {
  readonly timeZone: string;
  close(): Promise<void>;
}

/**
 * For `pergamin keys`: the register of keys in the database of this environment.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const openKeyRegisterHere = async (environment: NodeJS.ProcessEnv): Promise<OpenKeyRegister> => {
  const by = nameOperator(environment);
  const { db, settings, close } = await openDatabaseHere(environment);
  const { timeZone } = settings;
  return { ...createKeyRegister(db, { clock: systemClock, by, timeZone }), timeZone, close };
};
