import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { DatabaseLog } from './connection.ts';
import { withoutDeadline } from './deadline.ts';
import { migrations as ownMigrations } from './migrations/index.ts';

/** A migration failed, and with it the whole batch; or the database is newer than this Pergamin, or too old. See `cause`. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** Less than the second after which PostgreSQL looks for a deadlock: what serves requests meanwhile is never the one to be broken off. */
const LOCKS_WITHIN_MS = 500;
const AGAIN_AFTER_MS = 1_000;
const SAY_EVERY_MS = 15_000;

/** Locks not got in time, a deadlock, or a change that crossed ours: all of it was undone, and may be begun again. */
const LOST = new Set(['57014', '55P03', '40P01', '40001']);

export interface MigrationSet {
  readonly migrations: Readonly<Record<string, Migration>>;
  /** Where it is noted which were run, and whose tables they change; that of the connection when left out. */
  readonly schema?: string;
  /** A migration that only databases of before the first release have: their tables were made in another way. */
  readonly beforeBaseline?: string;
}

const ownSet: MigrationSet = { migrations: ownMigrations, beforeBaseline: '0001-first' };

/**
 * Brings the schema up to date: all missing migrations in one transaction, or none. Several processes may call it at once; one works, the
 * others wait and find nothing left to do.
 * @throws MigrationError
 */
export async function migrateToLatest<Schema>(
  db: Kysely<Schema>,
  log: Pick<DatabaseLog, 'info' | 'warn'>,
  set: MigrationSet = ownSet,
): Promise<void> {
  const migrateOnce = (): Promise<void> =>
    db.connection().execute(async (connection) => {
      // Rewriting a large table, or waiting for another process that does, may take longer than any statement of a request.
      await sql`set statement_timeout = 0`.execute(connection);
      try {
        await migrate(connection, { log, set });
      } finally {
        await sql`reset statement_timeout`.execute(connection);
      }
    });
  await withoutDeadline(() => untilNotLost(migrateOnce, log));
}

/**
 * For programs that work beside a portal, which alone migrates.
 * @throws MigrationError when the database is older or newer than this Pergamin.
 */
export async function requireMigrated<Schema>(db: Kysely<Schema>): Promise<void> {
  const done = await listDone(db, ownSet);
  refuseForeign(done, ownSet);
  if (done.length < Object.keys(ownSet.migrations).length)
    throw new MigrationError(
      'The database is older than this Pergamin, which brings it up to date when the portal starts: start that first',
    );
}

/**
 * How many migrations a start would run; `isNew`: none was ever run. Changes nothing.
 * @throws MigrationError when the database is newer than this Pergamin, or too old for it.
 */
export async function judgeMigrations<Schema>(
  db: Kysely<Schema>,
  set: MigrationSet = ownSet,
): Promise<{ readonly isNew: boolean; readonly missing: number }> {
  const done = await listDone(db, set);
  refuseForeign(done, set);
  return { isNew: done.length === 0, missing: Object.keys(set.migrations).length - done.length };
}

/** Requests go on meanwhile, but for half a second at a time. */
async function untilNotLost(migrateOnce: () => Promise<void>, log: Pick<DatabaseLog, 'warn'>): Promise<void> {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      await migrateOnce();
      return;
    } catch (error) {
      if (!wasLost(error)) throw error;
      if (performance.now() - saidAtMs > SAY_EVERY_MS) {
        log.warn({ err: error }, 'the tables are locked; the migration is retried until it gets the locks');
        saidAtMs = performance.now();
      }
    }
    await pause(AGAIN_AFTER_MS);
  }
}

function wasLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && LOST.has(String(error.code))) || wasLost(error.cause);
}

/**
 * Takes all tables of a schema for this transaction, before it has done any work that would be lost, or throws after half a second. A
 * migration that takes one lock after the other would meet requests that take them in another order.
 */
async function lockTables(transaction: Kysely<unknown>, schema: string | undefined): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = coalesce(${schema ?? null}::text, current_schema()) and tablename not like 'kysely%' order by tablename`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  await sql`select set_config('statement_timeout', ${String(LOCKS_WITHIN_MS)}, true)`.execute(transaction);
  await sql.raw(`lock table ${rows.map(({ name }) => name).join(', ')} in access exclusive mode`).execute(transaction);
  await sql`select set_config('statement_timeout', '0', true)`.execute(transaction);
}

async function migrate<Schema>(
  connection: Kysely<Schema>,
  { log, set }: { log: Pick<DatabaseLog, 'info'>; set: MigrationSet },
): Promise<void> {
  const done = await listDone(connection, set);
  refuseForeign(done, set);
  // Asked of a database that is up to date, Kysely would first look through all tables that there are.
  if (done.length === Object.keys(set.migrations).length) return;
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => afterLocking(set) },
    ...(set.schema === undefined ? {} : { migrationTableSchema: set.schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === 'Error')?.migrationName;
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new MigrationError(`The database could not be migrated${failed === undefined ? '' : ` (${failed})`}: ${reason}`, {
      cause: error,
    });
  }
  for (const { migrationName } of results) log.info({ migration: migrationName }, 'database migrated');
}

/** Names of the migrations that were run. */
async function listDone<Schema>(db: Kysely<Schema>, { schema }: MigrationSet): Promise<readonly string[]> {
  const table = `${schema === undefined ? '' : `${schema}.`}kysely_migration`;
  const { rows: tables } = await sql<{ is_there: boolean }>`select to_regclass(${table}) is not null as is_there`.execute(db);
  if (tables[0]?.is_there !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Before anything is written: a database that other migrations have made stays as it is. */
function refuseForeign(done: readonly string[], { migrations, beforeBaseline }: MigrationSet): void {
  if (done.some((name) => name === beforeBaseline))
    throw new MigrationError(
      `The database was made by a Pergamin of before the first release (its migration ${beforeBaseline}), and this version cannot use it. It is left as it is: start with another one (DATABASE_URL, or another DATA_DIR), or start the version that made it`,
    );
  const unknown = done.find((name) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined)
    throw new MigrationError(
      `The database is newer than this Pergamin, which does not know its migration ${unknown}. Start the version that the database belongs to, or restore a copy from before it`,
    );
}

function afterLocking({ migrations, schema }: MigrationSet): Record<string, Migration> {
  let isFirst = true;
  const locking = (migration: Migration): Migration => ({
    ...migration,
    async up(transaction) {
      if (isFirst) await lockTables(transaction, schema);
      isFirst = false;
      await migration.up(transaction);
    },
  });
  return Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, locking(migration)]));
}
