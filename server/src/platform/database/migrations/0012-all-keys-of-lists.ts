import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whatever a client may ask a list for, but customer numbers, which depend on who asks. */
const values = `
  is_cut, account_key, case_key, product_group, st_number_key, st_doc_type, pub_name_key, pub_duration_key, pub_product_group, search_text,
  file_key, extension_key, bar_number, expires_on, retention_date, size, version, state, is_locked, reg_date, st_date, st_period_start,
  st_period_end`
  .split(',')
  .map((name) => name.trim());

/** Indexes that stay as they are. */
const standing: readonly (readonly [name: string, definition: string])[] = [
  ['delivery_document', '(document_id)'],
  ['delivery_cut', '(principal, kind) where is_cut'],
  ['delivery_by_publication', '(principal, kind, published_at desc, document_id desc) include (listed_on)'],
  ['delivery_by_listing', '(principal, kind, listed_on desc, document_id desc) include (published_at)'],
  [
    'delivery_private_values',
    `(principal, published_at desc, document_id desc)
      include (listed_on, is_cut, account_key, case_key, product_group, reg_date) where kind = 'private'`,
  ],
  [
    'delivery_statement_values',
    `(principal, published_at desc, document_id desc)
      include (listed_on, is_cut, account_key, st_number_key, st_doc_type, st_date, st_period_start, st_period_end) where kind = 'statement'`,
  ],
  [
    'delivery_public_values',
    `(principal, published_at desc, document_id desc)
      include (listed_on, is_cut, pub_name_key, pub_duration_key, pub_product_group, reg_date) where kind = 'public'`,
  ],
];

