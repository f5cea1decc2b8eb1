import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What lists are searched and sorted by: a column of `delivery`, its type, and its value of the document `doc`. What is asked for most often
 * stands first, since a row is read up to the last column that is asked for.
 */
const listed: readonly (readonly [column: string, type: string, value: string])[] = [
  ['first_cif', 'text', 'case when doc.cif2 is not null then doc.cif end'],
  ['second_cif', 'text', 'doc.cif2'],
  ['search_text', 'text', 'doc.search_text'],
  ['account_key', 'text', `regexp_replace(doc.account_number, '\\s', '', 'g')`],
  ['case_key', 'text collate "C"', 'listing_key(doc.case_number)'],
  ['product_group', 'text', 'doc.priv_product_group'],
  ['st_number_key', 'text collate "C"', 'listing_key(doc.st_number)'],
  ['st_doc_type', 'text', 'doc.st_doc_type'],
  ['pub_name_key', 'text collate "C"', `listing_key(doc.meta ->> 'PUB_FILENAME')`],
  ['pub_duration_key', 'text collate "C"', `listing_key(doc.meta ->> 'PUB_DESC_DURATION_TIME')`],
  ['pub_product_group', 'text', `doc.meta ->> 'PUB_DOC_PRODUCT_GROUP'`],
  ['file_key', 'text collate "C"', 'listing_key(doc.file_name)'],
  ['extension_key', 'text collate "C"', `listing_key(doc.meta ->> 'DOC_EXT')`],
  ['bar_number', 'text', `doc.meta ->> 'BAR_NUMBER'`],
  ['expires_on', 'date', `(doc.meta ->> '11')::date`],
  ['retention_date', 'date', 'doc.retention_date'],
  ['size', 'bigint', 'doc.size'],
  ['version', 'int', 'doc.version'],
  ['state', 'text', 'doc.state'],
  ['is_locked', 'boolean', `coalesce((doc.meta ->> 'HCP')::boolean, false)`],
  ['reg_date', 'date', 'doc.reg_date'],
  ['st_date', 'date', 'doc.st_date'],
  ['st_period_start', 'date', 'doc.st_period_start'],
  ['st_period_end', 'date', 'doc.st_period_end'],
  ['sha256', 'text collate "C"', 'doc.sha256'],
];
const columns = listed.map(([column]) => column).join(', ');

/** What a document's deliveries are made of. */
const watched = `account_number case_number priv_product_group st_number st_doc_type reg_date st_date st_period_start st_period_end meta
  search_text file_name retention_date size version state sha256 cif cif2`.split(/\s+/);
const watchedOf = (row: string): string => watched.map((name) => `${row}.${name}`).join(', ');

const droppedIndexes = [
  'document',
  'cut',
  'by_publication',
  'by_listing',
  'by_place',
  'content',
  'rest',
  'numbers',
  'checksums',
  'joint',
  ...['private', 'statement', 'public'].flatMap((kind) => [`${kind}_values`, `${kind}_text`, `${kind}_shown`]),
  ...['account_key', 'case_key', 'st_number_key', 'pub_name_key', 'file_key', 'sha256'].map((key) => `by_${key}`),
  ...['reg_date', 'st_date', 'product_group', 'st_doc_type', 'pub_product_group'].map((key) => `by_${key}`),
];

const indexes: readonly (readonly [name: string, definition: string, query: string])[] = [
  [
    'delivery_by_publication',
    '(principal, kind, published_at desc, document_id desc) include (listed_on)',
    'lists.store.ts: the page of a list as it opens, in the order of publication, and its number',
  ],
  [
    'delivery_by_listing',
    '(principal, kind, listed_on) include (published_at)',
    'lists.store.ts: the number of documents of a list in a period',
  ],
  ['delivery_document', '(document_id)', 'the deliveries of one document, when it changes, leaves the lists or is removed'],
  ['delivery_content', '(principal, content_key)', 'own-documents.store.ts: documents of a client by their checksum'],
  ['delivery_joint', '(principal) where second_cif is not null', 'principals.store.ts: whether a client has documents with two owners'],
];

const statements: readonly string[] = [
  'drop trigger delivery_is_filled on delivery',
  'drop trigger delivery_takes_content on delivery',
  'drop trigger document_changes_lists on document',
  'drop trigger document_leaves_lists on document',
  'drop function fill_delivery()',
  'drop function take_content()',
  'drop function refresh_deliveries()',
  'drop function leave_lists()',
  'drop function listed_values(document)',
  'drop table delivery_block',
  ...droppedIndexes.map((name) => `drop index delivery_${name}`),
  `alter table delivery drop column is_cut, drop column place, ${listed.map(([column]) => `drop column ${column}`).join(', ')}`,
  `alter table delivery ${listed.map(([column, type]) => `add column ${column} ${type}`).join(', ')}`,
  'drop sequence delivery_place',

  // One expression for each value, for the statement that delivers and for the correction of a document. PostgreSQL inlines it.
  `create function listed_values(doc document) returns table (${listed.map(([column, type]) => `${column} ${type.replace(' collate "C"', '')}`).join(', ')})
    language sql stable parallel safe as $$ select ${listed.map(([, , value]) => value).join(', ')} $$`,
  `update delivery set (${columns}) = (select ${columns} from listed_values(document)) from document where document.id = delivery.document_id`,
  ...indexes.map(([name, definition]) => `create index ${name} on delivery ${definition}`),
  ...indexes.map(([name, , query]) => `comment on index ${name} is '${query}'`),
  `comment on index delivery_pkey is 'own-documents.store.ts: whether a document is the caller''s'`,

  // The organisation corrects a document, or takes it away, by a statement of its own; its deliveries follow in the same transaction. Without
  // a date of its own a document stays on the day that it had.
  `create function correct_deliveries() returns trigger language plpgsql as $$
  begin
    if new.state in ('DELETED', 'FORGOTTEN') then
      delete from delivery where document_id = new.id;
    else
      update delivery set
        listed_on = coalesce(nullif(case new.kind when 'statement' then new.st_date else new.reg_date end, 'infinity'), listed_on),
        (${columns}) = (select ${columns} from listed_values(new))
      where document_id = new.id;
    end if;
    return null;
  end $$`,
  `create trigger document_corrects_deliveries after update of ${watched.join(', ')} on document for each row
    when ((${watchedOf('old')}) is distinct from (${watchedOf('new')})) execute function correct_deliveries()`,
];

/** A list is filtered and sorted where its deliveries stand; what they show is written by the statement that delivers. */
export const plainLists: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
