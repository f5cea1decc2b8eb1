-- What is said of documents: the keys, their types and labels, and the dictionaries that some of them take values from.
-- The rows that every installation starts with are in migrations/0002-metadata-definitions.ts.

create table dictionary (
  id text primary key,
  name_pl text not null,
  name_en text not null
);

create table dictionary_value (
  dictionary_id text not null references dictionary,
  key text not null,
  name_pl text not null,
  name_en text not null,
  position int not null,
  primary key (dictionary_id, key)
);

create table metadata_definition (
  id text primary key,
  number int unique,
  name_pl text not null,
  name_en text not null,
  description text,
  type text not null check (type in ('RAW', 'TEXT', 'DECIMAL', 'DATE', 'SIMPLE_DATE', 'BOOLEAN', 'KEY_NAME')),
  required boolean not null default false,
  system boolean not null default false,
  final boolean not null default false,
  removed boolean not null default false,
  -- yes, own (the reader's own value only), no (never sent), server (not sent, allowed in criteria).
  visible text not null check (visible in ('yes', 'own', 'no', 'server')),
  dictionary text references dictionary,
  screens text[] not null default '{}',
  position int not null
);
