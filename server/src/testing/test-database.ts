import { inject } from 'vitest';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { silentLog } from '#platform/log/log.ts';
import { formatDatabaseUrl, runOnServer, uniqueName } from './database-server.ts';

const MAX_CONNECTIONS = 5;

export interface TestDatabase extends Pick<OpenDatabase, 'db' | 'pool' | 'listen'>, AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** For a process of its own that takes DATABASE_URL. */
  readonly url: string;
}

/**
 * Makes a database of the caller's own (once per test file is the habit): migrated and otherwise empty, or not even migrated.
 * Disposing closes its pool and drops it.
 */
export async function createTestDatabase({ isMigrated = true }: { isMigrated?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const template = isMigrated ? inject('databaseTemplate') : 'template0';
  const connection = { ...server, database: uniqueName('pergamin_test') };
  await runOnServer(server, `create database ${connection.database} template ${template} encoding 'UTF8'`);
  const { db, pool, listen, close } = openDatabase({ connection, maxConnections: MAX_CONNECTIONS, log: silentLog() });
  return {
    connection,
    url: formatDatabaseUrl(connection),
    db,
    pool,
    listen,
    async [Symbol.asyncDispose]() {
      await close();
      await runOnServer(server, `drop database if exists ${connection.database} with (force)`);
    },
  };
}
