import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Log } from '#platform/log/log.ts';

/** Soon, before other processes take it for dead; not at once, since a server that stops refuses connections. */
const takeAgainAfterMs = 250;

/**
 * Holds a session-level advisory lock on a connection of its own for as long as this process lives: PostgreSQL releases it when the connection
 * breaks, after kill -9 and power cuts too, and other processes then free the jobs of this one. The lock lasts only as long as
 * its connection, so a broken one is replaced as soon as the database can be reached.
 */
export const holdProcessLock = async (pool: pg.Pool, log: Log): Promise<ProcessLock> => {
  const lock = new ProcessLock(pool, log);
  await lock.take();
  return lock;
};

export class ProcessLock {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #key = randomBytes(8).readBigInt64BE().toString();
  readonly #workerIds = new Set<string>();
  #connection: pg.PoolClient | undefined;
  #taking: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;
  #isReleased = false;

  constructor(pool: pg.Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  take(): Promise<void> {
    return (this.#taking ??= this.#takeOnce().finally(() => {
      this.#taking = undefined;
    }));
  }

  /** Says that this worker lives in this process. */
  async register(workerId: string): Promise<void> {
    this.#workerIds.add(workerId);
    await this.#registerAll();
  }

  /** Repeats what got lost: takes the lock again after its connection broke, registers again what others took for dead. */
  async keep(): Promise<void> {
    // A silently broken connection fails this query at its deadline (deadline.ts).
    if (this.#connection === undefined) await this.take();
    else await this.#connection.query('select');
    await this.#registerAll();
  }

  /** This worker has ended, and holds no jobs. */
  forget(workerId: string): void {
    this.#workerIds.delete(workerId);
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#again);
    const held = this.#connection;
    this.#connection = undefined;
    try {
      await this.#pool.query('delete from worker_process where lock_key = $1', [this.#key]);
      // The end of the connection is not awaited. A broken one holds no lock any more.
      await held?.query('select pg_advisory_unlock($1::bigint)', [this.#key]).catch(() => undefined);
    } finally {
      held?.release(true);
    }
  }

  async #takeOnce(): Promise<void> {
    const client = await this.#pool.connect();
    client.once('error', (error) => {
      this.#log.warn({ err: error }, 'the connection that holds the process lock broke');
      if (this.#connection !== client) return;
      this.#connection = undefined;
      client.release(error);
      this.#takeSoon();
    });
    try {
      // A machine that vanished is noticed within half a minute, not after two hours. Has no meaning on a local socket.
      await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
      await client.query('select pg_advisory_lock($1::bigint)', [this.#key]);
      if (this.#isReleased) throw new Error('the lock is not wanted any more');
      this.#connection = client;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  #takeSoon(): void {
    clearTimeout(this.#again);
    if (this.#isReleased) return;
    this.#again = setTimeout(() => {
      this.take().catch((error: unknown) => {
        this.#log.debug({ err: error }, 'the process lock could not be taken yet');
        this.#takeSoon();
      });
    }, takeAgainAfterMs).unref();
  }

  async #registerAll(): Promise<void> {
    await this.#pool.query(
      `insert into worker_process (worker_id, lock_key) select worker_id, $2::bigint from unnest($1::text[]) worker_id
       on conflict (worker_id) do nothing`,
      [[...this.#workerIds], this.#key],
    );
  }
}
