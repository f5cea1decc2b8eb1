import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Pages are drawn on request: the stored images are all the state there is. */
export const renditionOnDemand: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('drop table rendition').execute(db);
  },
};
