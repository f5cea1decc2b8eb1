import { Kysely, type KyselyConfig, PostgresDialect } from 'kysely';
import { Client, type ClientConfig, Pool, types, type QueryResultRow } from 'pg';
import { type Outage, untoldOutage } from '#platform/log/outages.ts';
import type { DatabaseConnection, DatabaseLog } from './connection.ts';
import { clientWithDeadline, DatabaseSilentError } from './deadline.ts';
import { createListener } from './listener.ts';
import type { QueryPool } from './read-pool.ts';
import type { Database } from './schema.ts';
import { watchedClient } from './watched-client.ts';

const DEFAULT_MAX_CONNECTIONS = 20;
const STATEMENT_TIMEOUT_MS = 15_000;
const SILENCE_MS = 2_000;
/** Also the longest wait for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const IDLE_TIMEOUT_MS = 10_000;
/** New ones find a server that took over, and its new settings. */
const MAX_LIFETIME_SECONDS = 1_800;
const LOOK_TIMEOUT_MS = 1_500;
const LONGEST_TIMER_MS = 2 ** 30;
const GOODBYE_TIMEOUT_MS = 1_000;

/** Either a connection, or a `postgres://` URL, whose own parameters win over ours. */
export type DatabaseAddress = { readonly connection: DatabaseConnection } | { readonly url: string };

export type DatabasePlan = DatabaseAddress & {
  readonly maxConnections?: number;
  readonly log: DatabaseLog;
  /** What the way to the database and back may take beside the statement: two seconds, when nothing is said. */
  readonly silenceMs?: number;
  /** How often a listener asks whether its connection still works: every five seconds, when nothing is said. */
  readonly beatEveryMs?: number;
  /** Told of each statement that Kysely has run, and of its time without the wait for a connection. */
  readonly onStatement?: OnStatement | undefined;
  /** Told of connections that break or cannot be made. */
  readonly outage?: Outage | undefined;
};

export type OnStatement = (statement: { readonly text: string; readonly ms: number; readonly isFailed: boolean }) => void;

export type OpenDatabase = ReturnType<typeof openDatabase>;

/**
 * Opens a pool; it connects when first used. The server cancels a statement after 15 seconds; two seconds later the client gives up, if the server
 * has not. `isDatabaseUnavailable` recognises what the pool throws while the database cannot be used.
 * `bigint` values are read as numbers while they are exact (beyond 2^53 they stay text), `date` values as 'yyyy-mm-dd' or 'infinity',
 * `numeric` values as text.
 */
export function openDatabase(plan: DatabasePlan) {
  const { log, outage = untoldOutage } = plan;
  const config = {
    ...('url' in plan ? { connectionString: plan.url } : plan.connection),
    application_name: 'pergamin',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser },
  };
  const deadlineMs = statementTimeoutOf(plan) + (plan.silenceMs ?? SILENCE_MS);
  const pool = new Pool({
    ...config,
    Client: watchedClient(clientWithDeadline(deadlineMs), outage),
    max: plan.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  // A connection that breaks between two statements of a transaction has no other listener, and an unhandled error ends the process.
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')));
  const waitUntilGone = watchConnections(pool);
  const listener = createListener({ config, pool, log, outage, beatEveryMs: plan.beatEveryMs });
  const closeAll = async (): Promise<void> => {
    await listener.close();
    await pool.end();
    await waitUntilGone();
  };
  let closing: Promise<void> | undefined;
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }), ...loggerOf(plan.onStatement) }),
    pool,
    listen: listener.listen,
    /** Runs one statement on a connection of its own, whatever the pool is waiting for. Throws after a second and a half at the latest. */
    look: (text: string): Promise<void> =>
      lookOnce(watchedClient(Client, outage), { config: { ...config, connectionTimeoutMillis: LOOK_TIMEOUT_MS }, text }),
    /** Waits for the connections in use. */
    close: () => (closing ??= closeAll()),
  };
}

/** Undefined costs nothing: Kysely takes the time of no statement then. */
const loggerOf = (onStatement: OnStatement | undefined): Pick<KyselyConfig, 'log'> =>
  onStatement === undefined
    ? {}
    : { log: ({ level, query, queryDurationMillis: ms }) => onStatement({ text: query.sql, ms, isFailed: level === 'error' }) };

/** The URL's own comes first, as with everything else; 0 disables it, which leaves only the keep-alive of the connection. */
function statementTimeoutOf(plan: DatabaseAddress): number {
  const [, own] = 'url' in plan ? (/[?&]statement_timeout=(\d+)/.exec(plan.url) ?? []) : [];
  if (own === undefined) return STATEMENT_TIMEOUT_MS;
  return own === '0' ? LONGEST_TIMER_MS : Number(own);
}

async function lookOnce(LookingClient: typeof Client, { config, text }: { config: ClientConfig; text: string }): Promise<void> {
  const client = new LookingClient(config);
  // The promise below reports errors.
  client.on('error', () => undefined);
  const look = async (): Promise<void> => {
    await client.connect();
    await client.query(text);
  };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    client.connection.stream.destroy();
    late.reject(new DatabaseSilentError(`the database gave no answer within ${LOOK_TIMEOUT_MS} ms`));
  }, LOOK_TIMEOUT_MS);
  try {
    await Promise.race([look(), late.promise]);
  } finally {
    clearTimeout(timer);
    // `end` may never resolve when the server no longer reads, so it is not awaited.
    void client.end().catch(() => undefined);
  }
}

/**
 * The pool's `end` does not wait until its connections have closed (pg 8): a database that is stopped next would still
 * find them, and log errors.
 */
function watchConnections(pool: Pool): () => Promise<void> {
  const open = new Set<unknown>();
  const gone = Promise.withResolvers<void>();
  let isEnding = false;
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => {
    open.delete(client);
    if (isEnding && open.size === 0) gone.resolve();
  });
  return async () => {
    isEnding = true;
    if (open.size === 0) gone.resolve();
    // One whose other side has vanished never ends.
    const timer = setTimeout(gone.resolve, GOODBYE_TIMEOUT_MS);
    await gone.promise;
    clearTimeout(timer);
  };
}

/** `name` is at most 63 bytes, and means this one text everywhere: PostgreSQL keeps the plan under it for the connection's life. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * A column for a statement's result that makes its commit asynchronous: the answer does not wait for the disk. Only for steps of a sequence
 * that is worth nothing before its last step, which commits synchronously; the write-ahead log is sequential, so that commit flushes them all.
 */
export const asyncCommit = `set_config('synchronous_commit', 'off', true) as async_commit`;

/** Runs a statement that each connection parses and plans only once: for the few hot ones, where Kysely's building costs more than the query. */
export async function namedQuery<Row extends QueryResultRow>(
  pool: QueryPool,
  statement: NamedStatement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name: statement.name, text: statement.text, values: [...values] });
  return rows;
}

type TypeParser = (value: string) => unknown;

const ownParsers: ReadonlyMap<number, TypeParser> = new Map<number, TypeParser>([
  [types.builtins.INT8, parseBigint],
  // A Date would be midnight of this machine's time zone, often another day elsewhere.
  [types.builtins.DATE, (text) => text],
]);

function getTypeParser(oid: number, format?: 'text' | 'binary'): TypeParser {
  const own = format === 'binary' ? undefined : ownParsers.get(oid);
  return own ?? types.getTypeParser(oid, format);
}

function parseBigint(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
