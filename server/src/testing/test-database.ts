import { inject } from 'vitest';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { PORTAL_ROLE } from '#platform/database/embedded-postgres/cluster.ts';
import { silentLog } from '#platform/log/log.ts';
import { asRole, formatDatabaseUrl, runOnServer, uniqueName } from './database-server.ts';

const MAX_CONNECTIONS = 5;

export interface TestDatabase extends Pick<OpenDatabase, 'db' | 'pool' | 'listen'>, AsyncDisposable {
  readonly connection: DatabaseConnection;
  /** For a process of its own that takes DATABASE_URL. */
  readonly url: string;
  /** Who may do what the portal itself must not: change tables, and rows that are kept. */
  readonly owner: Pick<OpenDatabase, 'db' | 'pool'> & { readonly connection: DatabaseConnection };
}

/**
 * Makes a database of the caller's own (once per test file is the habit): migrated and otherwise empty, and used as the portal uses it, by a
 * role that owns nothing; or not even migrated, and used by its owner. Disposing closes its pools and drops it.
 */
export async function createTestDatabase({ isMigrated = true }: { isMigrated?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('databaseServer');
  const template = isMigrated ? inject('databaseTemplate') : 'template0';
  const owned = { ...server, database: uniqueName('pergamin_test') };
  const connection = isMigrated ? asRole(owned, PORTAL_ROLE) : owned;
  await runOnServer(server, `create database ${connection.database} template ${template} encoding 'UTF8' strategy file_copy`);
  const { db, pool, listen, close } = openDatabase({ connection, maxConnections: MAX_CONNECTIONS, log: silentLog() });
  // It connects when it is used.
  const owner = openDatabase({ connection: owned, maxConnections: MAX_CONNECTIONS, log: silentLog() });
  return {
    connection,
    url: formatDatabaseUrl(connection),
    db,
    pool,
    listen,
    owner: { db: owner.db, pool: owner.pool, connection: owned },
    async [Symbol.asyncDispose]() {
      await close();
      await owner.close();
      await runOnServer(server, `drop database if exists ${connection.database} with (force)`);
    },
  };
}
