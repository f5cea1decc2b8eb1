import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The demonstration kept its password and its key to read them again: both are made anew at each start now, and the key of before is void. */
export const noClearDemoSecrets: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`update installation set value = json_build_object('today', value::json -> 'today')::text where name = 'demo.facts'`.execute(
      db,
    );
    await sql`update publisher_key set revoked_at = now() where demo and revoked_at is null`.execute(db);
  },
};
