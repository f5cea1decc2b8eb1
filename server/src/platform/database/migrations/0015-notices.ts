import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // What left the building, or should have: one row for a document, a person and an occasion, whatever crashes. It holds no words and no address.
  `create table notice (
    id uuid primary key default gen_random_uuid(),
    document_id uuid not null references document on delete cascade,
    receiver text not null,
    kind text not null check (kind in ('publication', 'reminder')),
    channel text check (channel in ('EMAIL', 'SMS')),
    state text not null check (state in ('queued', 'sent', 'failed', 'bounced')),
    reason text check (reason in ('NO_ADDRESS', 'REFUSED', 'GIVEN_UP', 'WITHDRAWN', 'BOUNCED')),
    attempts int not null default 0,
    sends int not null default 0,
    failures int not null default 0,
    claim uuid,
    message_id text,
    last_error text,
    due_at timestamptz not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    bounced_at timestamptz,
    unique (document_id, receiver, kind),
    check ((state in ('failed', 'bounced')) = (reason is not null)),
    check (channel is not null or state = 'failed')
  )`,
  `create index notice_queued on notice (document_id, channel, due_at) where state = 'queued'`,
  `create index notice_overdue on notice (due_at) where state = 'queued'`,
  `create index notice_message on notice (message_id) where message_id is not null`,
  `create index notice_age on notice (created_at, kind)`,

  // The organisation asks who has not read what, from a day on, page by page.
  `create index document_by_publication on document (published_at, id) where type <> 'PUBLIC' and published_at is not null`,

  // The key of the first start may do everything, what is new among it too.
  `update publisher_key set scopes = scopes || '{notices:read,notices:bounce}'
    where name = 'first key' and not demo and not scopes @> '{notices:read}'`,
];

/** Notices by mail and SMS (M3), their reminders, and the report of what nobody read. */
export const notices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
