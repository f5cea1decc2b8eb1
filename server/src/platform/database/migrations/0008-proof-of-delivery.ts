import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** JSON of numbers: a first time is added with `||`, and `@>` tells whether one was changed or is missing. */
const firstTimes = `
alter table document_mark
  add column opened_at timestamptz,
  -- Milliseconds since 1970 by page: when it was first shown. Pages that were reached before this column have no time.
  add column page_times jsonb not null default '{}',
  -- The same by outcome: when the client's own verification first gave it.
  add column verified jsonb not null default '{}';

alter table notice
  -- When it failed; of those that failed before this column the time is not known.
  add column failed_at timestamptz;
`;

const evidence = `
create function refuse_other_times() returns trigger language plpgsql as $$
begin
  raise exception 'what a client did with a document is kept with its first time' using errcode = 'restrict_violation';
end $$;
create trigger document_mark_keeps_first_times before update on document_mark for each row when ((
  (old.opened_at is null or new.opened_at = old.opened_at)
  and (old.read_at is null or new.read_at = old.read_at)
  and (old.downloaded_at is null or new.downloaded_at = old.downloaded_at)
  and new.pages @> old.pages and new.page_times @> old.page_times and new.verified @> old.verified
  and (new.personal_id, new.document_id) = (old.personal_id, old.document_id)
) is not true) execute function refuse_other_times();

-- Marks go with the contents of a forgotten document, and with the demonstration.
create function refuse_lost_times() returns trigger language plpgsql as $$
begin
  if exists (select from document where id = old.document_id and state = 'FORGOTTEN') then
    return old;
  end if;
  if current_setting('pergamin.removing_demo', true) = 'on' and (
    exists (select from document where id = old.document_id and demo) or
    exists (select from client where personal_id = old.personal_id and demo)
  ) then
    return old;
  end if;
  raise exception 'what a client did with a document is kept' using errcode = 'restrict_violation';
end $$;
create trigger document_mark_is_kept before delete on document_mark for each row execute function refuse_lost_times();
create trigger document_mark_no_truncate before truncate on document_mark for each statement execute function refuse_change();
`;

/** When a client first opened, saw, and verified what was delivered, kept as evidence, and when a notice failed. */
export const proofOfDelivery: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(firstTimes).execute(db);
    await sql.raw(evidence).execute(db);
  },
};
