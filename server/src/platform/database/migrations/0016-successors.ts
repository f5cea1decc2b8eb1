import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Both directions are this one column, so that they cannot disagree: the successor of a document stands in its row, and whose successor a
  // document is, is read from the index. Looked at when the transaction ends: the name passes on before the row that takes it is there.
  `alter table document
    add column successor uuid references document deferrable initially deferred check (successor <> id)`,
  'create unique index document_successor on document (successor) where successor is not null',
  // A new version may keep the publisher's name of the document: it belongs to the latest.
  'drop index document_unique_name',
  'create unique index document_unique_name on document (unique_name) where unique_name is not null and successor is null',
  // Whether an earlier version had this name and these bytes is asked at every publication with a name.
  'create index document_former_name on document (unique_name) where unique_name is not null and successor is not null',
];

/** New versions of documents: which document took the place of which (R2). */
export const successors: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
