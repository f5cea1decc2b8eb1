import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `alter table webhook_delivery drop constraint webhook_delivery_sent_document_id_fkey`,
  `alter table webhook_delivery rename column sent_document_id to document_id`,
  `alter table webhook_delivery
     alter column document_id drop not null,
     add column type text not null default 'document.received',
     -- What is posted, without its id; null once it was delivered, since it may name clients.
     add column event json,
     add column due_at timestamptz`,
  `update webhook_delivery as told set due_at = told.created_at, event = json_build_object(
       'type', told.type, 'createdOn', floor(extract(epoch from sent.created_at) * 1000)::bigint,
       'document', json_build_object('id', sent.id, 'sha256', sent.sha256, 'size', sent.size, 'categoryId', sent.category_id, 'typeId', sent.type_id))
     from sent_document sent where sent.id = told.document_id and told.state <> 'delivered'`,
  `update webhook_delivery set due_at = created_at where due_at is null`,
  `alter table webhook_delivery
     alter column type drop default,
     alter column due_at set not null,
     add constraint webhook_delivery_says_something check (event is not null or state = 'delivered')`,
  `drop index webhook_delivery_document`,
  // A document that is forgotten, and one of the demonstration.
  `create index webhook_delivery_document on webhook_delivery (document_id) where event is not null`,
  // What is posted next.
  `create index webhook_delivery_due on webhook_delivery (due_at) where state = 'queued'`,
  // The log in its order, and the sweep of what has ended.
  `create index webhook_delivery_log on webhook_delivery (state, created_at, id)`,
  // Each delivery had a job of its own: one job takes them from the rows now.
  `do $$ begin
     if to_regclass('graphile_worker._private_tasks') is not null then
       delete from graphile_worker._private_jobs where task_id in (
         select id from graphile_worker._private_tasks where identifier = 'sent-documents:webhook');
     end if;
   end $$`,
];

/** The webhook tells of more than received documents: each row holds what it says. */
export const webhookEvents: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
