-- One export of a client at a time, in any number of processes (E6).

-- Whose export is under way. Its holder renews the row; when that stops, because its process died, another export may begin.
create table export_lease (
  personal_id text primary key references client on delete cascade,
  holder uuid not null,
  expires_at timestamptz not null
);
