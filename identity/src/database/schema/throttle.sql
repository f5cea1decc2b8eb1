-- How often passwords, links and codes were tried; see throttle/throttle.rules.ts.

create table identity.attempt_counter (
  key bytea primary key,
  taken integer not null,
  window_ends_at timestamptz not null,
  blocks integer not null,
  blocked_until timestamptz,
  forget_at timestamptz not null
);
-- The sweep of counters that say nothing any more.
create index attempt_counter_forget on identity.attempt_counter (forget_at);
