import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A gateway may tell what became of a message before it was written down under which id it took it.
  `create table early_report (
    message_id text primary key,
    reason text not null,
    received_at timestamptz not null
  )`,
  'create index early_report_age on early_report (received_at)',
];

/** Delivery reports that come before the id of their message is known (M3). */
export const earlyReports: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
