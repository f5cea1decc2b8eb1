-- Documents of the organisation, the register of what was published, and the states of each since. Whose they are, and in whose lists
-- they are, is in deliveries.sql.

create table document (
  id uuid primary key,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'CANCELLED', 'OBSOLETE', 'DELETED', 'FORGOTTEN')),
  type text not null check (type in ('PUBLIC', 'PRIVATE', 'GROUP')),
  kind text not null check (kind in ('private', 'statement', 'public')),
  cif text,
  cif2 text,
  group_id text,
  file_name text not null,
  unique_name text,
  version int not null default 1,
  object_key text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  page_count int not null check (page_count between 1 and 10000),
  -- Points after rotation; one entry when all pages are alike.
  page_sizes jsonb not null,
  -- Null until the release: lists read deliveries only.
  published_at timestamptz,
  reg_date date,
  st_date date,
  st_period_start date,
  st_period_end date,
  retention_date date,
  account_number text,
  case_number text,
  priv_product_group text,
  st_number text,
  st_doc_type text,
  -- Value of the statement marker key; 'STATEMENTS' marks a statement.
  marker text,
  -- Every other metadata value, by definition id.
  meta jsonb not null default '{}',
  -- Unaccented, lower case: all client-visible text values, for `text` and LIKE.
  search_text text not null,
  corrupted boolean not null default false,
  added_by text,
  published_by text,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  -- When the text of its pages was read for the search; null: not yet.
  text_read_at timestamptz,
  -- What was found in the PDF that could do something in other hands.
  pdf_flags text[] not null default '{}',
  -- The new version that took its place. Both directions are this one column, so that they cannot disagree. Checked when the transaction
  -- ends: the name passes on before the row that takes it is there.
  successor uuid references document deferrable initially deferred constraint document_succeeds_another check (successor <> id),
  constraint document_has_its_owner check (
    (type = 'PRIVATE' and cif is not null and group_id is null) or
    (type = 'GROUP' and group_id is not null and cif is null and cif2 is null) or
    (type = 'PUBLIC' and group_id is null and cif is null and cif2 is null)
  )
);

-- Whether a publisher's name is taken: a new version may keep the name, and it belongs to the latest.
create unique index document_unique_name on document (unique_name) where unique_name is not null and successor is null;
-- For publications with a name: whether an earlier version had this name and these bytes.
create index document_former_name on document (unique_name) where unique_name is not null and successor is not null;
-- Whose successor a document is.
create unique index document_successor on document (successor) where successor is not null;
-- Which contents no document has any more, when pages are forgotten.
create index document_sha256 on document (sha256);
-- For the sweep of objects that no row names.
create index document_object on document (object_key);
-- For the report of unread documents: from a day on, page by page.
create index document_by_publication on document (published_at, id) where type <> 'PUBLIC' and published_at is not null;
-- The next round of reading page texts takes the newest document that has none.
create index document_text_unread on document (published_at) where text_read_at is null and published_at is not null;

-- The register: what a check compares the live row and the stored bytes with. Insert-only.
create table publication (
  document_id uuid primary key references document,
  sha256 text not null,
  cif text,
  cif2 text,
  group_id text,
  size bigint not null,
  at timestamptz not null
);
create trigger publication_insert_only before update or delete on publication for each row execute function refuse_change();
create trigger publication_no_truncate before truncate on publication for each statement execute function refuse_change();

-- What a client did with a document: read, downloaded, and which pages were seen.
create table document_mark (
  personal_id text not null references client on delete cascade,
  document_id uuid not null references document,
  read_at timestamptz,
  downloaded_at timestamptz,
  pages int[] not null default '{}',
  primary key (personal_id, document_id)
);
-- The marks of a demonstration document go with it.
create index document_mark_document on document_mark (document_id);

-- When the stored bytes of a document were last read again, and what that gave.
create table document_check (
  document_id uuid primary key references document on delete cascade,
  checked_at timestamptz not null,
  sha256 text
);

-- History: which states a document had since it was published. Insert-only; a trigger records it with every change of the state.
create table document_event (
  id bigint generated always as identity primary key,
  document_id uuid not null references document,
  state_before text not null,
  state text not null,
  at timestamptz not null default clock_timestamp()
);
-- The history of one document, in order (G3).
create index document_event_document on document_event (document_id, id);

create function keep_event() returns trigger language plpgsql as $$
begin
  insert into document_event (document_id, state_before, state) values (new.id, old.state, new.state);
  return null;
end $$;
create trigger document_event_is_kept after update of state on document for each row
  when (old.state is distinct from new.state) execute function keep_event();

-- Only the events of demonstration documents go, with these.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('pergamin.removing_demo', true) = 'on'
    and exists (select from document where id = old.document_id and demo) then
    return old;
  end if;
  raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger document_event_insert_only before update or delete on document_event
  for each row execute function refuse_event_change();
create trigger document_event_no_truncate before truncate on document_event
  for each statement execute function refuse_change();
