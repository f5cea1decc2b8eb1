import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which page of a document that is being drawn somebody looks at, so that whichever process draws it takes that one next. */
export const lookedAtPages: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table rendition add column looked_page int check (looked_page > 0)').execute(db);
  },
};
