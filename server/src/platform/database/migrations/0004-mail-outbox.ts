import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `create table mail_outbox (
    id uuid primary key,
    message_id text not null unique,
    recipient text not null,
    language text not null check (language in ('PL', 'EN')),
    template text not null,
    subject text not null,
    content text,
    state text not null check (state in ('queued', 'sending', 'handed_over', 'sent', 'unconfirmed', 'failed', 'kept')),
    attempts integer not null default 0,
    claim uuid,
    last_error text,
    created_at timestamptz not null,
    sent_at timestamptz,
    -- A link that signs somebody in does not outlive its mail.
    check ((content is null) = (state in ('sent', 'unconfirmed', 'failed')))
  )`,
  `create index mail_outbox_age on mail_outbox (created_at desc)`,
];

export const mailOutbox: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
