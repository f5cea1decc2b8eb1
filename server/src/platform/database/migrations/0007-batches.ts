import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const tables = `
-- Documents that are sent over hours and become visible when the whole is committed. The name of a discarded one is free.
create table batch (
  id uuid primary key,
  name text not null,
  state text not null default 'OPEN' check (state in ('OPEN', 'COMMITTED', 'PUBLISHED', 'DISCARDED')),
  -- Kept with every part, slice and removal, so that no call has to count rows.
  documents int not null default 0,
  published int not null default 0,
  opened_at timestamptz not null,
  opened_by uuid not null references publisher_key,
  -- Keys that sent documents into it.
  senders uuid[] not null default '{}',
  committed_at timestamptz,
  committed_by uuid references publisher_key,
  publish_at timestamptz,
  published_at timestamptz,
  discarded_at timestamptz,
  discarded_by uuid references publisher_key
);
create unique index batch_name on batch (name) where state <> 'DISCARDED';
create index batch_by_opening on batch (opened_at, id);
-- The next round of releases and removals.
create index batch_at_work on batch (id) where state = 'COMMITTED' or (state = 'DISCARDED' and documents > 0);

alter table document
  add column batch_id uuid references batch,
  -- The order in which the documents of a batch were sent, from 1.
  add column batch_position int,
  add constraint document_has_its_place check ((batch_id is null) = (batch_position is null));
create index document_of_batch on document (batch_id, batch_position) where batch_id is not null;
-- Slices of a release, customer by customer.
create index document_to_release on document (batch_id, coalesce(cif, group_id, ''), id) where batch_id is not null and published_at is null;
`;

/** The release sets the retention of its day: a history begins with it. */
const history = `
drop trigger document_event_is_kept on document;
create trigger document_event_is_kept after update of state, legal_hold, retention_date, removed_at on document for each row
  when (old.published_at is not null and (old.state, old.legal_hold, old.retention_date, old.removed_at)
    is distinct from (new.state, new.legal_hold, new.retention_date, new.removed_at))
  execute function keep_event();
`;

export const batches: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(tables).execute(db);
    await sql.raw(history).execute(db);
  },
};
