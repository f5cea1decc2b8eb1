import { identityMigrations } from '@pergamin/identity';
import { sql } from 'kysely';
import { checkDatabase, orRefused } from '#platform/database/check-database.ts';
import { type DatabaseAddress, openDatabase } from '#platform/database/database.ts';
import { grantToPortal } from '#platform/database/grants.ts';
import { MigrationError, migrateToLatest } from '#platform/database/migrate.ts';
import { jobsSchema, migrateJobs } from '#platform/jobs/worker.ts';
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
    await checkDatabase(pool, {
      setting: migrationAddress === undefined ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL',
      schemas: [identityMigrations.schema, jobsSchema],
    });
    await migrateToLatest(db, log);
    await migrateToLatest(db, log, identityMigrations);
    await migrateJobs(pool, log);
    if (migrationAddress === undefined) return;
    const [owner, portal] = [await whoAmI({ db }), await askWhoIsAt(address, log)];
    if (owner.database !== portal.database)
      throw new MigrationError(`DATABASE_MIGRATION_URL names the database ${owner.database}, and DATABASE_URL names ${portal.database}`);
    await grantToPortal(db, portal.role);
  } finally {
    await close();
  }
};

interface Who {
  readonly role: string;
  readonly database: string;
}

const whoAmI = async ({ db }: Pick<ReturnType<typeof openDatabase>, 'db'>): Promise<Who> => {
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
