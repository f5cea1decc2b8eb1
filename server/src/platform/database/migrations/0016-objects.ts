import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How long objects are locked, and which were copied to another store. */
export const objects: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(await readFile(new URL('../schema/objects.sql', import.meta.url), 'utf8')).execute(db);
  },
};
