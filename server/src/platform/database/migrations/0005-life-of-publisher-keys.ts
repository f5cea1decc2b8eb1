import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys end by a date, by revocation or by rotation, and say who decided it. Of keys that were issued before, who did so is not known. */
export const lifeOfPublisherKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table publisher_key
      add column key_start text,
      add column expires_at timestamptz,
      add column issued_by text,
      add column revoked_by text,
      add column replaces uuid references publisher_key`.execute(db);
    // A key has one successor; also serves the list, which names it.
    await sql`create unique index publisher_key_successor on publisher_key (replaces)`.execute(db);
    // Apart from the key, whose row is locked by the publications that are made with it.
    await sql`create table publisher_key_use (
      key_id uuid primary key references publisher_key,
      last_used_at timestamptz not null
    )`.execute(db);
  },
};
