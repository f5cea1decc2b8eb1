import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  completeBackup,
  copyMissing,
  makeBackupFolder,
  requireListedOnly,
  restorePart,
  verifyFiles,
} from '#platform/backup/backup-folder.ts';
import { authenticateList, BackupError, makeBackupKey, readList } from '#platform/backup/backup-list.ts';
import { isOfCluster, makeClusterFolder, requireClusterOnly } from '#platform/backup/cluster-files.ts';
import { copyFile, makeFolder, type Owner } from '#platform/backup/copied-files.ts';
import { copyDatabase } from '#platform/backup/database-copy.ts';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { DATABASE_OWNER } from '#platform/database/embedded-postgres/cluster.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { findRunningDatabase } from '#platform/database/embedded-postgres/running-database.ts';
import { listFolder } from '#platform/disk/files.ts';
import { createLog } from '#platform/log/log.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { leaveRoot } from './leave-root.ts';
import { createMigratedJudge } from './open-database-here.ts';
import { openKeyCareHere } from './open-key-care.ts';

export { BackupError } from '#platform/backup/backup-list.ts';

interface Target {
  /** For database, objects and ledger. */
  readonly folder: string;
  /** For the keys, without which the other one can be neither read nor gone on with. */
  readonly keys: string;
}

const settingsOf = (environment: NodeJS.ProcessEnv): Settings => {
  const read = readSettings(environment);
  return { ...read, dataDir: resolve(read.dataDir) };
};

const requireEmbedded = ({ databaseUrl }: Settings): void => {
  if (databaseUrl !== undefined)
    throw new BackupError(
      'DATABASE_URL: a PostgreSQL server of your own is backed up by its own tools; docs/backup.md says in which order',
    );
};

const requireFiles = ({ bucket }: Settings): void => {
  if (bucket !== undefined)
    throw new BackupError(
      'OBJECTS_URL: the documents are in a bucket, which this command does not copy: let the bucket keep versions, and replicate it by its own means (docs/storage.md). --without-objects backs up the rest',
    );
};

/** The embedded database as its owner, beside a portal that runs as well as while none does. */
const openOwned = async (settings: Settings): Promise<{ readonly connection: DatabaseConnection; readonly stop: () => Promise<void> }> => {
  const { dataDir } = settings;
  const running = await findRunningDatabase({ dataDir });
  if (running !== undefined) return { connection: { ...running, user: DATABASE_OWNER }, stop: async () => {} };
  const log = createLog('warn');
  const judge = createMigratedJudge(settings, log);
  await leaveRoot({ settings, log, judge });
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log, judge });
  return { connection, stop };
};

const backUpKeys = async (environment: NodeJS.ProcessEnv, { ledgerKeyFile }: Settings, folder: string): Promise<void> => {
  const care = await openKeyCareHere(environment);
  try {
    if ((await care.status()).versions.length > 0) await care.backup(join(folder, 'encryption.key'));
  } finally {
    await care.close();
  }
  if ((await copyFile(ledgerKeyFile, join(folder, 'ledger.key'))) === undefined)
    throw new BackupError(`${ledgerKeyFile} is not there: was a portal ever started here?`);
};

/**
 * Backs up this environment while its portal runs, or while none does: objects, then ledger and database of one moment, then the objects that came
 * meanwhile. The ledger is copied before the moment that the database shows, as a ledger that is ahead of its database halts. Resolves to the number of files.
 * @throws BackupError, SettingsError, EmbeddedPostgresError, MigrationError, KeyRegisterError, KeyUnavailable
 */
export const backUpHere = async (
  environment: NodeJS.ProcessEnv,
  { folder, keys, withoutObjects = false }: Target & { readonly withoutObjects?: boolean },
): Promise<number> => {
  const settings = settingsOf(environment);
  requireEmbedded(settings);
  if (!withoutObjects) requireFiles(settings);
  if (resolve(folder) === resolve(keys))
    throw new BackupError('The keys need another folder than the backup: together they tell everything');
  const database = await openOwned(settings);
  try {
    await makeBackupFolder(folder);
    await makeBackupFolder(keys);
    const [objects, isSpooled] = [join(settings.dataDir, 'objects'), (path: string) => path.startsWith('spool/')];
    const copyObjects = async (): Promise<void> => {
      if (!withoutObjects) await copyMissing(objects, join(folder, 'objects'), isSpooled);
    };
    await copyObjects();
    await copyDatabase({
      connection: database.connection,
      target: join(folder, 'postgres'),
      before: async () => void (await copyMissing(settings.ledgerDir, join(folder, 'ledger'))),
    });
    await copyObjects();
  } finally {
    await database.stop();
  }
  await backUpKeys(environment, settings, keys);
  const key = await makeBackupKey(keys);
  await completeBackup(keys);
  return await completeBackup(folder, key);
};

