import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migration as first } from './migrations/0001-first.ts';
import { migration as passwords } from './migrations/0002-passwords.ts';
import { migration as activationCodes } from './migrations/0003-activation-codes.ts';
import { migration as passingRows } from './migrations/0004-passing-rows.ts';
import { identitySchema } from './tables.ts';

const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': first,
  '0002-passwords': passwords,
  '0003-activation-codes': activationCodes,
  '0004-passing-rows': passingRows,
};

/** Brings identity's own schema up to date: all missing migrations in one transaction, or none. Several processes may call it at once. */
export const migrateIdentity = async <Schema>(db: Kysely<Schema>): Promise<void> => {
  await db.connection().execute(async (connection) => {
    // Waiting for another process that migrates may take longer than any statement of a request.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: async () => ({ ...migrations }) },
        migrationTableSchema: identitySchema,
      });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw new Error('The identity schema could not be migrated', { cause: error });
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
};
