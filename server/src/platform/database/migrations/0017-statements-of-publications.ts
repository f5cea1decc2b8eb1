import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** As `ledger_metadata`, before it is hashed. */
const lines = `
create function ledger_lines(doc document) returns text language sql stable as $$
  select coalesce(string_agg(key || '=' || value::text, E'\\n' order by key collate "C"), '')
  from jsonb_each(jsonb_strip_nulls(jsonb_build_object(
    'kind', doc.kind, 'fileName', doc.file_name, 'version', doc.version, 'marker', doc.marker, 'regDate', doc.reg_date,
    'stDate', doc.st_date, 'stPeriodStart', doc.st_period_start, 'stPeriodEnd', doc.st_period_end, 'accountNumber', doc.account_number,
    'caseNumber', doc.case_number, 'productGroup', doc.priv_product_group, 'stNumber', doc.st_number, 'stDocType', doc.st_doc_type
  ) || doc.meta))
$$;
`;

const columns = `
-- The retention that the statement of the publication names. Null also of publications of before, whose statements name none.
alter table publication add column retention_date date;
-- What was not as the ledger says when it was last compared: empty, nothing; null, it was not compared since then.
alter table document_check add column differences text[];
-- Documents without an entry in the ledger, and entries whose document, publication, delivery or bytes are gone.
alter table scrub_round
  add column missing int not null default 0,
  add column lost int not null default 0;
`;

const indexes = `
-- What a check compares of a document: a group's document has an entry for each notice besides.
create index ledger_entry_said on ledger_entry (document_id, index) where event <> 'NOTIFIED';
-- What is not covered yet of a document that is checked.
create index ledger_pending_document on ledger_pending (document_id);
`;

/** Statements of publications name the retention, and a check compares all that they name. */
export const statementsOfPublications: Migration = {
  async up(db: Kysely<unknown>) {
    for (const part of [lines, columns, indexes]) await sql.raw(part).execute(db);
  },
};
