import { resolve } from 'node:path';
import { identityMigrations } from '@pergamin/identity';
import { orRefused } from '#platform/database/check-database.ts';
import { type DatabaseAddress, openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { EmbeddedPostgresError } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { findRunningDatabase } from '#platform/database/embedded-postgres/running-database.ts';
import { judgeMigrations, MigrationError } from '#platform/database/migrate.ts';
import { findPowers } from '#platform/database/role-powers.ts';
import { silentLog } from '#platform/log/log.ts';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';
import { judgeSchemas } from '../prepare-database.ts';
import { type Outcome, reasonOf } from './outcome.ts';

/** A database that was reached, and whose tables are there. */
export interface TriedDatabase {
  readonly outcomes: readonly Outcome[];
  /** Undefined: nothing can be compared with it. */
  readonly database: OpenDatabase | undefined;
}

const name = 'database';

/** Connects as the portal does, and as the owner where the settings name one. The caller closes `database`. */
export const tryDatabase = async (settings: Settings): Promise<TriedDatabase> => {
  try {
    const address = await findAddress(settings);
    return 'state' in address ? { outcomes: [address], database: undefined } : await tryAt(address, settings);
  } catch (error) {
    return { outcomes: [{ name, state: 'wrong', text: sentenceOf(error, 'DATABASE_URL') }], database: undefined };
  }
};

const sentenceOf = (error: unknown, setting: string): string =>
  error instanceof SettingsError || error instanceof MigrationError || error instanceof EmbeddedPostgresError
    ? error.message
    : `${setting}: ${reasonOf(error)}`;

const findAddress = async ({ databaseUrl, dataDir }: Settings): Promise<DatabaseAddress | Outcome> => {
  if (databaseUrl !== undefined) return { url: databaseUrl };
  const without = 'DATABASE_URL: the embedded database, which runs while the portal does';
  try {
    const connection = await findRunningDatabase({ dataDir: resolve(dataDir) });
    return connection === undefined ? { name, state: 'not tried', text: `${without}; start the portal and ask again` } : { connection };
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError) || !error.message.startsWith('There is no portal’s database')) throw error;
    return { name, state: 'not tried', text: `${without}; there is none in DATA_DIR yet` };
  }
};

const tryAt = async (address: DatabaseAddress, settings: Settings): Promise<TriedDatabase> => {
  const log = silentLog();
  const database = openDatabase({ ...address, maxConnections: 2, log });
  try {
    const setting = 'url' in address ? 'DATABASE_URL' : name;
    const about = await orRefused(setting, () => describe(database));
    const { databaseMigrationUrl: url } = settings;
    // The embedded one migrates as its owner.
    const migrates = url !== undefined ? { url } : 'url' in address ? address : undefined;
    const { isNew, missing } = migrates === undefined ? await countAt(database) : await judgeAs(migrates, { address, settings });
    const outcomes: Outcome[] = [{ name, state: 'ok', text: `${about}; ${migrationsText({ isNew, missing })}` }];
    if (!isNew) outcomes.push(await tryRole(database));
    if (settings.databaseReadUrl !== undefined) outcomes.push(await tryReplica(settings.databaseReadUrl));
    if (isNew) await database.close();
    return { outcomes, database: isNew ? undefined : database };
  } catch (error) {
    await database.close();
    throw error;
  }
};

const describe = async ({ pool }: Pick<OpenDatabase, 'pool'>): Promise<string> => {
  const { rows } = await pool.query<{ version: string; encoding: string; database: string; role: string }>(
    `select split_part(current_setting('server_version'), ' ', 1) as version, pg_encoding_to_char(encoding) as encoding, datname as database,
      current_user as role from pg_database where datname = current_database()`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not say what it is');
  return `PostgreSQL ${row.version}, ${row.database} (${row.encoding}), as ${row.role}`;
};

interface Migrated {
  readonly isNew: boolean;
  readonly missing: number;
}

const countAt = async ({ db }: Pick<OpenDatabase, 'db'>): Promise<Migrated> => {
  const [own, identity] = [await judgeMigrations(db), await judgeMigrations(db, identityMigrations)];
  return { isNew: own.isNew, missing: own.missing + identity.missing };
};

const judgeAs = async (
  migrates: DatabaseAddress,
  { address, settings }: { address: DatabaseAddress; settings: Settings },
): Promise<Migrated> => {
  const log = silentLog();
  const owner = openDatabase({ ...migrates, maxConnections: 1, log });
  try {
    const migrationAddress = settings.databaseMigrationUrl === undefined ? undefined : migrates;
    await judgeSchemas(owner, { address, migrationAddress, log });
    return await countAt(owner);
  } finally {
    await owner.close();
  }
};

const migrationsText = ({ isNew, missing }: Migrated): string => {
  if (isNew) return 'it is empty, and the first start makes its tables';
  return missing === 0 ? 'every migration was run' : `${missing} migrations are run by the next start`;
};

const tryRole = async ({ pool }: Pick<OpenDatabase, 'pool'>): Promise<Outcome> => {
  const { role, powers } = await findPowers(pool);
  return powers.length === 0
    ? { name: 'database role', state: 'ok', text: `${role} owns nothing, and cannot switch off what keeps rows unchanged` }
    : {
        name: 'database role',
        state: 'warning',
        text: `${role} ${powers.join(', ')}: give the portal a role of its own (docs/running.md)`,
      };
};

const tryReplica = async (url: string): Promise<Outcome> => {
  const replica = openDatabase({ url, maxConnections: 1, log: silentLog() });
  try {
    return { name: 'read replica', state: 'ok', text: await orRefused('DATABASE_READ_URL', () => describe(replica)) };
  } catch (error) {
    return { name: 'read replica', state: 'wrong', text: sentenceOf(error, 'DATABASE_READ_URL') };
  } finally {
    await replica.close();
  }
};
