import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Locks to the moment, as the store was told, when each was last compared with the store, and what a lock keeps from being removed. A row of before has no moment:
 * its day counts.
 */
export const locksOfObjects: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table object_lock
      add column locked_until timestamptz,
      add column compared_at timestamptz,
      add column is_short boolean not null default false,
      add column discarded_at timestamptz`.execute(db);
    // The next round of comparing takes the locks that were not compared for the longest time.
    await sql`create index object_lock_compared on object_lock (compared_at nulls first, key)`.execute(db);
  },
};
