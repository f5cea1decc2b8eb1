import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  `create function tell_session_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('session_changed', old.id::text);
    return null;
  end $$`,
  `create trigger session_changed after update on session for each row
    when (old.ended_at is distinct from new.ended_at or old.generation is distinct from new.generation
      or old.absolute_expires_at is distinct from new.absolute_expires_at or new.idle_expires_at < old.idle_expires_at)
    execute function tell_session_changed()`,
  // The old ones that are swept away were over long before.
  `create trigger session_gone after delete on session for each row
    when (old.ended_at is null and old.absolute_expires_at > now())
    execute function tell_session_changed()`,
  `create function tell_sessions_of_client_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('session_changed', id::text) from session where personal_id = new.personal_id and ended_at is null;
    return null;
  end $$`,
  `create trigger client_of_session_changed after update on client for each row
    when (old.cif is distinct from new.cif or old.cif2 is distinct from new.cif2 or old.state is distinct from new.state)
    execute function tell_sessions_of_client_changed()`,
];

/**
 * Every process remembers the living sessions that it has seen; this tells all of them, when the transaction is committed, of those that they
 * have to look at again.
 */
export const sessionChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
