import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Only the newest token of a session refreshes it; when that happened last says how long the one before still reads.
  `alter table session
    add column generation int not null default 0,
    add column refreshed_at timestamptz,
    add column service_subject text,
    add column id_token bytea`,
  // Back-channel logout names a session or a subject of its service.
  `create index session_service_session on session (service_id, service_session) where ended_at is null and service_session is not null`,
  `create index session_service_subject on session (service_id, service_subject) where ended_at is null and service_subject is not null`,
  `alter table sign_in_code
    add column service_subject text,
    add column id_token bytea`,
  `create index sign_in_code_client on sign_in_code (personal_id)`,
  // Assertions and logout tokens that have done their work, kept for as long as they could be shown again.
  `create table used_assertion (
    id_hash bytea primary key,
    expires_at timestamptz not null
  )`,
  `create index used_assertion_expiry on used_assertion (expires_at)`,
];

/** Refresh with rotation, single sign-on by assertion and back-channel logout (B4, B7, B9, B19). */
export const refreshAndServices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
