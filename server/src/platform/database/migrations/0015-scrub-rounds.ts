import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What each scrub found: any process tells of the last one, also after a restart. */
export const scrubRounds: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table scrub_round (
        ended_at timestamptz primary key,
        read int not null,
        damaged int not null,
        unreadable int not null,
        disputed int not null,
        is_ledger_sound boolean not null
      )`.execute(db);
  },
};
