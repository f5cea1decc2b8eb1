import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const files = ['accounts.sql', 'throttle.sql', 'provider.sql'];

/** All tables as they were when the first version was released. */
export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const file of files) await sql.raw(await readFile(new URL(`../schema/${file}`, import.meta.url), 'utf8')).execute(db);
  },
};
