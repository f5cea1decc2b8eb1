import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { judgeMarker } from '#features/metadata/metadata.door.ts';
import { judgeFirstKey } from '#features/publishing/publishing.door.ts';
import { type DatabaseAddress, openDatabase } from '#platform/database/database.ts';
import { findDatabaseFolder } from '#platform/database/embedded-postgres/hand-over.ts';
import type { Db } from '#platform/database/schema.ts';
import { unlessMissing } from '#platform/disk/files.ts';
import { judgeEncryption } from '#platform/encryption/open-encryption.ts';
import type { Log } from '#platform/log/log.ts';
import { judgeStoreOf } from '#platform/objects/recognised-store.ts';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';
import { openPolicy } from '#platform/witnesses/open-policy.ts';
import { refuseDemonstration } from './demonstration.ts';
import { judgeSchemas } from './prepare-database.ts';

/*
 * Everything for which a start is refused, before anything is made, migrated or given to another user: a refused start leaves data and database as
 * they were, for the version or the settings that they belong to.
 */

/**
 * What can be refused without the database.
 * @throws SettingsError, KeyRegisterError, EmbeddedPostgresError
 */
export const judgeFiles = async (settings: Settings): Promise<void> => {
  await openPolicy(settings.ledgerPolicyFile);
  await requireWritable(resolve(settings.dataDir));
  const isNew = settings.databaseUrl === undefined && !(await hasEmbeddedDatabase(settings));
  if (isNew) await judgeContents(undefined, settings);
};

interface Parts {
  readonly settings: Settings;
  /** As the portal connects at work. */
  readonly address: DatabaseAddress;
  readonly migrationAddress?: DatabaseAddress | undefined;
  readonly log: Log;
}

/**
 * What can be refused for the database, and for what belongs to it. Reads only.
 * @throws SettingsError, MigrationError, DemonstrationError, KeyRegisterError
 */
export const judgeDatabase = (parts: Parts): Promise<void> => withTables(parts, (db) => judgeContents(db, parts.settings));

/** Of these, whether it can be used and brought up to date. Throws SettingsError, MigrationError. */
export const judgeTables = (parts: Parts): Promise<void> => withTables(parts, async () => {});

const withTables = async (parts: Parts, judge: (db: Db | undefined) => Promise<void>): Promise<void> => {
  const { db, pool, close } = openDatabase({ ...(parts.migrationAddress ?? parts.address), maxConnections: 1, log: parts.log });
  try {
    const { isNew } = await judgeSchemas({ db, pool }, parts);
    await judge(isNew ? undefined : db);
  } finally {
    await close();
  }
};

/** `db` is undefined where there are no tables yet. */
const judgeContents = async (db: Db | undefined, settings: Settings): Promise<void> => {
  if (db !== undefined) {
    await refuseDemonstration(db, settings.publicUrl);
    await judgeMarker(db, settings);
  }
  await judgeStoreOf({ db, settings });
  await judgeEncryption({ db, settings });
  await judgeFirstKey(db, join(settings.dataDir, 'publisher.key'));
};

const hasEmbeddedDatabase = async ({ dataDir }: Settings): Promise<boolean> => {
  const folder = await findDatabaseFolder(resolve(dataDir));
  return (await unlessMissing(stat(join(folder, 'data')))) !== undefined;
};

const requireWritable = async (dataDir: string): Promise<void> => {
  for (let path = dataDir; ; path = dirname(path)) {
    const found = await unlessMissing(stat(path));
    if (found === undefined) continue;
    const isOpen = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found.isDirectory() && isOpen) return;
    throw new SettingsError(
      path === dataDir
        ? `DATA_DIR: ${dataDir} ${found.isDirectory() ? 'cannot be written by this user' : 'is no folder'}`
        : `DATA_DIR: ${dataDir} is not there, and ${path} ${found.isDirectory() ? 'cannot be written by this user' : 'is no folder'}`,
    );
  }
};
