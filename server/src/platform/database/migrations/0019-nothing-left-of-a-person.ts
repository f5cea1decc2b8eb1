import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const kept = `
alter table document drop constraint document_has_its_owner;
alter table document add constraint document_has_its_owner check (
  state = 'FORGOTTEN' or
  (type = 'PRIVATE' and cif is not null and group_id is null) or
  (type = 'GROUP' and group_id is not null and cif is null and cif2 is null) or
  (type = 'PUBLIC' and group_id is null and cif is null and cif2 is null)
);

-- Of a forgotten document: hashes that tell, to somebody who has the value, that it was this one. Each is SHA-256 of the row's own random salt
-- and the value.
create table forgotten_document (
  document_id uuid primary key references document on delete cascade,
  salt bytea not null,
  -- As the ledger said whose it was.
  owner_hash bytea,
  -- Of its checksum in hexadecimal.
  content_hash bytea not null,
  -- One of 4096 in which its unique name is; null: it had none.
  name_bucket smallint,
  name_hash bytea
);
-- Whether a publisher's name was that of a forgotten document.
create index forgotten_document_name on forgotten_document (name_bucket) where name_bucket is not null;
create trigger forgotten_document_stays before update on forgotten_document for each row execute function refuse_change();
create function refuse_removal() returns trigger language plpgsql as $$
begin
  -- Of the demonstration the document goes first.
  if exists (select from document where id = old.document_id) then
    raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger forgotten_document_is_kept before delete on forgotten_document for each row execute function refuse_removal();
create trigger forgotten_document_no_truncate before truncate on forgotten_document for each statement execute function refuse_change();

create function salted_hash(salt bytea, value text) returns bytea language sql immutable parallel safe return
  sha256(salt || convert_to(value, 'UTF8'));

-- Few of many names have the same: a name is compared with the forgotten ones of its bucket, and the bucket names nobody.
create function name_bucket(name text) returns smallint language sql immutable parallel safe return
  ((get_byte(sha256(convert_to(name, 'UTF8')), 0) << 4) | (get_byte(sha256(convert_to(name, 'UTF8')), 1) >> 4))::smallint;
`;

const forgetting = `
-- Whatever statement makes a document FORGOTTEN: nothing in its row names a person, or says what it was about.
create function forget_document() returns trigger language plpgsql as $$
begin
  insert into forgotten_document (document_id, salt, owner_hash, content_hash, name_bucket, name_hash)
  select old.id, salt, salted_hash(salt, ledger_owner(old)), salted_hash(salt, old.sha256), name_bucket(old.unique_name),
    salted_hash(salt, old.unique_name)
  from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt) as fresh
  on conflict do nothing;
  new.cif := null;
  new.cif2 := null;
  new.group_id := null;
  new.file_name := '';
  new.unique_name := null;
  new.sha256 := repeat('0', 64);
  new.reg_date := null;
  new.st_date := null;
  new.st_period_start := null;
  new.st_period_end := null;
  new.account_number := null;
  new.case_number := null;
  new.priv_product_group := null;
  new.st_number := null;
  new.st_doc_type := null;
  new.marker := null;
  new.meta := '{}';
  new.search_text := '';
  new.seal := null;
  new.added_by := null;
  return new;
end $$;
-- A document that was forgotten by an earlier release keeps its checksum until its page images, which have it as their name, are removed.
create trigger document_is_forgotten before update on document for each row
  when (new.state = 'FORGOTTEN' and (old.state <> 'FORGOTTEN' or new.removed_at is not null)) execute function forget_document();

-- Nor does anything beside it. A letter has the id of its notice. With the rights of the owner: the portal's role may not change the register.
create function forget_beside_document() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from document_mark where document_id = new.id;
  delete from document_check where document_id = new.id;
  delete from document_words where document_id = new.id;
  delete from document_page_text where document_id = new.id;
  delete from mail_outbox where id in (select id from notice where document_id = new.id);
  delete from notice where document_id = new.id;
  delete from notification where document_id = new.id;
  delete from webhook_delivery where document_id = new.id and event is not null;
  update publication set cif = null, cif2 = null, group_id = null, sha256 = '' where document_id = new.id;
  update document_event set reason = null
    where document_id = new.id and reason is not null and not (event = 'STATE_CHANGED' and state = 'FORGOTTEN');
  return null;
end $$;
create trigger document_is_forgotten_beside after update on document for each row
  when (new.state = 'FORGOTTEN' and (old.state <> 'FORGOTTEN' or new.removed_at is not null)) execute function forget_beside_document();
`;

const insertOnly = `
-- The register and the history are insert-only, but for what a forgotten document leaves blank.
create function refuse_other_change() returns trigger language plpgsql as $$
declare
  blank jsonb := case tg_table_name
    when 'publication' then '{"cif": null, "cif2": null, "group_id": null, "sha256": ""}'
    else '{"reason": null}'
  end::jsonb;
begin
  if to_jsonb(new) = to_jsonb(old) || blank and exists (select from document where id = old.document_id and state = 'FORGOTTEN') then
    return new;
  end if;
  raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
end $$;
drop trigger publication_insert_only on publication;
create trigger publication_insert_only before delete on publication for each row execute function refuse_change();
create trigger publication_is_blanked before update on publication for each row execute function refuse_other_change();
drop trigger document_event_insert_only on document_event;
create trigger document_event_insert_only before delete on document_event for each row execute function refuse_event_change();
create trigger document_event_is_blanked before update on document_event for each row execute function refuse_other_change();
`;

/** Of those that were forgotten before, what is still left; those whose bytes are still to be removed follow with their removal. */
const forgottenBefore = `
update document set state = state where state = 'FORGOTTEN' and removed_at is not null;
`;

/** What names a person goes with the document that is forgotten, wherever it is. */
export const nothingLeftOfAPerson: Migration = {
  async up(db: Kysely<unknown>) {
    for (const part of [kept, forgetting, insertOnly, forgottenBefore]) await sql.raw(part).execute(db);
  },
};
