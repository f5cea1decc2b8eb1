import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';

/** A worker registers itself within milliseconds of its first breath; one that has not after this long is not alive. */
const unregisteredAfterSeconds = 30;

export interface ProcessLock {
  /** Says that this worker lives in this process. */
  register(workerId: string): Promise<void>;
  /** Repeats what got lost: takes the lock again after its connection broke, registers again what others took for dead. */
  keep(): Promise<void>;
  /** This worker has ended, and holds no jobs. */
  forget(workerId: string): void;
  release(): Promise<void>;
}

/** Soon, for others may look; not at once, for a server that ends takes no connections. */
const takeAgainAfterMs = 250;

/**
 * Takes a session-level advisory lock on a connection of its own for as long as this process lives: PostgreSQL gives it up when the connection
 * breaks, kill -9 and power cuts included, which is how others learn that the jobs of this process will not be finished by it. The lock is
 * only as alive as its connection: one that breaks is replaced as soon as the database can be reached.
 */
export const holdProcessLock = async (pool: pg.Pool, log: Log): Promise<ProcessLock> => {
  const key = randomBytes(8).readBigInt64BE().toString();
  const workerIds = new Set<string>();
  let connection: pg.PoolClient | undefined;
  let taking: Promise<void> | undefined;
  let again: NodeJS.Timeout | undefined;
  let isReleased = false;

  const takeOnce = async (): Promise<void> => {
    const client = await pool.connect();
    const lose = (error: Error): void => {
      log.warn({ err: error }, 'the connection that holds the process lock broke');
      if (connection !== client) return;
      connection = undefined;
      client.release(error);
      takeSoon();
    };
    client.once('error', lose);
    try {
      // A machine that vanished is noticed within half a minute, not after two hours. Has no meaning on a local socket.
      await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
      await client.query('select pg_advisory_lock($1::bigint)', [key]);
      if (isReleased) throw new Error('the lock is not wanted any more');
      connection = client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };

  const take = (): Promise<void> =>
    (taking ??= takeOnce().finally(() => {
      taking = undefined;
    }));

  function takeSoon(): void {
    clearTimeout(again);
    if (isReleased) return;
    again = setTimeout(() => {
      take().catch((error: unknown) => {
        log.debug({ err: error }, 'the process lock could not be taken yet');
        takeSoon();
      });
    }, takeAgainAfterMs).unref();
  }

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
      // One that has gone without a word is found out by asking (deadline.ts).
      if (connection === undefined) await take();
      else await connection.query('select');
      await registerAll();
    },
    forget(workerId) {
      workerIds.delete(workerId);
    },
    async release() {
      isReleased = true;
      clearTimeout(again);
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

/** A runner of this process that has ended, with the jobs that it finished and did not say so. */
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
    // Whatever state it is in: a closed connection rolls back.
    connection.release(true);
    throw error;
  }
};

/** A process whose connection broke takes its lock again within this time: only one that does not is dead. */
const deadForMs = 2_000;

/** Those whose lock can be taken, which is asked, and not kept: the lock is the transaction's. */
const listDead = async (connection: pg.PoolClient): Promise<string[]> => {
  const { rows } = await connection.query<{ worker_id: string }>(
    'select worker_id from worker_process where pg_try_advisory_xact_lock(lock_key) for update skip locked',
  );
  return rows.map((row) => row.worker_id);
};

/** Jobs whose worker nobody ever registered. */
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
 * seconds later, and of those nobody ever registered. Safe to run in any number of processes at once.
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
