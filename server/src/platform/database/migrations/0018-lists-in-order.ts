import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What lists are sorted by, and of what nearly every document has another. */
const texts = ['account_key', 'case_key', 'st_number_key', 'pub_name_key', 'file_key', 'sha256'];
const dates = ['reg_date', 'st_date'];

/**
 * Written as no condition is. To narrow a list by what stands there, the planner would take the index, of whose size it thinks too little, and
 * read a row for each of very many.
 */
const expressions = new Map([
  ...texts.map((key) => [key, `(${key} || '')`] as const),
  ...dates.map((key) => [key, `(${key} + 0)`] as const),
]);

/** The first page of a list in another order is read from an index, and not looked for among all that an owner has (D13). */
export const listsInOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [key, value] of expressions)
      await sql
        .raw(`create index delivery_by_${key} on delivery (principal, kind, ${value}, document_id) where ${value} is not null`)
        .execute(db);
  },
};
