import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Nothing of these is ever deleted but demonstration data: documents keep the names that they were sent under.
  `create table document_category (
    id text primary key,
    name_pl text not null,
    name_en text not null,
    retention_days int check (retention_days > 0),
    deleted boolean not null default false,
    demo boolean not null default false,
    position int not null,
    created_at timestamptz not null
  )`,
  `create table document_type (
    id text primary key,
    category_id text not null references document_category,
    name_pl text not null,
    name_en text not null,
    deleted boolean not null default false,
    position int not null,
    unique (category_id, id)
  )`,

  // `place` grows in the order of commits (see insertSent): whoever reads on from one misses nothing.
  `create table sent_document (
    id uuid primary key,
    personal_id text not null references client,
    cif text not null,
    filename text not null,
    search_name text not null,
    category_id text not null,
    type_id text not null,
    object_key text not null,
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    size bigint not null,
    page_count int not null check (page_count between 1 and 10000),
    page_sizes jsonb not null,
    flags text[] not null,
    scan_result text not null check (scan_result in ('CLEAN', 'UNAVAILABLE', 'NONE')),
    scan_engine text,
    scanned_at timestamptz,
    idempotency_key text,
    retention_date date,
    corrupted boolean not null default false,
    created_at timestamptz not null,
    acknowledged_at timestamptz,
    acknowledged_by uuid references publisher_key,
    place bigint not null unique,
    foreign key (category_id, type_id) references document_type (category_id, id)
  )`,
  `create sequence sent_document_place`,
  `create unique index sent_document_idempotency on sent_document (personal_id, idempotency_key) where idempotency_key is not null`,
  `create index sent_document_client on sent_document (personal_id, created_at desc, id desc)`,
  `create index sent_document_pending on sent_document (place) where acknowledged_at is null`,
  // Asked of every object by the sweep of those that nothing names.
  `create index sent_document_object on sent_document (object_key)`,

  // Whether the organisation's system was told, how often that was tried, and what it said last.
  `create table webhook_delivery (
    id uuid primary key,
    sent_document_id uuid not null references sent_document,
    state text not null check (state in ('queued', 'delivered', 'failed')),
    attempts int not null default 0,
    last_status int,
    last_error text,
    last_attempt_at timestamptz,
    created_at timestamptz not null,
    delivered_at timestamptz
  )`,
  `create index webhook_delivery_document on webhook_delivery (sent_document_id)`,
  `create index webhook_delivery_open on webhook_delivery (created_at) where state <> 'delivered'`,

  // What was found in a published PDF that could do something in other hands.
  `alter table document add column pdf_flags text[] not null default '{}'`,

  // The key of the first start may do everything, what is new among it too.
  `update publisher_key set scopes = scopes || '{categories:write,received:read}'
    where name = 'first key' and not demo and not scopes @> '{received:read}'`,
];

/** What clients send (H, I), its categories (R5), and the organisation that collects it (H6). */
export const sentDocuments: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
