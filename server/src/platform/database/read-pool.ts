import { DatabaseError, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import type { DatabaseLog } from './connection.ts';
import type { OnStatement } from './database.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** What reading rooms need of a pool of pg. */
export interface QueryPool {
  query<Row extends QueryResultRow>(statement: string | QueryConfig<unknown[]>, values?: unknown[]): Promise<QueryResult<Row>>;
}

interface Parts {
  readonly primary: QueryPool;
  /** A read replica. Undefined: there is none. */
  readonly replica: QueryPool | undefined;
  readonly log: Pick<DatabaseLog, 'info' | 'warn'>;
  /** Told of each statement, and of its time with the wait for a connection. */
  readonly onStatement?: OnStatement | undefined;
  readonly probeEveryMs?: number;
}

/**
 * Of SQLSTATE: a table, column or function that a migration added and that the replica has not replayed yet (42), a database or role that is not there
 * (3D, 28).
 */
const ofReplica = /^(?:42P01|42703|42883|3D|28)/;
const canceled = '57014';

const isReplicaAtFault = (error: unknown): boolean => {
  const code = error instanceof DatabaseError ? (error.code ?? '') : '';
  // A statement that was cancelled would take as long on the primary.
  return code !== canceled && (ofReplica.test(code) || isDatabaseUnavailable(error));
};

/**
 * Statements that only read, for a read replica (DATABASE_READ_URL). While the replica cannot be used, the primary answers, and the statement that
 * met the fault is repeated there. Not for anything that decides about access to one document, nor in a transaction.
 */
export const createReadPool = ({ primary, replica, log, onStatement, probeEveryMs = 5_000 }: Parts): QueryPool => {
  let isDown = false;
  let probedAtMs = Number.NEGATIVE_INFINITY;

  const probe = async (used: QueryPool): Promise<void> => {
    if (performance.now() - probedAtMs < probeEveryMs) return;
    probedAtMs = performance.now();
    const isBack = await used.query('select 1').then(
      () => true,
      () => false,
    );
    if (!isBack) return;
    isDown = false;
    log.info({}, 'the read replica is used again');
  };

  const pool: QueryPool = {
    async query(statement, values) {
      if (replica === undefined) return primary.query(statement, values);
      if (isDown) {
        // No caller waits for a machine that does not answer.
        void probe(replica);
        return primary.query(statement, values);
      }
      try {
        return await replica.query(statement, values);
      } catch (error) {
        if (!isReplicaAtFault(error)) throw error;
        if (!isDown) log.warn({ err: error }, 'the read replica cannot be used; the primary answers in its place');
        isDown = true;
        probedAtMs = performance.now();
        return primary.query(statement, values);
      }
    },
  };
  return onStatement === undefined ? pool : timed(pool, onStatement);
};

const timed = (pool: QueryPool, onStatement: OnStatement): QueryPool => ({
  async query<Row extends QueryResultRow>(statement: string | QueryConfig<unknown[]>, values?: unknown[]) {
    const begunAtMs = performance.now();
    const text = typeof statement === 'string' ? statement : statement.text;
    let isFailed = true;
    try {
      const result = await pool.query<Row>(statement, values);
      isFailed = false;
      return result;
    } finally {
      onStatement({ text, ms: performance.now() - begunAtMs, isFailed });
    }
  },
});
