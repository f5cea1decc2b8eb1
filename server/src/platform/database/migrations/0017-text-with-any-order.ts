import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const asText =
  `account_key case_key product_group st_number_key st_doc_type pub_name_key pub_duration_key pub_product_group search_text file_key
  extension_key bar_number state sha256 first_cif second_cif`.split(/\s+/);
const asDate = 'expires_on retention_date reg_date st_date st_period_start st_period_end'.split(' ');
const outs = [
  'is_cut boolean',
  ...asText.map((name) => `${name} text`),
  ...asDate.map((name) => `${name} date`),
  'size bigint',
  'version int',
  'is_locked boolean',
];
const values = outs.map((out) => out.split(' ')[0] ?? '');

/** What a change of a document has to change beside its deliveries. */
const watched = `account_number case_number priv_product_group st_number st_doc_type reg_date st_date st_period_start st_period_end meta
  search_text file_name retention_date size version state sha256 cif cif2`.split(/\s+/);
const watchedOf = (row: string): string => watched.map((name) => `${row}.${name}`).join(', ');

/** All but the primary key: a table that is put in order follows without them. */
const dropped = [
  'delivery_document',
  'delivery_cut',
  'delivery_by_publication',
  'delivery_by_listing',
  'delivery_by_place',
  'delivery_content',
  'delivery_rest',
  ...['private', 'statement', 'public'].flatMap((kind) => [`delivery_${kind}_values`, `delivery_${kind}_text`]),
];

/** Of each list what it shows: what it is narrowed and sorted by. */
const shown = {
  private: 'listed_on, reg_date, is_cut, account_key, case_key, product_group',
  statement: 'listed_on, st_date, st_period_start, st_period_end, is_cut, account_key, st_number_key, st_doc_type',
  public: 'listed_on, reg_date, is_cut, pub_name_key, pub_duration_key, pub_product_group',
} as const;
/** A free text is looked for among the names of options, too, of whatever list. */
const optionsBeside = {
  private: 'st_doc_type, pub_product_group',
  statement: 'product_group, pub_product_group',
  public: 'product_group, st_doc_type',
} as const;
const kinds = ['private', 'statement', 'public'] as const;

const statements: readonly string[] = [
  ...dropped.map((name) => `drop index ${name}`),
  // Of a document with two owners, who they are; of any other the principal says it. And the checksum, of which a part may be asked for.
  `alter table delivery
    add column sha256 text collate "C",
    add column first_cif text,
    add column second_cif text`,
  'drop function listed_values(document)',
  `create function listed_values(doc document, ${outs.map((out) => `out ${out}`).join(', ')}) language plpgsql stable as $$
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
    sha256 := doc.sha256;
    if doc.cif2 is not null then
      first_cif := doc.cif;
      second_cif := doc.cif2;
    end if;
    search_text := doc.search_text;
    -- Digits in groups stand there in one piece, too, and digits are looked for in both ways: half of it is enough, and quicker.
    if doc.account_number ~ '^[0-9]+( [0-9]+)+$' and position(E'\\n' || account_key || E'\\n' in E'\\n' || search_text || E'\\n') > 0 then
      search_text := trim(both E'\\n' from replace(E'\\n' || search_text || E'\\n', E'\\n' || doc.account_number || E'\\n', E'\\n'));
    end if;
    -- An index row holds 2 700 bytes. And digits with accents, or in groups by signs of other alphabets, are told from digits by the document
    -- alone: where nothing is cut, digits are what was written.
    is_cut := coalesce(octet_length(search_text) > 1500, false) or coalesce(greatest(octet_length(account_key), octet_length(case_key), octet_length(product_group),
      octet_length(st_number_key), octet_length(st_doc_type), octet_length(pub_name_key), octet_length(pub_duration_key),
      octet_length(pub_product_group), octet_length(file_key), octet_length(extension_key), octet_length(bar_number)) > 256, false)
      or octet_length(concat(search_text, account_key, case_key, product_group, st_number_key, st_doc_type, pub_name_key, pub_duration_key,
        pub_product_group)) > 2200
      or coalesce(account_key ~ '^[0-9]+$' and octet_length(doc.account_number) <> length(doc.account_number), false);
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
  'drop trigger document_changes_lists on document',
  `create trigger document_changes_lists after update of ${watched.join(', ')} on document for each row
    when (new.state not in ('DELETED', 'FORGOTTEN') and (${watchedOf('old')}) is distinct from (${watchedOf('new')}))
    execute function refresh_deliveries()`,

  // In the order in which they came, as it is when nothing rewrites them all: an index is read with a page of the table's map at hand, not
  // with another for each row. Then each row gets its checksum while the table is written anew, which leaves no row of before behind.
  'create index delivery_order on delivery (place)',
  'cluster delivery using delivery_order',
  'alter table delivery set without cluster',
  'drop index delivery_order',
  `create function checksum_of(uuid) returns text language sql stable as 'select sha256 from document where id = $1'`,
  'alter table delivery alter column sha256 type text collate "C" using checksum_of(document_id)',
  'drop function checksum_of(uuid)',
  // The trigger fills the few in which more than that is another than before.
  `update delivery set document_id = document_id from document where document.id = delivery.document_id and (
    document.cif2 is not null
    or not is_cut and (
      octet_length(concat(delivery.search_text, account_key, case_key, product_group, st_number_key, delivery.st_doc_type, pub_name_key,
        pub_duration_key, pub_product_group)) > 2200
      or account_key ~ '^[0-9]+$' and octet_length(document.account_number) <> length(document.account_number)))`,

  'create index delivery_document on delivery (document_id)',
  'create index delivery_cut on delivery (principal, kind) where is_cut',
  'create index delivery_by_publication on delivery (principal, kind, published_at desc, document_id desc) include (listed_on)',
  'create index delivery_by_listing on delivery (principal, kind, listed_on desc, document_id desc) include (published_at)',
  'create index delivery_by_place on delivery (principal, place) include (published_at)',
  'create index delivery_content on delivery (principal, content_key)',
  ...kinds.flatMap((kind) => [
    `create index delivery_${kind}_values on delivery (principal, published_at desc, document_id desc)
      include (${shown[kind]}) where kind = '${kind}'`,
    // The shortest row in which a text can be looked for, and one with all that a search for a text may be narrowed and sorted by.
    `create index delivery_${kind}_text on delivery (principal, published_at desc, document_id desc)
      include (listed_on, search_text) where kind = '${kind}'`,
    `create index delivery_${kind}_shown on delivery (principal, published_at desc, document_id desc)
      include (${shown[kind]}, search_text, ${optionsBeside[kind]}) where kind = '${kind}'`,
  ]),
  `create index delivery_rest on delivery (principal, kind, published_at desc, document_id desc)
    include (listed_on, expires_on, retention_date, size, version, is_cut, is_locked, state, file_key, extension_key, bar_number, first_cif,
      second_cif, sha256)`,
];

/** A text together with any order and filter of its list, customer numbers and parts of checksums, each from one index (D6, D16). */
export const textWithAnyOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
