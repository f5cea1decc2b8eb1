import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';

/** A worker registers itself within milliseconds of its first breath; one that has not after this long is not alive. */
const unregisteredAfterSeconds = 30;

export interface ProcessLock {
  /** Says that this worker lives in this process. */
  register(workerId: string): Promise<void>;
  /** Repeats what got lost: takes the lock again after its connection broke, registers again what others took for dead. */
  keep(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes a session-level advisory lock on a connection of its own for as long as this process lives: PostgreSQL gives it up when the connection
 * breaks, kill -9 and power cuts included, which is how others learn that the jobs of this process will not be finished by it. The lock is
 * only as alive as its connection: `keep` has to be called regularly, more often than others may look.
 */
export const holdProcessLock = async (pool: pg.Pool, log: Log): Promise<ProcessLock> => {
  const key = randomBytes(8).readBigInt64BE().toString();
  const workerIds = new Set<string>();
  let connection: pg.PoolClient | undefined;

  const take = async (): Promise<void> => {
    const client = await pool.connect();
    client.once('error', (error) => {
      log.warn({ err: error }, 'the connection that holds the process lock broke');
      if (connection !== client) return;
      connection = undefined;
      client.release(error);
    });
    try {
      // A machine that vanished is noticed within half a minute, not after two hours. Has no meaning on a local socket.
      await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
      await client.query('select pg_advisory_lock($1::bigint)', [key]);
      connection = client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };

  const registerAll = async (): Promise<void> => {
    await pool.query(
      `insert into worker_process (worker_id, lock_key) select worker_id, $2::bigint from unnest($1::text[]) worker_id
       on conflict (worker_id) do nothing`,
      [[...workerIds], key],
    );
  };

  await take();
  return {
    async register(workerId) {
      workerIds.add(workerId);
      await registerAll();
    },
    async keep() {
      if (connection === undefined) await take();
      await registerAll();
    },
    async release() {
      const held = connection;
      connection = undefined;
      try {
        await pool.query('delete from worker_process where lock_key = $1', [key]);
        // The connection says good-bye and is not waited for. One that broke holds no lock any more.
        await held?.query('select pg_advisory_unlock($1::bigint)', [key]).catch(() => undefined);
      } finally {
        held?.release(true);
      }
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
    connection.release();
  } catch (error) {
    // Whatever state it is in: a closed connection rolls back.
    connection.release(true);
    throw error;
  }
};
