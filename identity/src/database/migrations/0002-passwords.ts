import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  `create table identity.password_history (
    id bigint generated always as identity primary key,
    personal_id text not null references identity.account on delete cascade,
    password_hash text not null,
    replaced_at timestamptz not null
  )`,
  `create index password_history_person on identity.password_history (personal_id, id desc)`,
  // No reference to the account: an invitation comes before it.
  `create table identity.password_link (
    personal_id text primary key,
    token_hash bytea not null unique,
    password_hash text,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index password_link_expiry on identity.password_link (expires_at)`,
  `create table identity.attempt_counter (
    key bytea primary key,
    taken integer not null,
    window_ends_at timestamptz not null,
    blocks integer not null,
    blocked_until timestamptz,
    forget_at timestamptz not null
  )`,
  `create index attempt_counter_forget on identity.attempt_counter (forget_at)`,
  `create table identity.known_device (
    token_hash bytea not null,
    personal_id text not null,
    used_at timestamptz not null,
    primary key (token_hash, personal_id)
  )`,
  `create index known_device_person on identity.known_device (personal_id)`,
  `create index known_device_used on identity.known_device (used_at)`,
  // Kept for unknown ids too, so that keeping it tells nothing.
  `create table identity.sign_in_record (
    personal_id text primary key,
    last_success_at timestamptz,
    previous_success_at timestamptz,
    last_failure_at timestamptz
  )`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
