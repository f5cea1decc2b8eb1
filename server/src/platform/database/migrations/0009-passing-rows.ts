import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Rows of sign-ins that are under way live for minutes and are worth no write-ahead log: when PostgreSQL crashes they are gone, with every
 * code among them, and whoever was signing in begins again. What must outlive a crash stays as it was: sessions, and assertions that were used.
 */
export const passingRows: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table sign_in_transaction set unlogged`.execute(db);
    await sql`alter table sign_in_code set unlogged`.execute(db);
  },
};
