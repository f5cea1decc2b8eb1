import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const column = `
alter table document
  -- What was found out about the seal of the PDF when it was published; null: it has none, or its class is not asked for one.
  add column seal jsonb;
`;

/** The seal of a document is verified once, when it is published. */
export const sealsOfDocuments: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(column).execute(db);
  },
};
