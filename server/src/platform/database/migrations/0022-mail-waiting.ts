import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Until when a mail may be sent, when it is tried next, and the text of those that were given up. */
export const mailWaiting: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(await readFile(new URL('../schema/mail-waiting.sql', import.meta.url), 'utf8')).execute(db);
  },
};
