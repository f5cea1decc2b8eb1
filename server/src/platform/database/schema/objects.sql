-- What the portal knows of objects in its store, beside the rows that name them.

-- Until which day the store was told to lock an object.
create table object_lock (
  key text primary key,
  until date not null
);

-- Objects that were copied to another store, and verified there. Once their rows name them there, what is left is to remove the former ones.
create table object_relocation (
  -- The id of the store that they were copied to.
  store text not null,
  former text not null,
  key text not null,
  primary key (store, former)
);
