import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  `create table installation (
    name text primary key,
    value text not null,
    created_at timestamptz not null default now()
  )`,

  // People -------------------------------------------------------------------------------------------------------------------------
  `create table client (
    personal_id text primary key,
    cif text not null,
    cif2 text,
    first_name text not null,
    last_name text not null,
    email text,
    phone text,
    managed boolean not null default false,
    state text not null default 'ACTIVE' check (state in ('ACTIVE', 'CLOSED')),
    demo boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    last_sign_in_at timestamptz,
    previous_sign_in_at timestamptz
  )`,
  `create index client_cif on client (cif)`,
  `create index client_cif2 on client (cif2) where cif2 is not null`,
  `create table group_member (
    group_id text not null,
    cif text not null,
    since timestamptz not null default now(),
    until timestamptz,
    primary key (group_id, cif, since)
  )`,
  `create index group_member_cif on group_member (cif)`,
  `create table principal_revision (principal text primary key, revision bigint not null)`,

  // Signing in ---------------------------------------------------------------------------------------------------------------------
  `create table sign_in_transaction (
    id_hash bytea primary key,
    service_id text not null,
    challenge text not null,
    hint text,
    verifier text not null,
    nonce text not null,
    browser_hash bytea not null,
    expires_at timestamptz not null
  )`,
  `create index sign_in_transaction_expiry on sign_in_transaction (expires_at)`,
  `create table sign_in_code (
    code_hash bytea primary key,
    challenge text not null,
    browser_hash bytea not null,
    personal_id text not null references client on delete cascade,
    service_id text not null,
    service_session text,
    expires_at timestamptz not null
  )`,
  `create index sign_in_code_expiry on sign_in_code (expires_at)`,
  `create table session (
    id uuid primary key,
    personal_id text not null references client on delete cascade,
    secret_hash bytea not null,
    service_id text not null,
    service_session text,
    created_at timestamptz not null default now(),
    idle_expires_at timestamptz not null,
    absolute_expires_at timestamptz not null,
    ended_at timestamptz,
    end_reason text
  )`,
  `create unique index session_secret on session (secret_hash)`,
  `create index session_client on session (personal_id) where ended_at is null`,
  `create index session_expiry on session (absolute_expires_at)`,
  `create table publisher_key (
    id uuid primary key,
    name text not null,
    key_hash bytea not null unique,
    scopes text[] not null,
    demo boolean not null default false,
    created_at timestamptz not null default now(),
    revoked_at timestamptz
  )`,

  // Words ---------------------------------------------------------------------------------------------------------------------------
  `create table dictionary (id text primary key, name_pl text not null, name_en text not null)`,
  `create table dictionary_value (
    dictionary_id text not null references dictionary,
    key text not null,
    name_pl text not null,
    name_en text not null,
    position int not null,
    primary key (dictionary_id, key)
  )`,
  `create table metadata_definition (
    id text primary key,
    number int unique,
    name_pl text not null,
    name_en text not null,
    description text,
    type text not null check (type in ('RAW', 'TEXT', 'DECIMAL', 'DATE', 'SIMPLE_DATE', 'BOOLEAN', 'KEY_NAME')),
    required boolean not null default false,
    system boolean not null default false,
    final boolean not null default false,
    removed boolean not null default false,
    visible text not null check (visible in ('yes', 'own', 'no', 'server')),
    dictionary text references dictionary,
    screens text[] not null default '{}',
    position int not null
  )`,

  // Documents -----------------------------------------------------------------------------------------------------------------------
  `create table document (
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
    page_sizes jsonb not null,
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
    marker text,
    meta jsonb not null default '{}',
    search_text text not null,
    corrupted boolean not null default false,
    added_by text,
    published_by text,
    demo boolean not null default false,
    created_at timestamptz not null default now(),
    check (
      (type = 'PRIVATE' and cif is not null and group_id is null) or
      (type = 'GROUP' and group_id is not null and cif is null and cif2 is null) or
      (type = 'PUBLIC' and group_id is null and cif is null and cif2 is null)
    )
  )`,
  `create unique index document_unique_name on document (unique_name) where unique_name is not null`,
  `create index document_sha256 on document (sha256)`,
  // Asked of every object by the sweep of those that nothing names.
  `create index document_object on document (object_key)`,

  `create table delivery (
    principal text not null,
    document_id uuid not null references document,
    kind text not null,
    published_at timestamptz not null,
    listed_on date not null,
    primary key (principal, document_id)
  )`,
  // Each holds the other's date too, so that pages and totals of a period are read from an index alone.
  `create index delivery_by_publication on delivery (principal, kind, published_at desc, document_id desc) include (listed_on)`,
  `create index delivery_by_listing on delivery (principal, kind, listed_on desc, document_id desc) include (published_at)`,
  `create index delivery_document on delivery (document_id)`,

  `create table publication (
    document_id uuid primary key references document,
    sha256 text not null,
    cif text,
    cif2 text,
    group_id text,
    size bigint not null,
    at timestamptz not null
  )`,

  `create table document_mark (
    personal_id text not null references client on delete cascade,
    document_id uuid not null references document,
    read_at timestamptz,
    downloaded_at timestamptz,
    pages int[] not null default '{}',
    primary key (personal_id, document_id)
  )`,
  `create index document_mark_document on document_mark (document_id)`,
  `create table document_check (
    document_id uuid primary key references document on delete cascade,
    checked_at timestamptz not null,
    sha256 text
  )`,
  // The moments of a subject's latest calls, as many as its limit counts: a sliding window, whatever the number of processes.
  `create table call_counter (subject text primary key, calls timestamptz[] not null)`,

  // Statute -------------------------------------------------------------------------------------------------------------------------
  `create table statute (
    id uuid primary key,
    version text not null unique,
    effective_from timestamptz not null,
    changes text,
    object_key text not null,
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    size bigint not null,
    page_count int not null,
    page_sizes jsonb not null,
    published_at timestamptz not null default now(),
    demo boolean not null default false
  )`,
  `create index statute_effective on statute (effective_from desc)`,
  `create table statute_acceptance (
    personal_id text not null references client on delete cascade,
    statute_id uuid not null references statute,
    version text not null,
    sha256 text not null,
    accepted_at timestamptz not null default now(),
    primary key (personal_id, statute_id)
  )`,
  `create table statute_mark (
    personal_id text not null references client on delete cascade,
    statute_id uuid not null references statute on delete cascade,
    pages int[] not null default '{}',
    primary key (personal_id, statute_id)
  )`,

  // Work ----------------------------------------------------------------------------------------------------------------------------
  `create table rendition (
    sha256 text not null,
    width int not null,
    format int not null,
    pages int not null,
    pages_ready int not null default 0,
    state text not null check (state in ('queued', 'rendering', 'done', 'failed')),
    error text,
    updated_at timestamptz not null default now(),
    primary key (sha256, width, format)
  )`,
  `create table worker_process (
    worker_id text primary key,
    lock_key bigint not null,
    started_at timestamptz not null default now()
  )`,

  // What nobody may change. Demonstration data are the one exception: their removal sets pergamin.removing_demo for its own transaction,
  // and even then only rows of demonstration documents, statutes and clients go.
  `create function refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and current_setting('pergamin.removing_demo', true) = 'on' then
      if tg_table_name = 'publication' and exists (select from document d where d.id = (to_jsonb(old) ->> 'document_id')::uuid and d.demo) then
        return old;
      end if;
      if tg_table_name = 'statute_acceptance' and (
        exists (select from statute s where s.id = (to_jsonb(old) ->> 'statute_id')::uuid and s.demo) or
        exists (select from client c where c.personal_id = to_jsonb(old) ->> 'personal_id' and c.demo)
      ) then
        return old;
      end if;
    end if;
    raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
  end $$`,
  // Lists read and count deliveries alone: a document that is deleted or forgotten leaves them, whoever changes its state.
  `create function leave_lists() returns trigger language plpgsql as $$
  begin
    with gone as (delete from delivery where document_id = new.id returning principal)
    update principal_revision set revision = revision + 1 where principal in (select principal from gone);
    return null;
  end $$`,
  `create trigger document_leaves_lists after update of state on document for each row
    when (new.state in ('DELETED', 'FORGOTTEN') and old.state not in ('DELETED', 'FORGOTTEN')) execute function leave_lists()`,
  `create trigger publication_insert_only before update or delete on publication for each row execute function refuse_change()`,
  `create trigger publication_no_truncate before truncate on publication for each statement execute function refuse_change()`,
  `create trigger statute_acceptance_insert_only before update or delete on statute_acceptance for each row execute function refuse_change()`,
  `create trigger statute_acceptance_no_truncate before truncate on statute_acceptance for each statement execute function refuse_change()`,
];

/** Part 3 of the house's design: recipients are rows, publications are insert-only, lists read deliveries. */
export const first: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
