-- Local accounts: passwords, the links that set them, and what is remembered of signing in.

create table identity.account (
  personal_id text primary key,
  -- In PHC form: algorithm, parameters and salt are part of it.
  password_hash text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  disabled_at timestamptz
);

-- What the password was before; the newest row is the last one replaced.
create table identity.password_history (
  id bigint generated always as identity primary key,
  personal_id text not null references identity.account on delete cascade,
  password_hash text not null,
  replaced_at timestamptz not null
);
-- The latest passwords of a person, which may not be used again; older ones are removed.
create index password_history_person on identity.password_history (personal_id, id desc);

-- A mailed link that sets a password. A person may have several, and asking for another one does not take an unused one away; all of them go
-- when a password is set. No reference to the account: an invitation comes before it.
create table identity.password_link (
  personal_id text not null,
  -- SHA-256: a reader of this table has no link.
  token_hash bytea primary key,
  -- The password in force when it was mailed; the link dies with it. Null: there was none.
  password_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Of the activation code that the link needs; null: the link is enough. It outlives the link, for the next one.
  code_hash text
);
-- The sweep of links that were not used.
create index password_link_expiry on identity.password_link (expires_at);
-- All links of a person.
create index password_link_person on identity.password_link (personal_id);

-- A browser in which this person has signed in before.
create table identity.known_device (
  token_hash bytea not null,
  personal_id text not null,
  used_at timestamptz not null,
  primary key (token_hash, personal_id)
);
-- All devices of a person are forgotten when a password is set by a link.
create index known_device_person on identity.known_device (personal_id);
-- The sweep of devices that were not used for long.
create index known_device_used on identity.known_device (used_at);

-- When signing in last succeeded and failed. Kept for unknown ids too, so that keeping it tells nothing.
create table identity.sign_in_record (
  personal_id text primary key,
  last_success_at timestamptz,
  previous_success_at timestamptz,
  last_failure_at timestamptz
);
