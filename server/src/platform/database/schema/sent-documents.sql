-- What clients send, its categories, and how the organisation's system is told of it.

-- Nothing of categories and types is ever deleted but demonstration data: documents keep the names that they were sent under.
create table document_category (
  id text primary key,
  name_pl text not null,
  name_en text not null,
  -- Null: what is sent in it is kept indefinitely.
  retention_days int check (retention_days > 0),
  deleted boolean not null default false,
  demo boolean not null default false,
  position int not null,
  created_at timestamptz not null
);

create table document_type (
  id text primary key,
  category_id text not null references document_category,
  name_pl text not null,
  name_en text not null,
  deleted boolean not null default false,
  position int not null,
  unique (category_id, id)
);

-- Nothing of a sent document changes but the acknowledgement of the organisation, and that its bytes were found damaged.
create table sent_document (
  id uuid primary key,
  personal_id text not null references client,
  -- As it was then.
  cif text not null,
  filename text not null,
  -- `filename` as searches compare it.
  search_name text not null,
  category_id text not null,
  type_id text not null,
  object_key text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint not null,
  page_count int not null check (page_count between 1 and 10000),
  -- Points after rotation; one entry when all pages are alike.
  page_sizes jsonb not null,
  flags text[] not null,
  scan_result text not null check (scan_result in ('CLEAN', 'UNAVAILABLE', 'NONE')),
  scan_engine text,
  scanned_at timestamptz,
  idempotency_key text,
  -- Null: indefinite.
  retention_date date,
  corrupted boolean not null default false,
  created_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by uuid references publisher_key,
  -- Grows in the order of commits (see insertSent): a reader who continues from a place misses nothing.
  place bigint not null unique,
  foreign key (category_id, type_id) references document_type (category_id, id)
);
create sequence sent_document_place;
-- The same sending repeated gives the same document.
create unique index sent_document_idempotency on sent_document (personal_id, idempotency_key) where idempotency_key is not null;
-- What a client has sent, the newest first.
create index sent_document_client on sent_document (personal_id, created_at desc, id desc);
-- What the organisation has not collected yet, in order.
create index sent_document_pending on sent_document (place) where acknowledged_at is null;
-- For the sweep of objects that no row names.
create index sent_document_object on sent_document (object_key);

-- Deliveries of the webhook to the organisation's system: the attempts, and its last answer.
create table webhook_delivery (
  id uuid primary key,
  sent_document_id uuid not null references sent_document,
  state text not null check (state in ('queued', 'delivered', 'failed')),
  attempts int not null default 0,
  last_status int,
  last_error text,
  last_attempt_at timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz
);
-- By document; a delivery is removed with a demonstration document.
create index webhook_delivery_document on webhook_delivery (sent_document_id);
