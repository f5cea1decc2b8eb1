import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements: readonly string[] = [
  // By its checksum a document is looked for among the deliveries of whoever asks, and nowhere else: it takes the same time whether nobody has
  // such a document, somebody else, or a million clients who all got the same file. The first 64 bits lead there, the whole checksum decides.
  `create function content_key(sha256 text) returns bigint language sql immutable strict parallel safe
    return ('x' || left(sha256, 16))::bit(64)::bigint`,
  'alter table delivery add column content_key bigint',
  'alter table delivery disable trigger delivery_is_filled',
  `update delivery set content_key = content_key(coalesce(publication.sha256, document.sha256))
    from document left join publication on publication.document_id = document.id where document.id = delivery.document_id`,
  'alter table delivery enable trigger delivery_is_filled',
  'create index delivery_content on delivery (principal, content_key)',
  // Of what was delivered, once: a checksum that somebody changes later leads nowhere else.
  `create function take_content() returns trigger language plpgsql as $$
  begin
    new.content_key := (select content_key(sha256) from document where id = new.document_id);
    return new;
  end $$`,
  'create trigger delivery_takes_content before insert on delivery for each row execute function take_content()',

  // What has become of a document since it was published, written with the change itself, whoever changes it.
  `create table document_event (
    id bigint generated always as identity primary key,
    document_id uuid not null references document,
    state_before text not null,
    state text not null,
    at timestamptz not null default clock_timestamp()
  )`,
  'create index document_event_document on document_event (document_id, id)',
  `create function keep_event() returns trigger language plpgsql as $$
  begin
    insert into document_event (document_id, state_before, state) values (new.id, old.state, new.state);
    return null;
  end $$`,
  `create trigger document_event_is_kept after update of state on document for each row
    when (old.state is distinct from new.state) execute function keep_event()`,
  // Like publications: nobody changes them, and only those of demonstration documents go, with these.
  `create function refuse_event_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and current_setting('pergamin.removing_demo', true) = 'on'
      and exists (select from document where id = old.document_id and demo) then
      return old;
    end if;
    raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
  end $$`,
  `create trigger document_event_insert_only before update or delete on document_event
    for each row execute function refuse_event_change()`,
  `create trigger document_event_no_truncate before truncate on document_event
    for each statement execute function refuse_change()`,
];

/** Documents by their checksum (G6), and their history (G3). */
export const verification: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