const statements = [
  // The order in which deliveries come, whatever moment of publication they bear: what was looked through up to a place stays as it was.
  'create sequence delivery_place',

  // Every delivery there is gets its values at once; indexes that stood by would have to follow row by row.
  ...standing.map(([name]) => `drop index ${name}`),
  'drop index delivery_private_text',
  'drop index delivery_statement_text',
  'drop index delivery_public_text',
  `alter table delivery
    add column place bigint not null default nextval('delivery_place'),
    add column file_key text collate "C",
    add column extension_key text collate "C",
    add column bar_number text collate "C",
    add column expires_on date,
    add column retention_date date,
    add column size bigint,
    add column version int,
    add column state text,
    add column is_locked boolean`,

  'drop function listed_values(document)',
  `create function listed_values(
    doc document,
    out is_cut boolean, out account_key text, out case_key text, out product_group text, out st_number_key text, out st_doc_type text,
    out pub_name_key text, out pub_duration_key text, out pub_product_group text, out search_text text, out file_key text,
    out extension_key text, out bar_number text, out expires_on date, out retention_date date, out size bigint, out version int,
    out state text, out is_locked boolean, out reg_date date, out st_date date, out st_period_start date, out st_period_end date
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
    file_key := listing_key(doc.file_name);
    extension_key := listing_key(doc.meta ->> 'DOC_EXT');
    bar_number := doc.meta ->> 'BAR_NUMBER';
    expires_on := doc.meta ->> '11';
    retention_date := doc.retention_date;
    size := doc.size;
    version := doc.version;
    state := doc.state;
    is_locked := coalesce((doc.meta ->> 'HCP')::boolean, false);
    reg_date := doc.reg_date;
    st_date := doc.st_date;
    st_period_start := doc.st_period_start;
    st_period_end := doc.st_period_end;
    search_text := doc.search_text;
    -- Digits in groups stand there in one piece, too, and digits are looked for in both ways: half of it is enough, and quicker.
    if doc.account_number ~ '^[0-9]+( [0-9]+)+$' and position(E'\\n' || account_key || E'\\n' in E'\\n' || search_text || E'\\n') > 0 then
      search_text := trim(both E'\\n' from replace(E'\\n' || search_text || E'\\n', E'\\n' || doc.account_number || E'\\n', E'\\n'));
    end if;
    is_cut := octet_length(search_text) > 1500 or greatest(octet_length(account_key), octet_length(case_key), octet_length(product_group),
      octet_length(st_number_key), octet_length(st_doc_type), octet_length(pub_name_key), octet_length(pub_duration_key),
      octet_length(pub_product_group), octet_length(file_key), octet_length(extension_key), octet_length(bar_number)) > 256;
    if is_cut then
      account_key := left(account_key, 64);
      case_key := left(case_key, 64);
      product_group := left(product_group, 64);
      st_number_key := left(st_number_key, 64);
      st_doc_type := left(st_doc_type, 64);
      pub_name_key := left(pub_name_key, 64);
      pub_duration_key := left(pub_duration_key, 64);
      pub_product_group := left(pub_product_group, 64);
      file_key := left(file_key, 64);
      extension_key := left(extension_key, 64);
      bar_number := left(bar_number, 64);
      search_text := null;
    end if;
  end $$`,
  'alter table delivery disable trigger delivery_is_filled',
  `update delivery set ${values.map((name) => `${name} = ${name === 'is_cut' ? 'coalesce(listed.is_cut, false)' : `listed.${name}`}`).join(', ')}
    from document, lateral listed_values(document) as listed where document.id = delivery.document_id`,
  'alter table delivery enable trigger delivery_is_filled',

  `create or replace function fill_delivery() returns trigger language plpgsql as $$
  declare
    doc document;
    listed record;
    text_before text := case tg_op when 'UPDATE' then new.search_text end;
  begin
    select * into doc from document where id = new.document_id;
    select * into listed from listed_values(doc);
    ${values
      .filter((name) => name !== 'is_cut')
      .map((name) => `new.${name} := listed.${name};`)
      .join(' ')}
    new.is_cut := coalesce(listed.is_cut, false);
    -- A transaction that has a place has a number before: whoever waits for all with lower numbers has seen all lower places. What was looked
    -- through says nothing of another text, which stands behind it.
    if tg_op = 'INSERT' or new.is_cut or new.search_text is distinct from text_before then
      perform pg_current_xact_id();
      new.place := nextval('delivery_place');
    end if;
    return new;
  end $$`,
  // The list's own date follows its document; without one it stays on the day that it had.
  `create or replace function refresh_deliveries() returns trigger language plpgsql as $$
  begin
    with changed as (
      update delivery
      set listed_on = coalesce(nullif(case kind when 'statement' then new.st_date else new.reg_date end, 'infinity'), listed_on)
      where document_id = new.id returning principal
    )
    update principal_revision set revision = revision + 1 where principal in (select principal from changed);
    return null;
  end $$`,
  'drop trigger document_changes_lists on document',
  `create trigger document_changes_lists
    after update of account_number, case_number, priv_product_group, st_number, st_doc_type, reg_date, st_date, st_period_start, st_period_end,
      meta, search_text, file_name, retention_date, size, version, state on document for each row
    when (new.state not in ('DELETED', 'FORGOTTEN') and
      (old.account_number, old.case_number, old.priv_product_group, old.st_number, old.st_doc_type, old.reg_date, old.st_date,
      old.st_period_start, old.st_period_end, old.meta, old.search_text, old.file_name, old.retention_date, old.size, old.version, old.state)
      is distinct from
      (new.account_number, new.case_number, new.priv_product_group, new.st_number, new.st_doc_type, new.reg_date, new.st_date,
      new.st_period_start, new.st_period_end, new.meta, new.search_text, new.file_name, new.retention_date, new.size, new.version, new.state))
    execute function refresh_deliveries()`,

  ...standing.map(([name, definition]) => `create index ${name} on delivery ${definition}`),
  // Texts are cut where there are none, and so nothing need say it beside them.
  `create index delivery_private_text on delivery (principal, published_at desc, document_id desc)
    include (listed_on, search_text, product_group, st_doc_type, pub_product_group) where kind = 'private'`,
  `create index delivery_statement_text on delivery (principal, published_at desc, document_id desc)
    include (listed_on, search_text, product_group, st_doc_type, pub_product_group) where kind = 'statement'`,
  `create index delivery_public_text on delivery (principal, published_at desc, document_id desc)
    include (listed_on, search_text, product_group, st_doc_type, pub_product_group) where kind = 'public'`,
  // What no list shows, and may be asked for all the same.
  `create index delivery_rest on delivery (principal, kind, published_at desc, document_id desc)
    include (listed_on, is_cut, file_key, extension_key, bar_number, expires_on, retention_date, size, version, state, is_locked)`,
  'create index delivery_by_place on delivery (principal, place) include (published_at)',

  // Of some dozens of deliveries that came one after the other, which groups of letters their texts have: where one of a searched word's is
  // missing, no row need be looked at. Kept for whoever has thousands; what is deleted later does no harm.
  `create table delivery_block (
    principal text not null,
    first bigint not null,
    until bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    grams bytea not null,
    primary key (principal, first)
  )`,
  'alter table delivery_block alter column grams set storage plain',
];

/** Keys that no list shows cost no look at every document any more, and a rare word no look at every text (D6, D16). */
export const allKeysOfLists: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
