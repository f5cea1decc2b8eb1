-- Full text: what the pages of published documents say.

create table document_page_text (
  document_id uuid not null references document on delete cascade,
  page int not null,
  text text not null,
  primary key (document_id, page)
);

-- The words of up to fifty pages, and among them the principals of the document, in a form that no word can have. They are stored apart from
-- their rows (external storage from 128 bytes on), so that rows of the same owner are read without them.
create table document_words (
  document_id uuid not null references document on delete cascade,
  first_page int not null,
  published_at timestamptz not null,
  words tsvector not null,
  primary key (document_id, first_page)
) with (toast_tuple_target = 128);
alter table document_words alter column words set storage external;
-- Words in the documents of one principal.
create index document_words_found on document_words using gin (words) with (fastupdate = off);

create function forget_text() returns trigger language plpgsql as $$
begin
  delete from document_words where document_id = new.id;
  delete from document_page_text where document_id = new.id;
  return null;
end $$;
create trigger document_text_is_forgotten after update of state on document for each row
  when (new.state in ('DELETED', 'FORGOTTEN') and old.state not in ('DELETED', 'FORGOTTEN')) execute function forget_text();
