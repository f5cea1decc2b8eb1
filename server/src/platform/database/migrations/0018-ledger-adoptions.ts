import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What operators adopted after the ledger was halted. Insert-only: an auditor must find where a log may have been cut. */
export const ledgerAdoptions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table ledger_adoption (
        id bigint generated always as identity primary key,
        at timestamptz not null default clock_timestamp(),
        reason text not null check (reason in ('DATABASE_OLDER', 'CHECKPOINT_LOST')),
        -- Entries that the database had, and that were taken over from the files of the log.
        size bigint not null,
        taken_over bigint not null,
        -- Published documents that no entry was about.
        unregistered bigint not null
      )`.execute(db);
    await sql`create trigger ledger_adoption_insert_only before update or delete on ledger_adoption
      for each row execute function refuse_change()`.execute(db);
    await sql`create trigger ledger_adoption_no_truncate before truncate on ledger_adoption
      for each statement execute function refuse_change()`.execute(db);
  },
};
