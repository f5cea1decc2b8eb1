import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const columns = `
alter table document
  -- While it is set, nothing removes the document.
  add column legal_hold boolean not null default false,
  -- From here on the bytes may be gone: neither a hold nor a longer retention could bring them back.
  add column removal_began_at timestamptz,
  add column removed_at timestamptz;

-- The next round of removal.
create index document_to_remove on document (id) where state in ('DELETED', 'FORGOTTEN') and removed_at is null;

alter table document_event
  add column event text not null default 'STATE_CHANGED'
    check (event in ('STATE_CHANGED', 'HELD', 'RELEASED', 'RETENTION_EXTENDED', 'REMOVED')),
  add column retention_before date,
  add column retention date,
  -- The publisher's key that did it, and its name then; null where none did.
  add column key_id uuid,
  add column key_name text,
  add column reason text;
alter table document_event alter column event drop default;
`;

/** Who and why come from the transaction (signChanges), so that no change of these columns is without its row. */
const history = `
drop trigger document_event_is_kept on document;

create or replace function keep_event() returns trigger language plpgsql as $$
begin
  insert into document_event (document_id, event, state_before, state, retention_before, retention, key_id, key_name, reason)
  select new.id, change.event, old.state, new.state, old.retention_date, new.retention_date,
    nullif(current_setting('pergamin.key_id', true), '')::uuid, nullif(current_setting('pergamin.key_name', true), ''),
    nullif(current_setting('pergamin.reason', true), '')
  from (values
    ('STATE_CHANGED', old.state is distinct from new.state),
    (case when new.legal_hold then 'HELD' else 'RELEASED' end, old.legal_hold is distinct from new.legal_hold),
    ('RETENTION_EXTENDED', old.retention_date is distinct from new.retention_date),
    ('REMOVED', old.removed_at is null and new.removed_at is not null)
  ) as change (event, happened)
  where change.happened;
  return null;
end $$;
create trigger document_event_is_kept after update of state, legal_hold, retention_date, removed_at on document for each row
  when ((old.state, old.legal_hold, old.retention_date, old.removed_at)
    is distinct from (new.state, new.legal_hold, new.retention_date, new.removed_at))
  execute function keep_event();

create function refuse_shorter_retention() returns trigger language plpgsql as $$
begin
  raise exception 'the retention of a document is never shortened' using errcode = 'restrict_violation';
end $$;
create trigger document_retention_grows before update of retention_date on document for each row
  when (old.retention_date is not null and (new.retention_date is null or new.retention_date < old.retention_date))
  execute function refuse_shorter_retention();
`;

/** Legal holds, retention that only grows, removal, and who changed what and why. */
export const lifeOfDocuments: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(columns).execute(db);
    await sql.raw(history).execute(db);
  },
};
