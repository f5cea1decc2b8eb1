import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';

/** A worker registers itself within milliseconds of its first breath; one that has not after this long is not alive. */
const unregisteredAfterSeconds = 30;

export interface ProcessLock {
  register(workerId: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes a session-level advisory lock on a connection of its own for as long as this process lives: PostgreSQL gives it up when the connection
 * breaks, kill -9 and power cuts included, which is how others learn that the jobs of this process will not be finished by it.
 */
export const holdProcessLock = async (pool: pg.Pool, log: Log): Promise<ProcessLock> => {
  const key = randomBytes(8).readBigInt64BE().toString();
  const connection = await pool.connect();
  connection.on('error', (error) => log.error({ err: error }, 'the connection that holds the process lock broke'));
  await connection.query('select pg_advisory_lock($1::bigint)', [key]);
  return {
    async register(workerId) {
      await pool.query('insert into worker_process (worker_id, lock_key) values ($1, $2)', [workerId, key]);
    },
    async release() {
      await pool.query('delete from worker_process where lock_key = $1', [key]);
      await connection.query('select pg_advisory_unlock($1::bigint)', [key]);
      connection.release();
    },
  };
};

/**
 * Frees the jobs of dead workers, which would otherwise stay locked for four hours: of those whose process lock can be taken, and of those
 * nobody ever registered. Safe to run in any number of processes at once.
 */
export const recoverDeadWorkers = async (pool: pg.Pool, log: Log): Promise<void> => {
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    const { rows: dead } = await connection.query<{ worker_id: string }>(
      // The lock is a transaction's here: it is only asked whether it can be had.
      'select worker_id from worker_process where pg_try_advisory_xact_lock(lock_key) for update skip locked',
    );
    const { rows: unknown } = await connection.query<{ worker_id: string }>(
      `select distinct locked_by as worker_id from graphile_worker.jobs
       where locked_by is not null and locked_at < now() - make_interval(secs => $1)
       and not exists (select from worker_process p where p.worker_id = locked_by)`,
      [unregisteredAfterSeconds],
    );
    const workerIds = [...dead, ...unknown].map((row) => row.worker_id);
    if (workerIds.length > 0) {
      await connection.query('select graphile_worker.force_unlock_workers($1::text[])', [workerIds]);
      await connection.query('delete from worker_process where worker_id = any($1::text[])', [workerIds]);
      log.warn({ workers: workerIds.length }, 'jobs of dead workers were freed');
    }
    await connection.query('commit');
  } catch (error) {
    await connection.query('rollback');
    throw error;
  } finally {
    connection.release();
  }
};
