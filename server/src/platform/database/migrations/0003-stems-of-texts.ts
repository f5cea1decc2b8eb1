import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Stems are kept beside words: the texts that were read before are gone through again, the newest first, and are found by their words meanwhile. */
export const stemsOfTexts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`update document set text_read_at = null where text_read_at is not null`.execute(db);
  },
};
