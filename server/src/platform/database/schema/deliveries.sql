-- Whose documents are. Recipients are rows: a document is a client's because a delivery to one of their principals exists.
-- A principal is `cif:<number>`, `group:<id>` or `public`.

-- Which customer numbers belong to a group, and while when (G7).
create table group_member (
  group_id text not null,
  cif text not null,
  since timestamptz not null default now(),
  until timestamptz,
  primary key (group_id, cif, since)
);
-- The groups of a caller.
create index group_member_cif on group_member (cif);

-- Grows with every change to what a principal was delivered. Counts are kept per client and criteria until the sum over the client's
-- principals changes.
create table principal_revision (
  principal text primary key,
  revision bigint not null
);

-- As foldText says it; values of ASCII alone, nearly all of them, take the short way.
create function folded(value text) returns text language sql immutable strict parallel safe return
  case when octet_length(value) = length(value) then lower(value)
    else translate(lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g')), 'ł', 'l') end;

-- Folded, but that a DEL sign after a letter of the Polish alphabet puts it behind the letter it comes from: keys of this kind are compared
-- sign by sign, and without their DEL signs they are what folded() gives.
create function listing_key(value text) returns text language sql immutable strict parallel safe return
  case when octet_length(value) = length(value) then lower(replace(value, chr(127), ''))
    else folded(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      lower(normalize(replace(value, chr(127), ''), NFC)),
      'ą', 'a' || chr(127)), 'ć', 'c' || chr(127)), 'ę', 'e' || chr(127)), 'ł', 'l' || chr(127)), 'ń', 'n' || chr(127)), 'ó', 'o' || chr(127)),
      'ś', 's' || chr(127)), 'ź', 'z' || chr(127)), 'ż', 'z' || chr(127) || chr(127))) end;

-- By its checksum a document is looked for among the deliveries of the caller, and nowhere else: it takes the same time whether no client has
-- such a document, another client, or a million clients who all got the same file. The first 64 bits lead there, the whole checksum decides.
create function content_key(sha256 text) returns bigint language sql immutable strict parallel safe
  return ('x' || left(sha256, 16))::bit(64)::bigint;

-- The order in which deliveries come, whatever moment of publication they bear: what was looked through up to a place stays as it was.
create sequence delivery_place;

create table delivery (
  principal text not null,
  document_id uuid not null references document,
  kind text not null,
  published_at timestamptz not null,
  -- The list's own date (D13): REG_DATE or ST_DATE, else the day of publication.
  listed_on date not null,

  -- What lists are searched and sorted by, so that an owner of a hundred thousand documents is answered from an index alone. Filled by
  -- delivery_is_filled below. An index row holds less than a document may carry: what is longer is cut, and is_cut says so.
  is_cut boolean not null default false,
  account_key text collate "C",
  case_key text collate "C",
  product_group text,
  st_number_key text collate "C",
  st_doc_type text,
  reg_date date,
  st_date date,
  st_period_start date,
  st_period_end date,
  pub_name_key text collate "C",
  pub_duration_key text collate "C",
  pub_product_group text,
  search_text text,
  place bigint not null default nextval('delivery_place'),
  file_key text collate "C",
  extension_key text collate "C",
  bar_number text collate "C",
  expires_on date,
  retention_date date,
  size bigint,
  version int,
  state text,
  is_locked boolean,
  -- Of what was delivered, once: a checksum that is changed later leads nowhere else.
  content_key bigint,
  sha256 text collate "C",
  -- Of a document with two owners, who they are; of any other the principal says it.
  first_cif text,
  second_cif text,

  primary key (principal, document_id)
) with (
  -- Recently delivered rows are read from indexes alone only after a vacuum; a fifth of the table would be late.
  autovacuum_vacuum_insert_scale_factor = 0.02
);

-- What a document gives to each of its deliveries.
create function listed_values(
  doc document,
  out is_cut boolean, out account_key text, out case_key text, out product_group text, out st_number_key text, out st_doc_type text,
  out pub_name_key text, out pub_duration_key text, out pub_product_group text, out search_text text, out file_key text,
  out extension_key text, out bar_number text, out state text, out sha256 text, out first_cif text, out second_cif text,
  out expires_on date, out retention_date date, out reg_date date, out st_date date, out st_period_start date, out st_period_end date,
  out size bigint, out version int, out is_locked boolean
) language plpgsql stable as $$
begin
  account_key := regexp_replace(folded(doc.account_number), '\s', '', 'g');
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
  if doc.account_number ~ '^[0-9]+( [0-9]+)+$' and position(E'\n' || account_key || E'\n' in E'\n' || search_text || E'\n') > 0 then
    search_text := trim(both E'\n' from replace(E'\n' || search_text || E'\n', E'\n' || doc.account_number || E'\n', E'\n'));
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
end $$;

create function fill_delivery() returns trigger language plpgsql as $$
declare
  doc document;
  listed record;
  before delivery := new;
