import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  `create table identity.account (
    personal_id text primary key,
    password_hash text not null,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    disabled_at timestamptz
  )`,
  `create table identity.oidc_payload (
    kind text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (kind, id)
  )`,
  `create index oidc_payload_grant on identity.oidc_payload (grant_id) where grant_id is not null`,
  `create index oidc_payload_uid on identity.oidc_payload (uid) where uid is not null`,
  `create index oidc_payload_expiry on identity.oidc_payload (expires_at)`,
  `create table identity.secret (
    name text primary key,
    value jsonb not null,
    created_at timestamptz not null
  )`,
];

export const migration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
