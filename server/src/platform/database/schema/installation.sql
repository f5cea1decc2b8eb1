-- The installation itself, and the processes that run it.

-- Facts, secrets among them (base64): the key of session tokens, the id of the object store, the state of the demonstration.
create table installation (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- One row per running worker. A live process holds its advisory lock; another process that can take a dead one's lock frees its jobs.
create table worker_process (
  worker_id text primary key,
  lock_key bigint not null,
  started_at timestamptz not null default now()
);

-- A sliding window for limits over all processes: when a subject (`check:<personal id>`) made its latest calls, oldest first, and as many of
-- them as its limit counts.
create table call_counter (
  subject text primary key,
  calls timestamptz[] not null
);
