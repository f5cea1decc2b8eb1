import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { DatabaseLog } from './connection.ts';
import { migrations as ownMigrations } from './migrations/index.ts';

/** A migration failed, and with it the whole batch; or the database is newer than this Pergamin. The cause says why. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Brings the schema up to date: all missing migrations in one transaction, or none. Several processes may call it at once; one works, the
 * others wait and find nothing left to do.
 * @throws MigrationError
 */
export async function migrateToLatest<Schema>(
  db: Kysely<Schema>,
  log: Pick<DatabaseLog, 'info'>,
  migrations: Readonly<Record<string, Migration>> = ownMigrations,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Rewriting a large table, or waiting for another process that does, may take longer than any statement of a request.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await migrate({ connection, log, migrations });
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

async function migrate<Schema>({
  connection,
  log,
  migrations,
}: {
  connection: Kysely<Schema>;
  log: Pick<DatabaseLog, 'info'>;
  migrations: Readonly<Record<string, Migration>>;
}): Promise<void> {
  const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new MigrationError(`The database could not be migrated${failed === undefined ? '' : ` (${failed})`}: ${reason}`, {
      cause: error,
    });
  }
  for (const { migrationName } of results) log.info({ migration: migrationName }, 'database migrated');
}
