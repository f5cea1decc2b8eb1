-- Keys of encrypted objects (docs/encryption.md). They are never kept in the object store: what is locked there could not be forgotten. Without
-- the key file none of them opens anything.

-- The key of a client, a group or everybody. Deleted with it: the keys of all documents that belong to nobody else.
create table encryption_client_key (
  id uuid primary key,
  -- As principals are named: 'cif:…', 'group:…', 'public'.
  owner text not null unique,
  -- By which version of the key file it is wrapped.
  version int not null check (version > 0),
  wrapped bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
-- Those that a rotation has still to wrap anew.
create index encryption_client_key_version on encryption_client_key (version, id);

-- The key of an object, wrapped by that of each of its owners. An object without such a row is stored as it came.
create table encryption_object_key (
  object_key text not null,
  client_key_id uuid not null references encryption_client_key on delete cascade,
  -- Part of the ciphertext's context: it opens for this object alone.
  identity uuid not null,
  wrapped bytea not null,
  primary key (object_key, client_key_id)
);
-- What goes with a client's key.
create index encryption_object_key_client on encryption_object_key (client_key_id);

-- Objects that were encrypted anew, and are removed once nothing reads them any more.
create table encryption_replaced_object (
  former text primary key,
  replaced_at timestamptz not null default clock_timestamp()
);
