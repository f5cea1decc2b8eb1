import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types, type QueryResultRow } from 'pg';
import type { DatabaseConnection, DatabaseLog } from './connection.ts';
import { createListener, type Listen } from './listener.ts';
import type { Database } from './schema.ts';

const DEFAULT_MAX_CONNECTIONS = 20;
const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 10_000;
const GOODBYE_TIMEOUT_MS = 1_000;

/** Either a connection, or a `postgres://` URL, whose own parameters win over ours. */
export type DatabaseAddress = { readonly connection: DatabaseConnection } | { readonly url: string };

export type DatabasePlan = DatabaseAddress & { readonly maxConnections?: number; readonly log: DatabaseLog };

export interface OpenDatabase {
  readonly db: Kysely<Database>;
  readonly pool: Pool;
  readonly listen: Listen;
  /** Waits for the connections in use. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a pool; it connects when first used. A statement is broken off after 15 seconds.
 * `bigint` values are read as numbers while they are exact (beyond 2^53 they stay text), `date` values as 'yyyy-mm-dd' or 'infinity',
 * `numeric` values as text.
 */
export function openDatabase(plan: DatabasePlan): OpenDatabase {
  const { log } = plan;
  const config = {
    ...('url' in plan ? { connectionString: plan.url } : plan.connection),
    application_name: 'pergamin',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser },
  };
  const pool = new Pool({ ...config, max: plan.maxConnections ?? DEFAULT_MAX_CONNECTIONS });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  // A connection that breaks between two statements of a transaction reports to nobody else, and an unheard error ends the process.
  pool.on('connect', (client) => client.on('error', (error) => log.debug({ err: error }, 'a database connection broke')));
  const waitUntilGone = watchConnections(pool);
  const listener = createListener({ config, pool, log });
  const closeAll = async (): Promise<void> => {
    await listener.close();
    await pool.end();
    await waitUntilGone();
  };
  let closing: Promise<void> | undefined;
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    listen: listener.listen,
    close: () => (closing ??= closeAll()),
  };
}

/**
 * The pool's end says good-bye to its connections and does not wait until they have gone (pg 8): a database that is stopped next would still
 * find them, and complain.
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

/** `name` is at most 63 bytes, and stands for this one text everywhere: PostgreSQL keeps the plan under it for the connection's life. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * One more column of what a statement gives, with which its commit is not waited for until it is on the disk: that is most of the work of a
 * small one. Only for steps of something that ends with a commit that is waited for, and which is worth nothing before: the log is one, so
 * that whoever has waited for the last step has waited for all of them.
 */
export const unhurried = `set_config('synchronous_commit', 'off', true) as unhurried`;

/** Runs a statement that each connection parses and plans only once: for the few hot ones, where Kysely's building costs more than the query. */
export async function namedQuery<Row extends QueryResultRow>(
  pool: Pick<Pool, 'query'>,
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
