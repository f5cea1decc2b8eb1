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
}

/** At least once: a job whose handler throws, or whose process dies, runs again. `payload` is the JSON of `add`; `signal` aborts at a stop. */
export type JobHandler = (payload: unknown, signal: AbortSignal) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** The queue of graphile-worker. */
export interface Jobs {
  add(name: string, payload: object, options?: AddOptions): Promise<void>;
}

export interface BatchJobs extends Jobs {
  /** One job for each payload, in one statement. `jobKeys`: of each, in the same order; no two are alike. */
  addAll(
    name: string,
    payloads: readonly object[],
    options?: Omit<AddOptions, 'jobKey'> & { readonly jobKeys?: readonly string[] },
  ): Promise<void>;
}

/** Enqueues through SQL on the caller's own connection, so that a job can be part of a business transaction. */
export const createJobs = (db: Kysely<Database>): BatchJobs => ({
  async add(name, payload, { jobKey, maxAttempts = 10, priority = 0, trx, runAt, queue } = {}) {
    await sql`select graphile_worker.add_job(
      identifier => ${name}::text,
      payload => ${JSON.stringify(payload)}::json,
      job_key => ${jobKey ?? null}::text,
      max_attempts => ${maxAttempts}::int,
      priority => ${priority}::int,
      run_at => ${runAt ?? null}::timestamptz,
      queue_name => ${queue ?? null}::text
    )`.execute(trx ?? db);
  },

  async addAll(name, payloads, { maxAttempts = 10, priority = 0, trx, runAt, queue, jobKeys = [] } = {}) {
    await sql`select count(*) from graphile_worker.add_jobs(array(
      select row(
        ${name}::text, payload, ${queue ?? null}::text, ${runAt ?? null}::timestamptz, ${maxAttempts}::int,
        (${jobKeys}::text[])[nth], ${priority}::int, null
      )::graphile_worker.job_spec
      from json_array_elements(${JSON.stringify(payloads)}::json) with ordinality as each (payload, nth)
    ))`.execute(trx ?? db);
  },
});
