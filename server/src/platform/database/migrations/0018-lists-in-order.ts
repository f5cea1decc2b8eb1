import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What lists are sorted by, and of what nearly every document has another. */
const keys = ['account_key', 'case_key', 'st_number_key', 'pub_name_key', 'file_key', 'sha256', 'reg_date', 'st_date'];

/** The first page of a list in another order is read from an index, and not looked for among all that an owner has (D13). */
export const listsInOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const key of keys)
      await sql
        .raw(`create index delivery_by_${key} on delivery (principal, kind, ${key}, document_id) where ${key} is not null`)
        .execute(db);
  },
};
