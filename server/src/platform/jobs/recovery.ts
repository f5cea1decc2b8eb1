import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';

/** A worker registers itself within milliseconds of its start; one that has not after this long is dead. */
const unregisteredAfterSeconds = 30;

/** A runner of this process that has ended, with the jobs whose end it could not record. */
export interface EndedWorker {
  readonly workerId: string;
  readonly finished: ReadonlySet<string>;
}

/** Ends what it had finished and frees what else it had taken, or nothing of it. None of its jobs may be running. */
export const freeEnded = async (pool: pg.Pool, { workerId, finished }: EndedWorker): Promise<void> => {
  await inTransaction(pool, async (connection) => {
    await connection.query('select graphile_worker.force_unlock_workers($1::text[])', [[workerId]]);
    await connection.query('select graphile_worker.complete_jobs($1::bigint[])', [[...finished]]);
    await connection.query('delete from worker_process where worker_id = $1', [workerId]);
  });
};

const inTransaction = async <Result>(pool: pg.Pool, work: (connection: pg.PoolClient) => Promise<Result>): Promise<Result> => {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    const result = await work(connection);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    // Closes the connection, which rolls back in any state.
    connection.release(true);
    throw error;
  }
};

/** A process whose connection broke takes its lock again within this time: only one that does not is dead. */
const deadForMs = 2_000;

/** Those whose lock can be taken, tried with a lock of the transaction, so that it is released again. */
const listDead = async (connection: pg.PoolClient): Promise<string[]> => {
  const { rows } = await connection.query<{ worker_id: string }>(
    'select worker_id from worker_process where pg_try_advisory_xact_lock(lock_key) for update skip locked',
  );
  return rows.map((row) => row.worker_id);
};

/** Jobs whose worker was never registered. */
const listUnknown = async (connection: pg.PoolClient): Promise<string[]> => {
  const { rows } = await connection.query<{ worker_id: string }>(
    `select distinct locked_by as worker_id from graphile_worker.jobs
     where locked_by is not null and locked_at < now() - make_interval(secs => $1)
     and not exists (select from worker_process p where p.worker_id = locked_by)`,
    [unregisteredAfterSeconds],
  );
  return rows.map((row) => row.worker_id);
};

/**
 * Frees the jobs of dead workers, which would otherwise stay locked for four hours: of those whose process lock can be taken, now and two
 * seconds later, and of those whose worker was never registered. Safe to run in any number of processes at once.
 */
export const recoverDeadWorkers = async (pool: pg.Pool, log: Log, { signal }: { signal?: AbortSignal } = {}): Promise<void> => {
  const suspects = new Set(await inTransaction(pool, listDead));
  if (suspects.size > 0) await pause(deadForMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  if (signal?.aborted === true) return;
  const freed = await inTransaction(pool, async (connection) => {
    const stillDead = suspects.size === 0 ? [] : (await listDead(connection)).filter((workerId) => suspects.has(workerId));
    const workerIds = [...stillDead, ...(await listUnknown(connection))];
    if (workerIds.length === 0) return 0;
    await connection.query('select graphile_worker.force_unlock_workers($1::text[])', [workerIds]);
    await connection.query('delete from worker_process where worker_id = any($1::text[])', [workerIds]);
    return workerIds.length;
  });
  if (freed > 0) log.warn({ workers: freed }, 'jobs of dead workers were freed');
};
