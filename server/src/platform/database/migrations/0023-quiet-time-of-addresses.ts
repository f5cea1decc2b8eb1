import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Since when an address that replaced another one is known, and the scope of its own for what a key could do before. */
export const quietTimeOfAddresses: Migration = {
  async up(db: Kysely<unknown>) {
    // Null: the address is the first one, or was there before this column.
    await sql`alter table client add column email_changed_at timestamptz`.execute(db);
    // Reading what clients send and acknowledging it were one scope.
    await sql`update publisher_key set scopes = scopes || 'received:acknowledge'::text
      where 'received:read' = any(scopes) and not 'received:acknowledge' = any(scopes)`.execute(db);
  },
};
