-- Views of lists that clients keep, in folders (E5). The owner is part of every reference, so that nothing can be put into another client's folder.

create table saved_view_folder (
  id uuid primary key,
  personal_id text not null references client on delete cascade,
  parent_id uuid,
  name text not null,
  unique (personal_id, id),
  foreign key (personal_id, parent_id) references saved_view_folder (personal_id, id) on delete cascade
);
-- Names differ within a folder, and the folders of one client are listed by it.
create unique index saved_view_folder_name on saved_view_folder (personal_id, parent_id, lower(name)) nulls not distinct;

create table saved_view (
  id uuid primary key,
  personal_id text not null references client on delete cascade,
  folder_id uuid,
  name text not null,
  kind text not null check (kind in ('received', 'statements', 'public')),
  -- As the contract's `savedViewContent`; keys in it may have gone since.
  content jsonb not null,
  foreign key (personal_id, folder_id) references saved_view_folder (personal_id, id) on delete cascade
);
-- Names differ within a folder, and the views of one client are listed by it.
create unique index saved_view_name on saved_view (personal_id, folder_id, lower(name)) nulls not distinct;
