import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Of the pages that a client reached: those that the viewer could not show, which is recorded with the reading. */
export const pagesNotShown: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table document_mark add column pages_not_shown int[] not null default '{}'`.execute(db);
    await sql`alter table statute_mark add column pages_not_shown int[] not null default '{}'`.execute(db);
  },
};
