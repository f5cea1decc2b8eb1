import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  `alter table identity.password_link drop constraint password_link_pkey`,
  `alter table identity.password_link drop constraint password_link_token_hash_key`,
  `alter table identity.password_link add primary key (token_hash)`,
  `create index password_link_person on identity.password_link (personal_id)`,
];

/** A person may have several links at once: whoever asks for another one does not take an unused one away. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
