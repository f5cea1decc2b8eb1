-- The ledger: what happened to documents, in an order that cannot be changed unnoticed (docs/durable-medium.md). The tiles of its tree are
-- files, and are made of ledger_entry alone.

-- By which key a document was published; its successor makes it OBSOLETE in the name of that key.
alter table document add column publisher_key_id uuid;

-- Whose a document is, as statements say it.
create function ledger_owner(doc document) returns text language sql immutable as $$
  select case doc.type
    when 'PRIVATE' then 'cif:' || doc.cif || case when doc.cif2 is distinct from doc.cif then coalesce(E'\ncif:' || doc.cif2, '') else '' end
    when 'GROUP' then 'group:' || doc.group_id
    else 'public'
  end
$$;

-- SHA-256 of what was said of a document when it was published: a line NAME=VALUE for each value, as JSON, in the order of the names' bytes.
create function ledger_metadata(doc document) returns text language sql stable as $$
  select encode(sha256(convert_to(coalesce(string_agg(key || '=' || value::text, E'\n' order by key collate "C"), ''), 'UTF8')), 'hex')
  from jsonb_each(jsonb_strip_nulls(jsonb_build_object(
    'kind', doc.kind, 'fileName', doc.file_name, 'version', doc.version, 'marker', doc.marker, 'regDate', doc.reg_date,
    'stDate', doc.st_date, 'stPeriodStart', doc.st_period_start, 'stPeriodEnd', doc.st_period_end, 'accountNumber', doc.account_number,
    'caseNumber', doc.case_number, 'productGroup', doc.priv_product_group, 'stNumber', doc.st_number, 'stDocType', doc.st_doc_type
  ) || doc.meta))
$$;

-- Which log it is, once it has one. Insert-only.
create table ledger_log (
  id int primary key default 1 check (id = 1),
  origin text not null,
  verifier_key text not null,
  created_at timestamptz not null default clock_timestamp()
);
create trigger ledger_log_insert_only before update or delete on ledger_log for each row execute function refuse_change();
create trigger ledger_log_no_truncate before truncate on ledger_log for each statement execute function refuse_change();

-- What is not covered by a published checkpoint yet. The row is written with the change that it is about.
create table ledger_pending (
  id bigint generated always as identity primary key,
  document_id uuid not null,
  event text not null check (event in ('PUBLISHED', 'STATE_CHANGED', 'NOTIFIED', 'RECEIVED', 'RETENTION_EXTENDED', 'FORGOTTEN')),
  sha256 text not null,
  size bigint not null,
  owner text not null,
  type text not null check (type in ('PUBLIC', 'PRIVATE', 'GROUP')),
  state text not null check (state in ('ACTIVE', 'CANCELLED', 'OBSOLETE', 'DELETED', 'FORGOTTEN')),
  metadata text not null,
  -- The moment of publication that was asked for; null: when it becomes visible.
  moment timestamptz,
  entered_at timestamptz not null default clock_timestamp(),
  -- Its place in the log, once it has one.
  index bigint
);
-- A document is published once.
create unique index ledger_pending_published on ledger_pending (document_id) where event = 'PUBLISHED';
-- The next round takes the oldest.
create index ledger_pending_next on ledger_pending (id) where index is null;
-- What a checkpoint covers.
create index ledger_pending_sequenced on ledger_pending (index) where index is not null;

-- The entries of the log. Insert-only, but for the openings of forgotten documents.
create table ledger_entry (
  index bigint primary key,
  -- Null: taken over from the files of the log, after an older database was restored.
  document_id uuid,
  event text,
  at timestamptz not null,
  commitment bytea not null,
  -- What the commitment was made of; null: forgotten, or not known.
  statement bytea,
  -- The statement itself stands in the log.
  is_public boolean not null,
  constraint public_statement_stays check (not is_public or statement is not null)
);
-- What the log says of one document, in order.
create index ledger_entry_document on ledger_entry (document_id, index);
create function keep_ledger_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.statement is null
    and (new.index, new.document_id, new.event, new.at, new.commitment, new.is_public)
      is not distinct from (old.index, old.document_id, old.event, old.at, old.commitment, old.is_public) then
    return new;
  end if;
  raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger ledger_entry_insert_only before update or delete on ledger_entry for each row execute function keep_ledger_entry();
create trigger ledger_entry_no_truncate before truncate on ledger_entry for each statement execute function refuse_change();

-- The tree after each round: its entries are committed with it, and nothing is signed before. No size has two roots. Insert-only.
create table ledger_tree (
  size bigint primary key,
  root bytea not null,
  at timestamptz not null
);
create trigger ledger_tree_insert_only before update or delete on ledger_tree for each row execute function refuse_change();
create trigger ledger_tree_no_truncate before truncate on ledger_tree for each statement execute function refuse_change();

-- What was signed and published. Insert-only.
create table ledger_checkpoint (
  size bigint primary key references ledger_tree,
  note text not null,
  at timestamptz not null
);
create trigger ledger_checkpoint_insert_only before update or delete on ledger_checkpoint for each row execute function refuse_change();
create trigger ledger_checkpoint_no_truncate before truncate on ledger_checkpoint for each statement execute function refuse_change();

-- Signature lines by witnesses, of trees that may be signed but not published yet.
create table ledger_cosignature (
  size bigint not null references ledger_tree,
  witness text not null,
  line text not null,
  at timestamptz not null,
  primary key (size, witness)
);

-- RFC 3161: when an outside authority saw a checkpoint.
create table ledger_timestamp (
  size bigint primary key references ledger_checkpoint,
  token bytea not null,
  at timestamptz not null
);
