import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys of encrypted objects. What was stored before stays as it is until it is encrypted by the job for that. */
export const encryption: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(await readFile(new URL('../schema/encryption.sql', import.meta.url), 'utf8')).execute(db);
  },
};
