import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // As foldText says it; values of ASCII alone, nearly all of them, take the short way.
  `create function folded(value text) returns text language sql immutable strict parallel safe return
    case when octet_length(value) = length(value) then lower(value)
      else translate(lower(regexp_replace(normalize(value, NFD), '[\\u0300-\\u036f]', '', 'g')), 'ł', 'l') end`,
  // Folded, but that a DEL sign after a letter of the Polish alphabet puts it behind the letter it comes from: keys of this kind are compared
  // sign by sign, and without their DEL signs they are what folded() gives.
  `create function listing_key(value text) returns text language sql immutable strict parallel safe return
    case when octet_length(value) = length(value) then lower(replace(value, chr(127), ''))
      else folded(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        lower(normalize(replace(value, chr(127), ''), NFC)),
        'ą', 'a' || chr(127)), 'ć', 'c' || chr(127)), 'ę', 'e' || chr(127)), 'ł', 'l' || chr(127)), 'ń', 'n' || chr(127)), 'ó', 'o' || chr(127)),
        'ś', 's' || chr(127)), 'ź', 'z' || chr(127)), 'ż', 'z' || chr(127) || chr(127))) end`,

  // What lists are searched and sorted by, beside each delivery: an owner of a hundred thousand documents is answered from an index alone.
  `alter table delivery
    add column is_cut boolean not null default false,
    add column account_key text collate "C",
    add column case_key text collate "C",
    add column product_group text,
    add column st_number_key text collate "C",
    add column st_doc_type text,
    add column reg_date date,
    add column st_date date,
    add column st_period_start date,
    add column st_period_end date,
    add column pub_name_key text collate "C",
    add column pub_duration_key text collate "C",
    add column pub_product_group text,
    add column search_text text,
    -- Recently delivered rows are read from indexes alone only after a vacuum; a fifth of the table would be late.
    set (autovacuum_vacuum_insert_scale_factor = 0.02)`,

  // An index row holds less than a document may carry: what is longer is cut, and says so.
  `create function listed_values(
    doc document,
    out is_cut boolean, out account_key text, out case_key text, out product_group text, out st_number_key text, out st_doc_type text,
    out pub_name_key text, out pub_duration_key text, out pub_product_group text, out search_text text
  ) language plpgsql stable as $$
  begin
    account_key := regexp_replace(folded(doc.account_number), '\\s', '', 'g');
    case_key := listing_key(doc.case_number);
    product_group := doc.priv_product_group;
    st_number_key := listing_key(doc.st_number);
    st_doc_type := doc.st_doc_type;
    pub_name_key := listing_key(doc.meta ->> 'PUB_FILENAME');
    pub_duration_key := listing_key(doc.meta ->> 'PUB_DESC_DURATION_TIME');
    pub_product_group := doc.meta ->> 'PUB_DOC_PRODUCT_GROUP';
    search_text := doc.search_text;
    is_cut := octet_length(search_text) > 1500 or greatest(octet_length(account_key), octet_length(case_key), octet_length(product_group),
      octet_length(st_number_key), octet_length(st_doc_type), octet_length(pub_name_key), octet_length(pub_duration_key),
      octet_length(pub_product_group)) > 256;
    if is_cut then
      account_key := left(account_key, 64);
      case_key := left(case_key, 64);
      product_group := left(product_group, 64);
      st_number_key := left(st_number_key, 64);
      st_doc_type := left(st_doc_type, 64);
      pub_name_key := left(pub_name_key, 64);
      pub_duration_key := left(pub_duration_key, 64);
      pub_product_group := left(pub_product_group, 64);
      search_text := null;
    end if;
  end $$`,
  // Every delivery there is gets its values at once; indexes that stood by would have to follow row by row.
  'drop index delivery_by_publication',
  'drop index delivery_by_listing',
  'drop index delivery_document',
  `update delivery set
    is_cut = listed.is_cut, account_key = listed.account_key, case_key = listed.case_key, product_group = listed.product_group,
    st_number_key = listed.st_number_key, st_doc_type = listed.st_doc_type, reg_date = document.reg_date, st_date = document.st_date,
    st_period_start = document.st_period_start, st_period_end = document.st_period_end, pub_name_key = listed.pub_name_key,
    pub_duration_key = listed.pub_duration_key, pub_product_group = listed.pub_product_group, search_text = listed.search_text
  from document, lateral listed_values(document) as listed where document.id = delivery.document_id`,
  'create index delivery_document on delivery (document_id)',
  'create index delivery_by_listing on delivery (principal, kind, listed_on desc, document_id desc) include (published_at)',
  // Whoever delivers need not know of them.
  `create function fill_delivery() returns trigger language plpgsql as $$
  declare
    doc document;
    listed record;
  begin
    select * into doc from document where id = new.document_id;
    select * into listed from listed_values(doc);
    new.is_cut := coalesce(listed.is_cut, false);
    new.account_key := listed.account_key;
    new.case_key := listed.case_key;
    new.product_group := listed.product_group;
    new.st_number_key := listed.st_number_key;
    new.st_doc_type := listed.st_doc_type;
    new.reg_date := doc.reg_date;
    new.st_date := doc.st_date;
    new.st_period_start := doc.st_period_start;
    new.st_period_end := doc.st_period_end;
    new.pub_name_key := listed.pub_name_key;
    new.pub_duration_key := listed.pub_duration_key;
    new.pub_product_group := listed.pub_product_group;
    new.search_text := listed.search_text;
    return new;
  end $$`,
  `create trigger delivery_is_filled before insert or update on delivery for each row execute function fill_delivery()`,
  `create function refresh_deliveries() returns trigger language plpgsql as $$
  begin
    with changed as (update delivery set document_id = document_id where document_id = new.id returning principal)
    update principal_revision set revision = revision + 1 where principal in (select principal from changed);
    return null;
  end $$`,
  `create trigger document_changes_lists
    after update of account_number, case_number, priv_product_group, st_number, st_doc_type, reg_date, st_date, st_period_start, st_period_end,
      meta, search_text on document for each row
    when ((old.account_number, old.case_number, old.priv_product_group, old.st_number, old.st_doc_type, old.reg_date, old.st_date,
      old.st_period_start, old.st_period_end, old.meta, old.search_text) is distinct from
      (new.account_number, new.case_number, new.priv_product_group, new.st_number, new.st_doc_type, new.reg_date, new.st_date,
      new.st_period_start, new.st_period_end, new.meta, new.search_text))
    execute function refresh_deliveries()`,

  'create index delivery_by_publication on delivery (principal, kind, published_at desc, document_id desc) include (listed_on)',
  // What each list is narrowed and sorted by, and its texts, which would make the others slower. An index row is taken apart whole, so that
  // every column counts: a list has no other list's.
  `create index delivery_private_values on delivery (principal, published_at desc, document_id desc)
    include (listed_on, is_cut, account_key, case_key, product_group, reg_date) where kind = 'private'`,
  `create index delivery_statement_values on delivery (principal, published_at desc, document_id desc)
    include (listed_on, is_cut, account_key, st_number_key, st_doc_type, st_date, st_period_start, st_period_end) where kind = 'statement'`,
  `create index delivery_public_values on delivery (principal, published_at desc, document_id desc)
    include (listed_on, is_cut, pub_name_key, pub_duration_key, pub_product_group, reg_date) where kind = 'public'`,
  `create index delivery_private_text on delivery (principal, published_at desc, document_id desc)
    include (listed_on, is_cut, search_text, product_group, st_doc_type, pub_product_group) where kind = 'private'`,
  `create index delivery_statement_text on delivery (principal, published_at desc, document_id desc)
    include (listed_on, is_cut, search_text, product_group, st_doc_type, pub_product_group) where kind = 'statement'`,
  `create index delivery_public_text on delivery (principal, published_at desc, document_id desc)
    include (listed_on, is_cut, search_text, product_group, st_doc_type, pub_product_group) where kind = 'public'`,

  // Full text. Null: the text of a published document has not been read yet, and the next round reads it.
  'alter table document add column text_read_at timestamptz',
  'create index document_text_unread on document (published_at) where text_read_at is null and published_at is not null',
  `create table document_page_text (
    document_id uuid not null references document on delete cascade,
    page int not null,
    text text not null,
    primary key (document_id, page)
  )`,
  // The words of up to fifty pages, and among them the principals of the document, which no word of a text can be like. They lie apart from
  // their rows, so that rows of the same owner are read without them.
  `create table document_words (
    document_id uuid not null references document on delete cascade,
    first_page int not null,
    published_at timestamptz not null,
    words tsvector not null,
    primary key (document_id, first_page)
  ) with (toast_tuple_target = 128)`,
  'alter table document_words alter column words set storage external',
  'create index document_words_found on document_words using gin (words) with (fastupdate = off)',
  `create function forget_text() returns trigger language plpgsql as $$
  begin
    delete from document_words where document_id = new.id;
    delete from document_page_text where document_id = new.id;
    return null;
  end $$`,
  `create trigger document_text_is_forgotten after update of state on document for each row
    when (new.state in ('DELETED', 'FORGOTTEN') and old.state not in ('DELETED', 'FORGOTTEN')) execute function forget_text()`,
];

/** Lists that take the same time for a hundred documents and for a hundred thousand (D6, D12, D16, E2), and the texts of pages. */
export const listsAtAnySize: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