begin
  select * into doc from document where id = new.document_id;
  select * into listed from listed_values(doc);
  new.account_key := listed.account_key;
  new.case_key := listed.case_key;
  new.product_group := listed.product_group;
  new.st_number_key := listed.st_number_key;
  new.st_doc_type := listed.st_doc_type;
  new.pub_name_key := listed.pub_name_key;
  new.pub_duration_key := listed.pub_duration_key;
  new.pub_product_group := listed.pub_product_group;
  new.search_text := listed.search_text;
  new.file_key := listed.file_key;
  new.extension_key := listed.extension_key;
  new.bar_number := listed.bar_number;
  new.state := listed.state;
  new.sha256 := listed.sha256;
  new.first_cif := listed.first_cif;
  new.second_cif := listed.second_cif;
  new.expires_on := listed.expires_on;
  new.retention_date := listed.retention_date;
  new.reg_date := listed.reg_date;
  new.st_date := listed.st_date;
  new.st_period_start := listed.st_period_start;
  new.st_period_end := listed.st_period_end;
  new.size := listed.size;
  new.version := listed.version;
  new.is_locked := listed.is_locked;
  new.is_cut := coalesce(listed.is_cut, false);
  -- A transaction that has a place has a number before: whoever waits for all with lower numbers has seen all lower places. What was looked
  -- through says nothing of another text, which stands behind it.
  if tg_op = 'INSERT' or new.is_cut or (new.search_text, new.account_key, new.case_key, new.st_number_key, new.pub_name_key,
    new.pub_duration_key, new.file_key, new.extension_key, new.bar_number) is distinct from (before.search_text, before.account_key,
    before.case_key, before.st_number_key, before.pub_name_key, before.pub_duration_key, before.file_key, before.extension_key,
    before.bar_number) then
    perform pg_current_xact_id();
    new.place := nextval('delivery_place');
  end if;
  return new;
end $$;
create trigger delivery_is_filled before insert or update on delivery for each row execute function fill_delivery();

create function take_content() returns trigger language plpgsql as $$
begin
  new.content_key := (select content_key(sha256) from document where id = new.document_id);
  return new;
end $$;
create trigger delivery_takes_content before insert on delivery for each row execute function take_content();

-- Lists read and count deliveries alone: a document that is deleted or forgotten leaves them, whichever statement changes its state.
create function leave_lists() returns trigger language plpgsql as $$
begin
  with gone as (delete from delivery where document_id = new.id returning principal)
  update principal_revision set revision = revision + 1 where principal in (select principal from gone);
  return null;
end $$;
create trigger document_leaves_lists after update of state on document for each row
  when (new.state in ('DELETED', 'FORGOTTEN') and old.state not in ('DELETED', 'FORGOTTEN')) execute function leave_lists();

-- The list's own date follows its document; without one it stays on the day that it had.
create function refresh_deliveries() returns trigger language plpgsql as $$
begin
  with changed as (
    update delivery
    set listed_on = coalesce(nullif(case kind when 'statement' then new.st_date else new.reg_date end, 'infinity'), listed_on)
    where document_id = new.id returning principal
  )
  update principal_revision set revision = revision + 1 where principal in (select principal from changed);
  return null;
end $$;
create trigger document_changes_lists
  after update of account_number, case_number, priv_product_group, st_number, st_doc_type, reg_date, st_date, st_period_start, st_period_end,
    meta, search_text, file_name, retention_date, size, version, state, sha256, cif, cif2 on document for each row
  when (new.state not in ('DELETED', 'FORGOTTEN') and
    (old.account_number, old.case_number, old.priv_product_group, old.st_number, old.st_doc_type, old.reg_date, old.st_date,
    old.st_period_start, old.st_period_end, old.meta, old.search_text, old.file_name, old.retention_date, old.size, old.version, old.state,
    old.sha256, old.cif, old.cif2)
    is distinct from
    (new.account_number, new.case_number, new.priv_product_group, new.st_number, new.st_doc_type, new.reg_date, new.st_date,
    new.st_period_start, new.st_period_end, new.meta, new.search_text, new.file_name, new.retention_date, new.size, new.version, new.state,
    new.sha256, new.cif, new.cif2))
  execute function refresh_deliveries();

-- The deliveries of one document: it is changed, deleted, or its page texts are read.
create index delivery_document on delivery (document_id);
-- A caller's documents by their content.
create index delivery_content on delivery (principal, content_key);

-- A list by publication, and its total over a period of the list's own date, from the index alone.
create index delivery_by_publication on delivery (principal, kind, published_at desc, document_id desc) include (listed_on);
-- A list by its own date, and its total over a period of publication, from the index alone.
create index delivery_by_listing on delivery (principal, kind, listed_on desc, document_id desc) include (published_at);
-- The few deliveries of which lists keep only a part: their documents are read for the values of a key.
create index delivery_cut on delivery (principal, kind) where is_cut;
-- What came after a place: the next block of texts.
create index delivery_by_place on delivery (principal, place) include (published_at);

-- What each list shows: what it is narrowed and sorted by. An index row is taken apart whole, so that every column counts, and a list has no
-- other list's.
create index delivery_private_values on delivery (principal, published_at desc, document_id desc)
  include (listed_on, reg_date, is_cut, account_key, case_key, product_group) where kind = 'private';
