import { identityMigrations } from '@pergamin/identity';
import { sql } from 'kysely';
import { checkDatabase, orRefused } from '#platform/database/check-database.ts';
import { type DatabaseAddress, openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { grantToPortal } from '#platform/database/grants.ts';
import { judgeMigrations, MigrationError, migrateToLatest } from '#platform/database/migrate.ts';
import { jobsSchema, judgeJobs, migrateJobs } from '#platform/jobs/worker.ts';
import type { Log } from '#platform/log/log.ts';

interface Parts {
  /** As the portal connects at work. */
  readonly address: DatabaseAddress;
  /** As the owner of everything, for this alone. Undefined: the portal's own role owns everything. */
  readonly migrationAddress?: DatabaseAddress | undefined;
  readonly log: Log;
}

/**
 * Refuses a database that the portal cannot work with, brings all schemas up to date over connections that are closed again, and gives the
 * portal's role what it needs.
 * @throws SettingsError, MigrationError
 */
export const prepareDatabase = async ({ address, migrationAddress, log }: Parts): Promise<void> => {
  const { db, pool, close } = openDatabase({ ...(migrationAddress ?? address), maxConnections: 2, log });
  try {
    const { portalRole } = await judgeSchemas({ db, pool }, { address, migrationAddress, log });
    await migrateToLatest(db, log);
    await migrateToLatest(db, log, identityMigrations);
    await migrateJobs(pool, log);
    if (portalRole !== undefined) await grantToPortal(db, portalRole);
  } finally {
    await close();
  }
};

interface Schemas {
  /** Undefined: the role that migrates is the portal's own. */
  readonly portalRole: string | undefined;
  /** No migration was ever run. */
  readonly isNew: boolean;
}

/**
 * Whether the portal can work with this database and bring it up to date. Reads only, as the role that migrates.
 * @throws SettingsError, MigrationError
 */
export const judgeSchemas = async (
  { db, pool }: Pick<OpenDatabase, 'db' | 'pool'>,
  { address, migrationAddress, log }: Parts,
): Promise<Schemas> => {
  await checkDatabase(pool, {
    setting: migrationAddress === undefined ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL',
    schemas: [identityMigrations.schema, jobsSchema],
  });
  const { isNew } = await judgeMigrations(db);
  await judgeMigrations(db, identityMigrations);
  await judgeJobs(pool);
  if (migrationAddress === undefined) return { portalRole: undefined, isNew };
  const [owner, portal] = [await whoAmI({ db }), await askWhoIsAt(address, log)];
  if (owner.database !== portal.database)
    throw new MigrationError(`DATABASE_MIGRATION_URL names the database ${owner.database}, and DATABASE_URL names ${portal.database}`);
  return { portalRole: portal.role, isNew };
};

interface Who {
  readonly role: string;
  readonly database: string;
}

const whoAmI = async ({ db }: Pick<OpenDatabase, 'db'>): Promise<Who> => {
  const { rows } = await sql<Who>`select current_user as role, current_database() as database`.execute(db);
  const [who] = rows;
  if (who === undefined) throw new Error('the database does not say who is connected');
  return who;
};

const askWhoIsAt = async (address: DatabaseAddress, log: Log): Promise<Who> => {
  const { db, close } = openDatabase({ ...address, maxConnections: 1, log });
  try {
    return await orRefused('DATABASE_URL', () => whoAmI({ db }));
  } finally {
    await close();
  }
};
