import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const batches = `
-- WITHDRAWING: its documents are taken back one portion after the other. WITHDRAWN: all of them were.
alter table batch drop constraint batch_state_check;
alter table batch add constraint batch_state_check
  check (state in ('OPEN', 'COMMITTED', 'PUBLISHED', 'DISCARDED', 'WITHDRAWING', 'WITHDRAWN'));
alter table batch
  add column withdrawn_at timestamptz,
  add column withdrawn_by uuid references publisher_key,
  add column withdrawal_reason text;
`;

const documents = `
-- When it left the lists of its clients, cancelled before anybody had opened it.
alter table document add column withdrawn_at timestamptz;

alter table document_event drop constraint document_event_event_check;
alter table document_event add constraint document_event_event_check
  check (event in ('STATE_CHANGED', 'HELD', 'RELEASED', 'RETENTION_EXTENDED', 'REMOVED', 'WITHDRAWN'));

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
    ('REMOVED', old.removed_at is null and new.removed_at is not null),
    ('WITHDRAWN', old.withdrawn_at is null and new.withdrawn_at is not null)
  ) as change (event, happened)
  where change.happened;
  return null;
end $$;
drop trigger document_event_is_kept on document;
create trigger document_event_is_kept after update of state, legal_hold, retention_date, removed_at, withdrawn_at on document for each row
  when (old.published_at is not null and (old.state, old.legal_hold, old.retention_date, old.removed_at, old.withdrawn_at)
    is distinct from (new.state, new.legal_hold, new.retention_date, new.removed_at, new.withdrawn_at))
  execute function keep_event();
`;

const news = `
alter table notification drop constraint notification_type_check;
alter table notification add constraint notification_type_check check (type in ('publication', 'account_update', 'withdrawal'));
alter table notification drop constraint notification_check;
alter table notification add constraint notification_check check ((type = 'account_update') = (document_id is null));
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('publication', 'reminder', 'withdrawal'));
`;

/** Batches and documents that are taken back: out of the lists where nobody has opened them, told to those who have. */
export const withdrawals: Migration = {
  async up(db: Kysely<unknown>) {
    for (const part of [batches, documents, news]) await sql.raw(part).execute(db);
  },
};
