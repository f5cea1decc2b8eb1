import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Of the folder `schema`, each after those that it refers to. */
const files = [
  'insert-only.sql',
  'installation.sql',
  'clients.sql',
  'sign-in.sql',
  'publishers.sql',
  'metadata.sql',
  'documents.sql',
  'deliveries.sql',
  'search.sql',
  'statute.sql',
  'sent-documents.sql',
  'saved-views.sql',
  'exports.sql',
  'mail.sql',
  'notices.sql',
];

/** All tables as they were when the first version was released. */
export const baseline: Migration = {
  async up(db: Kysely<unknown>) {
    for (const file of files) await sql.raw(await readFile(new URL(`../schema/${file}`, import.meta.url), 'utf8')).execute(db);
  },
};