-- The same of statements.
create index delivery_statement_values on delivery (principal, published_at desc, document_id desc)
  include (listed_on, st_date, st_period_start, st_period_end, is_cut, account_key, st_number_key, st_doc_type) where kind = 'statement';
-- The same of public documents.
create index delivery_public_values on delivery (principal, published_at desc, document_id desc)
  include (listed_on, reg_date, is_cut, pub_name_key, pub_duration_key, pub_product_group) where kind = 'public';

-- A text in a list: the shortest row in which it can be looked for. Of received documents,
create index delivery_private_text on delivery (principal, published_at desc, document_id desc)
  include (listed_on, search_text) where kind = 'private';
-- of statements,
create index delivery_statement_text on delivery (principal, published_at desc, document_id desc)
  include (listed_on, search_text) where kind = 'statement';
-- and of public documents.
create index delivery_public_text on delivery (principal, published_at desc, document_id desc)
  include (listed_on, search_text) where kind = 'public';

-- A text in a list that is narrowed or sorted, too; a free text is looked for among the names of options, of whatever list. Received ones,
create index delivery_private_shown on delivery (principal, published_at desc, document_id desc)
  include (listed_on, reg_date, is_cut, account_key, case_key, product_group, search_text, st_doc_type, pub_product_group)
  where kind = 'private';
-- statements,
create index delivery_statement_shown on delivery (principal, published_at desc, document_id desc)
  include (listed_on, st_date, st_period_start, st_period_end, is_cut, account_key, st_number_key, st_doc_type, search_text, product_group,
    pub_product_group) where kind = 'statement';
-- and public documents.
create index delivery_public_shown on delivery (principal, published_at desc, document_id desc)
  include (listed_on, reg_date, is_cut, pub_name_key, pub_duration_key, pub_product_group, search_text, product_group, st_doc_type)
  where kind = 'public';

-- A list narrowed by what it does not show: numbers and days alone,
create index delivery_numbers on delivery (principal, kind, published_at desc, document_id desc)
  include (listed_on, expires_on, retention_date, size, version);
-- every other key,
create index delivery_rest on delivery (principal, kind, published_at desc, document_id desc)
  include (listed_on, expires_on, retention_date, size, version, is_cut, is_locked, state, file_key, extension_key, bar_number, first_cif,
    second_cif);
-- a part of a checksum, which is as long as all other keys together,
create index delivery_checksums on delivery (principal, kind, published_at desc, document_id desc) include (listed_on, sha256);
-- or a customer number: documents with two owners, few of all. Whether a caller has any is known at once, and which they are.
create index delivery_joint on delivery (principal, kind, published_at desc, document_id desc)
  include (listed_on, first_cif, second_cif) where second_cif is not null;

-- The first page of a list in another order than by date. Written as no condition is: to narrow a list by what stands there, the planner
-- would take the index, of whose size it thinks too little, and read a row for each of very many. By account,
create index delivery_by_account_key on delivery (principal, kind, (account_key || ''), document_id) where (account_key || '') is not null;
-- by case,
create index delivery_by_case_key on delivery (principal, kind, (case_key || ''), document_id) where (case_key || '') is not null;
-- by statement number,
create index delivery_by_st_number_key on delivery (principal, kind, (st_number_key || ''), document_id) where (st_number_key || '') is not null;
-- by the name of a public document,
create index delivery_by_pub_name_key on delivery (principal, kind, (pub_name_key || ''), document_id) where (pub_name_key || '') is not null;
-- by file name,
create index delivery_by_file_key on delivery (principal, kind, (file_key || ''), document_id) where (file_key || '') is not null;
-- by checksum,
create index delivery_by_sha256 on delivery (principal, kind, (sha256 || ''), document_id) where (sha256 || '') is not null;
-- by registration date,
create index delivery_by_reg_date on delivery (principal, kind, (reg_date + 0), document_id) where (reg_date + 0) is not null;
-- by statement date,
create index delivery_by_st_date on delivery (principal, kind, (st_date + 0), document_id) where (st_date + 0) is not null;
-- and by options, of which there are few different ones. They have no order of their own, and are compared sign by sign: product groups,
create index delivery_by_product_group on delivery (principal, kind, ((product_group || '') collate "C"), document_id)
  where ((product_group || '') collate "C") is not null;
-- document types of statements,
create index delivery_by_st_doc_type on delivery (principal, kind, ((st_doc_type || '') collate "C"), document_id)
  where ((st_doc_type || '') collate "C") is not null;
-- and product groups of public documents.
create index delivery_by_pub_product_group on delivery (principal, kind, ((pub_product_group || '') collate "C"), document_id)
  where ((pub_product_group || '') collate "C") is not null;

-- Of some dozens of deliveries that came one after the other, which groups of letters their texts have: where one of a searched word's is
-- missing, no row need be looked at. Kept for clients who have thousands; what is deleted later does no harm.
create table delivery_block (
  principal text not null,
  first bigint not null,
  until bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  grams bytea not null,
  primary key (principal, first)
);
alter table delivery_block alter column grams set storage plain;
