import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const accounts = `
-- ACTIVE and CLOSED as before; a DISABLED client cannot sign in, and is mailed no links and no notices.
alter table client drop constraint client_state_check;
alter table client add constraint client_state_check check (state in ('ACTIVE', 'CLOSED', 'DISABLED'));

-- Which states a client had, and which key of the organisation changed them, when and why. Insert-only.
create table client_event (
  id bigint generated always as identity primary key,
  personal_id text not null references client,
  state_before text not null check (state_before in ('ACTIVE', 'CLOSED', 'DISABLED')),
  state text not null check (state in ('ACTIVE', 'CLOSED', 'DISABLED')),
  at timestamptz not null,
  key_id uuid not null,
  key_name text not null,
  reason text not null
);
-- The history of one client, in order.
create index client_event_client on client_event (personal_id, id);
`;

const statutes = `
-- Which versions the organisation took back before their day, by which key and why. Their rows and their bytes stay. Insert-only.
create table statute_withdrawal (
  statute_id uuid primary key references statute,
  withdrawn_at timestamptz not null,
  key_id uuid not null,
  key_name text not null,
  reason text not null
);
-- Whether any client has accepted a version.
create index statute_acceptance_statute on statute_acceptance (statute_id);
`;

const configuration = `
-- Every version of what the organisation configures: metadata keys, dictionaries, categories, and who joined and left a group. Insert-only.
create table configuration_change (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('metadata', 'dictionary', 'category', 'group')),
  subject text not null,
  at timestamptz not null default clock_timestamp(),
  key_id uuid not null,
  key_name text not null,
  before jsonb,
  after jsonb not null
);
-- The history of one kind, the latest first.
create index configuration_change_kind on configuration_change (kind, id);
create trigger configuration_change_insert_only before update or delete on configuration_change
  for each row execute function refuse_change();
create trigger configuration_change_no_truncate before truncate on configuration_change
  for each statement execute function refuse_change();
`;

/** Of the demonstration go the rows of its statutes and clients, whichever of both a table names. */
const insertOnly = `
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('pergamin.removing_demo', true) = 'on' then
    if tg_table_name = 'publication' and exists (select from document d where d.id = (to_jsonb(old) ->> 'document_id')::uuid and d.demo) then
      return old;
    end if;
    if tg_table_name in ('statute_acceptance', 'statute_withdrawal', 'client_event') and (
      exists (select from statute s where s.id = (to_jsonb(old) ->> 'statute_id')::uuid and s.demo) or
      exists (select from client c where c.personal_id = to_jsonb(old) ->> 'personal_id' and c.demo)
    ) then
      return old;
    end if;
  end if;
  raise exception 'rows of % are insert-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger client_event_insert_only before update or delete on client_event for each row execute function refuse_change();
create trigger client_event_no_truncate before truncate on client_event for each statement execute function refuse_change();
create trigger statute_withdrawal_insert_only before update or delete on statute_withdrawal
  for each row execute function refuse_change();
create trigger statute_withdrawal_no_truncate before truncate on statute_withdrawal
  for each statement execute function refuse_change();
`;

/** Who disables and closes clients, withdraws versions of the terms, and changes what is configured: by which key, when and why. */
export const changesByTheOrganisation: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(accounts).execute(db);
    await sql.raw(statutes).execute(db);
    await sql.raw(insertOnly).execute(db);
    await sql.raw(configuration).execute(db);
  },
};
