-- Keys by which the organisation's systems call the publishing side.

create table publisher_key (
  id uuid primary key,
  name text not null,
  key_hash bytea not null unique,
  scopes text[] not null,
  -- What is published with this key is demonstration data.
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
