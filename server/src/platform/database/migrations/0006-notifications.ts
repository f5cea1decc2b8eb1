import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An installation may speak more languages than the product brings. */
const anyLanguage = (table: string, column: string): string =>
  `alter table ${table} drop constraint ${table}_${column}_check, add constraint ${table}_${column}_check check (${column} ~ '^[A-Z]{2,3}$')`;

const statements = [
  anyLanguage('client', 'language'),
  anyLanguage('client', 'chosen_language'),
  anyLanguage('sign_in_transaction', 'language'),
  anyLanguage('mail_outbox', 'language'),
  `alter table client add column preferred_channel text check (preferred_channel in ('EMAIL', 'SMS'))`,
  `create table notification (
    id uuid primary key default gen_random_uuid(),
    receiver text not null,
    type text not null check (type in ('publication', 'account_update')),
    document_id uuid references document on delete cascade,
    created_at timestamptz not null,
    read_at timestamptz,
    check ((type = 'publication') = (document_id is not null))
  )`,
  // A document is told once to each person, however it reached them; and goes with all that was told of it.
  `create unique index notification_document on notification (document_id, receiver) where document_id is not null`,
  `create index notification_unread on notification (receiver, created_at desc, id desc) where read_at is null`,
  `create index notification_read on notification (read_at) where read_at is not null`,
];

/** The bell (M), where somebody wants to be told of news (J2), and languages that an installation adds (L1). */
export const notifications: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
