import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The owner is part of every reference, so that nothing can be put into somebody else's folder.
  `create table saved_view_folder (
    id uuid primary key,
    personal_id text not null references client on delete cascade,
    parent_id uuid,
    name text not null,
    unique (personal_id, id),
    foreign key (personal_id, parent_id) references saved_view_folder (personal_id, id) on delete cascade
  )`,
  `create unique index saved_view_folder_name on saved_view_folder (personal_id, parent_id, lower(name)) nulls not distinct`,
  `create table saved_view (
    id uuid primary key,
    personal_id text not null references client on delete cascade,
    folder_id uuid,
    name text not null,
    kind text not null check (kind in ('received', 'statements', 'public')),
    content jsonb not null,
    foreign key (personal_id, folder_id) references saved_view_folder (personal_id, id) on delete cascade
  )`,
  `create unique index saved_view_name on saved_view (personal_id, folder_id, lower(name)) nulls not distinct`,
  // The few deliveries of which lists keep only a part: who asks for the values of a key looks at their documents.
  `create index delivery_cut on delivery (principal, kind) where is_cut`,
  // One export of a client at a time, whatever the number of processes; one whose process died ends by itself.
  `create table export_lease (
    personal_id text primary key references client on delete cascade,
    holder uuid not null,
    expires_at timestamptz not null
  )`,
];

/** Saved views in their folders (E5), and whose export is under way (E6). */
export const savedViews: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
