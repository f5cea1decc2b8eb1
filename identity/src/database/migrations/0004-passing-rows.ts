import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rows of sign-ins that are under way: when PostgreSQL crashes they are gone, and whoever was signing in begins again. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table identity.oidc_payload set unlogged`.execute(db);
  },
};
