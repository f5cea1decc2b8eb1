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

-- The same as foldText; values of ASCII alone, nearly all of them, take the short way.
create function folded(value text) returns text language sql immutable strict parallel safe return
  case when octet_length(value) = length(value) then lower(value)
    else translate(lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g')), 'ł', 'l') end;

-- Folded, with a DEL sign after a letter of the Polish alphabet, which sorts it behind its base letter: keys of this kind are compared
-- sign by sign, and without their DEL signs they are what folded() gives.
create function listing_key(value text) returns text language sql immutable strict parallel safe return
  case when octet_length(value) = length(value) then lower(replace(value, chr(127), ''))
    else folded(replace(replace(replace(replace(replace(replace(replace(replace(replace(
      lower(normalize(replace(value, chr(127), ''), NFC)),
      'ą', 'a' || chr(127)), 'ć', 'c' || chr(127)), 'ę', 'e' || chr(127)), 'ł', 'l' || chr(127)), 'ń', 'n' || chr(127)), 'ó', 'o' || chr(127)),
      'ś', 's' || chr(127)), 'ź', 'z' || chr(127)), 'ż', 'z' || chr(127) || chr(127))) end;

-- A document is found by its checksum among the deliveries of the caller only: it takes the same time whether no client has
-- such a document, another client, or a million clients. The index holds the first 64 bits, the whole checksum decides.
create function content_key(sha256 text) returns bigint language sql immutable strict parallel safe
  return ('x' || left(sha256, 16))::bit(64)::bigint;

create table delivery (
  principal text not null,
  document_id uuid not null references document,
  kind text not null,
  published_at timestamptz not null,
  -- The list's own date (D13): REG_DATE or ST_DATE, else the day of publication.
  listed_on date not null,
  -- Of what was delivered, once: a checksum that is changed later leads nowhere else.
  content_key bigint,

  -- What lists are searched and sorted by (listed_values), written by the statement that delivers. The columns that queries use most come first,
  -- since PostgreSQL reads a row up to the last column that a query uses.
  -- The owners of a document with two; those of any other are its principal.
  first_cif text,
  second_cif text,
  search_text text,
  account_key text,
  case_key text collate "C",
  product_group text,
  st_number_key text collate "C",
  st_doc_type text,
  pub_name_key text collate "C",
  pub_duration_key text collate "C",
  pub_product_group text,
  file_key text collate "C",
  extension_key text collate "C",
  bar_number text,
  expires_on date,
  retention_date date,
  size bigint,
  version int,
  state text,
  is_locked boolean,
  reg_date date,
  st_date date,
  st_period_start date,
  st_period_end date,
  sha256 text collate "C",

  -- Whether a document is the caller's (visibility.ts).
  primary key (principal, document_id)
) with (
  -- Recently delivered rows are read from indexes alone only after a vacuum; a fifth of the table would be late.
  autovacuum_vacuum_insert_scale_factor = 0.02
);

-- What a document gives to each of its deliveries, for the statement that delivers and for the correction of a document. PostgreSQL inlines it.
create function listed_values(doc document) returns table (
  first_cif text, second_cif text, search_text text, account_key text, case_key text, product_group text, st_number_key text,
  st_doc_type text, pub_name_key text, pub_duration_key text, pub_product_group text, file_key text, extension_key text, bar_number text,
  expires_on date, retention_date date, size bigint, version int, state text, is_locked boolean, reg_date date, st_date date,
  st_period_start date, st_period_end date, sha256 text
) language sql stable parallel safe as $$ select
  case when doc.cif2 is not null then doc.cif end,
  doc.cif2,
  doc.search_text,
  regexp_replace(doc.account_number, '\s', '', 'g'),
  listing_key(doc.case_number),
  doc.priv_product_group,
  listing_key(doc.st_number),
  doc.st_doc_type,
  listing_key(doc.meta ->> 'PUB_FILENAME'),
  listing_key(doc.meta ->> 'PUB_DESC_DURATION_TIME'),
  doc.meta ->> 'PUB_DOC_PRODUCT_GROUP',
  listing_key(doc.file_name),
  listing_key(doc.meta ->> 'DOC_EXT'),
  doc.meta ->> 'BAR_NUMBER',
  (doc.meta ->> '11')::date,
  doc.retention_date,
  doc.size,
  doc.version,
  doc.state,
  coalesce((doc.meta ->> 'HCP')::boolean, false),
  doc.reg_date,
  doc.st_date,
  doc.st_period_start,
  doc.st_period_end,
  doc.sha256 $$;

-- The organisation corrects a document, or takes it away, by a statement of its own; its deliveries follow in the same transaction. Without a
-- date of its own a document stays on the day that it had.
create function correct_deliveries() returns trigger language plpgsql as $$
begin
  if new.state in ('DELETED', 'FORGOTTEN') then
    delete from delivery where document_id = new.id;
  else
    update delivery set
      listed_on = coalesce(nullif(case new.kind when 'statement' then new.st_date else new.reg_date end, 'infinity'), listed_on),
      (
        first_cif, second_cif, search_text, account_key, case_key, product_group, st_number_key, st_doc_type, pub_name_key,
        pub_duration_key, pub_product_group, file_key, extension_key, bar_number, expires_on, retention_date, size, version, state,
        is_locked, reg_date, st_date, st_period_start, st_period_end, sha256
      ) = (select
        first_cif, second_cif, search_text, account_key, case_key, product_group, st_number_key, st_doc_type, pub_name_key,
        pub_duration_key, pub_product_group, file_key, extension_key, bar_number, expires_on, retention_date, size, version, state,
        is_locked, reg_date, st_date, st_period_start, st_period_end, sha256
      from listed_values(new))
    where document_id = new.id;
  end if;
  return null;
end $$;
create trigger document_corrects_deliveries after update of
  account_number, case_number, priv_product_group, st_number, st_doc_type, reg_date, st_date, st_period_start, st_period_end, meta,
  search_text, file_name, retention_date, size, version, state, sha256, cif, cif2
  on document for each row when (
    (
      old.account_number, old.case_number, old.priv_product_group, old.st_number, old.st_doc_type, old.reg_date, old.st_date,
      old.st_period_start, old.st_period_end, old.meta, old.search_text, old.file_name, old.retention_date, old.size, old.version,
      old.state, old.sha256, old.cif, old.cif2
    ) is distinct from (
      new.account_number, new.case_number, new.priv_product_group, new.st_number, new.st_doc_type, new.reg_date, new.st_date,
      new.st_period_start, new.st_period_end, new.meta, new.search_text, new.file_name, new.retention_date, new.size, new.version,
      new.state, new.sha256, new.cif, new.cif2
    )
  ) execute function correct_deliveries();

-- The page of a list as it opens, in the order of publication, and its total (lists.store.ts).
create index delivery_by_publication on delivery (principal, kind, published_at desc, document_id desc) include (listed_on);
-- The total of a list over a period of its own date (lists.store.ts).
create index delivery_by_listing on delivery (principal, kind, listed_on) include (published_at);
-- The deliveries of one document, when it changes, leaves the lists or is removed.
create index delivery_document on delivery (document_id);
-- A caller's documents by their checksum (own-documents.store.ts).
create index delivery_content on delivery (principal, content_key);
