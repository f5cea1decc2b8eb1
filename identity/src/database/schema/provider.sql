-- What the OpenID provider keeps.

-- Sessions, interactions, grants, codes and tokens, one row each. Rows of sign-ins that are under way: not logged, so that after a crash of
-- PostgreSQL they are gone, and the person begins again.
create unlogged table identity.oidc_payload (
  kind text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (kind, id)
);
-- All that was given out under one grant is revoked together.
create index oidc_payload_grant on identity.oidc_payload (grant_id) where grant_id is not null;
-- The codes of a sign-in are revoked by its `sid`.
create index oidc_payload_uid on identity.oidc_payload (uid) where uid is not null;
-- The sweep of what has expired.
create index oidc_payload_expiry on identity.oidc_payload (expires_at);

-- Made once by the first start: signing key, cookie keys, the portal's client secret.
create table identity.secret (
  name text primary key,
  value jsonb not null,
  created_at timestamptz not null
);
