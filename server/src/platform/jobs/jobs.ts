import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

export interface AddOptions {
  /** One waiting job per key: adding it again replaces the payload of a waiting one (single flight over processes). */
  readonly jobKey?: string;
  readonly maxAttempts?: number;
  /** Lower runs first; 0 by default. */
  readonly priority?: number;
  /** The job exists if and only if this transaction commits. */
  readonly trx?: Transaction<Database>;
  readonly runAt?: Date;
  /** Jobs of one queue run one after the other, over all processes. */
  readonly queue?: string;
  /** With a `jobKey`: leaves the waiting job as it is when that is as urgent, or more. */
  readonly onlyIfMoreUrgent?: boolean;
}

export type JobHandler = (payload: unknown, signal: AbortSignal) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface Jobs {
  add(name: string, payload: object, options?: AddOptions): Promise<void>;
  /**
   * Whether a job of this name is due, at least so urgent, and not begun because all workers are busy. What waits for another job of its queue
   * does not count, unless the one who asks is that job: its `queue`.
   */
  isWaiting(name: string, options: { readonly priority: number; readonly queue?: string | undefined }): Promise<boolean>;
}

export interface BatchJobs extends Jobs {
  /** One job for each payload, in one statement. */
  addAll(name: string, payloads: readonly object[], options?: Omit<AddOptions, 'jobKey'>): Promise<void>;
}

/** Enqueues through SQL on the caller's own connection, so that a job can be part of a business transaction. */
export const createJobs = (db: Kysely<Database>): BatchJobs => ({
  async add(name, payload, { jobKey, maxAttempts = 10, priority = 0, trx, runAt, queue, onlyIfMoreUrgent = false } = {}) {
    await sql`select graphile_worker.add_job(
      identifier => ${name}::text,
      payload => ${JSON.stringify(payload)}::json,
      job_key => ${jobKey ?? null}::text,
      max_attempts => ${maxAttempts}::int,
      priority => ${priority}::int,
      run_at => ${runAt ?? null}::timestamptz,
      queue_name => ${queue ?? null}::text
    ) where not (${onlyIfMoreUrgent}::boolean and exists (
      select from graphile_worker.jobs where key = ${jobKey ?? null}::text and locked_at is null and priority <= ${priority}::int
    ))`.execute(trx ?? db);
  },

  async addAll(name, payloads, { maxAttempts = 10, priority = 0, trx, runAt, queue } = {}) {
    await sql`select count(*) from graphile_worker.add_jobs(array(
      select row(
        ${name}::text, payload, ${queue ?? null}::text, ${runAt ?? null}::timestamptz, ${maxAttempts}::int, null, ${priority}::int, null
      )::graphile_worker.job_spec
      from json_array_elements(${JSON.stringify(payloads)}::json) as payload
    ))`.execute(trx ?? db);
  },

  async isWaiting(name, { priority, queue }) {
    const { rows } = await sql<{ waiting: boolean }>`select exists (
      select from graphile_worker.jobs left join graphile_worker._private_job_queues as queue using (queue_name)
      where task_identifier = ${name} and jobs.locked_at is null and run_at <= now() and attempts < max_attempts
        and priority <= ${priority}::int and (queue.locked_at is null or queue_name = ${queue ?? null}::text)
    ) as waiting`.execute(db);
    return rows[0]?.waiting === true;
  },
});
