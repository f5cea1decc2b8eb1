-- Sign-ins at an identity service, and the sessions that they start.

-- A sign-in that is under way. Not logged: after a crash of PostgreSQL these rows are gone, and the person begins again.
create unlogged table sign_in_transaction (
  id_hash bytea primary key,
  service_id text not null,
  challenge text not null,
  -- The personal id that was typed; the one who signs in must be this one. Null when the sign-in started at a service.
  hint text,
  verifier text not null,
  nonce text not null,
  browser_hash bytea not null,
  expires_at timestamptz not null,
  -- In which the person came.
  language text not null default 'PL' check (language ~ '^[A-Z]{2,3}$')
);
-- The sweep of sign-ins that were not finished.
create index sign_in_transaction_expiry on sign_in_transaction (expires_at);

-- What a browser exchanges for a session, once. Not logged, as above.
create unlogged table sign_in_code (
  code_hash bytea primary key,
  challenge text not null,
  browser_hash bytea not null,
  personal_id text not null references client on delete cascade,
  service_id text not null,
  -- The session at the identity service, for ending that one on logout.
  service_session text,
  expires_at timestamptz not null,
  -- The subject at the identity service, which may differ from the personal id.
  service_subject text,
  -- Sealed with the code itself.
  id_token bytea
);
-- The sweep of codes that no browser exchanged.
create index sign_in_code_expiry on sign_in_code (expires_at);
-- A person's codes are burnt when all of their sessions end.
create index sign_in_code_client on sign_in_code (personal_id);

create table session (
  id uuid primary key,
  personal_id text not null references client on delete cascade,
  -- SHA-256 of the cookie's secret: token and cookie must match (B19).
  secret_hash bytea not null,
  service_id text not null,
  service_session text,
  created_at timestamptz not null default now(),
  idle_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  -- How often the session was refreshed; only the newest token of a session refreshes it.
  generation int not null default 0,
  -- Bounds how long the token before the newest one is still accepted.
  refreshed_at timestamptz,
  service_subject text,
  -- The hint that the identity service wants on logout; sealed with the cookie's secret, which is not kept here.
  id_token bytea
);
-- The session that a new one replaces in the same browser is found by its cookie.
create unique index session_secret on session (secret_hash);
-- All sessions of a person end when the password changes or the account is closed.
create index session_client on session (personal_id) where ended_at is null;
-- The sweep of sessions that were over long ago.
create index session_expiry on session (absolute_expires_at);
-- Back-channel logout by the session of the identity service.
create index session_service_session on session (service_id, service_session) where ended_at is null and service_session is not null;
-- Back-channel logout by the person's name at the identity service.
create index session_service_subject on session (service_id, service_subject) where ended_at is null and service_subject is not null;

-- One-time tokens of identity services (assertions, logout tokens) that have been shown, by their `jti`, for as long as they could be shown again.
create table used_assertion (
  id_hash bytea primary key,
  expires_at timestamptz not null
);
-- The sweep of those that could not be shown again anyway.
create index used_assertion_expiry on used_assertion (expires_at);

-- Every process remembers the living sessions that it has seen. These triggers tell all processes, when the transaction is committed, which
-- of them to read again. They write no row.
create function tell_session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_changed', old.id::text);
  return null;
end $$;
create trigger session_changed after update on session for each row
  when (old.ended_at is distinct from new.ended_at or old.generation is distinct from new.generation
    or old.absolute_expires_at is distinct from new.absolute_expires_at or new.idle_expires_at < old.idle_expires_at)
  execute function tell_session_changed();
-- Sessions that a sweep removes had ended long before.
create trigger session_gone after delete on session for each row
  when (old.ended_at is null and old.absolute_expires_at > now())
  execute function tell_session_changed();

create function tell_sessions_of_client_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_changed', id::text) from session where personal_id = new.personal_id and ended_at is null;
  return null;
end $$;
create trigger client_of_session_changed after update on client for each row
  when (old.cif is distinct from new.cif or old.cif2 is distinct from new.cif2 or old.state is distinct from new.state)
  execute function tell_sessions_of_client_changed();