interface Given {
  readonly folder: string;
  readonly keys?: string | undefined;
  /** Takes a backup of before, which nobody can authenticate. */
  readonly unauthenticated?: boolean;
}

/**
 * Judges a backup: that the key in the folder of its keys has authenticated the list, that nothing else lies there, and that each file is as it was listed. Resolves
 * to the number of files.
 * @throws BackupError
 */
export const verifyBackup = async ({ folder, keys, unauthenticated }: Given): Promise<number> => {
  const files = await authenticateList(folder, { keys, unauthenticated });
  requireClusterOnly(folder, files);
  await requireListedOnly(folder, files);
  const ofKeys = keys === undefined ? 0 : await verifyFiles(keys, await readList(keys));
  return ofKeys + (await verifyFiles(folder, files));
};

/** Whose files root restores: those of the user that DATA_DIR belongs to; a start by root gives the files of root's own DATA_DIR away itself. */
const ownerOf = async (dataDir: string): Promise<Owner> => {
  const { uid, gid } = await stat(dataDir);
  return { uid, gid };
};

const requireNothing = async (folder: string, name: string): Promise<void> => {
  const there = (await listFolder(folder)).filter((entry) => entry !== 'lost+found');
  if (there.length > 0) throw new BackupError(`${name}: ${folder} is not empty, and a restore overwrites nothing`);
};

const restoreKey = async (from: string, to: string, owner: Owner): Promise<boolean> => {
  try {
    return (await copyFile(from, to, owner)) !== undefined;
  } catch (error) {
    throw new BackupError(`${to} cannot be written, or is there already`, { cause: error });
  }
};

/** Without it a start takes the folder for no database: what was not restored to its end is never started. */
const versionFile = 'PG_VERSION';

/**
 * Restores a backup into the empty DATA_DIR of this environment, and its keys to where the settings say, once the keys have authenticated it. The configuration of
 * PostgreSQL is written anew. The database comes last: after a restore that was broken off the portal refuses to start, as it does with objects that its database
 * does not know.
 * @throws BackupError, SettingsError
 */
export const restoreHere = async (
  environment: NodeJS.ProcessEnv,
  { folder, keys, unauthenticated }: Given & Pick<Target, 'keys'>,
): Promise<void> => {
  const settings = settingsOf(environment);
  requireEmbedded(settings);
  const { dataDir, ledgerDir } = settings;
  await requireNothing(dataDir, 'DATA_DIR');
  await requireNothing(ledgerDir, 'LEDGER_DIR');
  const files = await authenticateList(folder, { keys, unauthenticated });
  requireClusterOnly(folder, files);
  await requireListedOnly(folder, files);
  await verifyFiles(keys, await readList(keys));
  await makeFolder(dataDir);
  const owner = await ownerOf(dataDir);
  await restorePart(folder, { files, part: 'objects', to: join(dataDir, 'objects'), owner });
  await restorePart(folder, { files, part: 'ledger', to: ledgerDir, owner });
  if (!(await restoreKey(join(keys, 'ledger.key'), settings.ledgerKeyFile, owner)))
    throw new BackupError(`${keys} holds no ledger.key: name the folder that the keys of this backup were written to`);
  await restoreKey(join(keys, 'encryption.key'), settings.encryptionKeyFile, owner);
  const data = join(dataDir, 'postgres', 'data');
  await makeFolder(data, owner);
  await makeClusterFolder(data, owner);
  const cluster = { files, part: 'postgres', to: data, owner };
  await restorePart(folder, { ...cluster, isRestored: (path) => path !== versionFile && isOfCluster(path) });
  await restorePart(folder, { ...cluster, isRestored: (path) => path === versionFile });
};
