import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

export interface JobsStanding {
  /** Due, and not begun. */
  readonly waiting: number;
  readonly running: number;
  /** Failed at least once, and tried again later. */
  readonly retried: number;
  /** Given up after their last attempt. */
  readonly failed: number;
  /** How long the oldest waiting one has been due. */
  readonly oldestSeconds: number;
}

/** Of all processes of this database. */
export const readJobsStanding = async (db: Kysely<Database>): Promise<JobsStanding> => {
  const { rows } = await sql<JobsStanding>`
    select count(*) filter (where due and locked_at is null)::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where attempts > 0 and attempts < max_attempts and locked_at is null)::int as retried,
      count(*) filter (where attempts >= max_attempts and locked_at is null)::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where due and locked_at is null)), 0)::float8 as "oldestSeconds"
    from (select *, run_at <= now() and attempts < max_attempts as due from graphile_worker.jobs) job`.execute(db);
  const [standing] = rows;
  if (standing === undefined) throw new Error('the queue of jobs does not tell how it stands');
  return standing;
};
