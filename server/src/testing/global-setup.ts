import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareDatabase } from '#app/prepare-database.ts';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { PORTAL_ROLE } from '#platform/database/embedded-postgres/cluster.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { makePortalRole } from '#platform/database/embedded-postgres/portal-role.ts';
import { silentLog } from '#platform/log/log.ts';
import { asRole, parseDatabaseUrl, runOnServer, uniqueName } from './database-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server to make databases on, and the name of a migrated one to copy. */
    databaseServer: DatabaseConnection;
    databaseTemplate: string;
  }
}

interface TestServer {
  readonly connection: DatabaseConnection;
  stop(): Promise<void>;
}

/** One PostgreSQL for the whole run: that of TEST_DATABASE_URL (whose user may create databases), or an embedded one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TEST_DATABASE_URL'];
  const server: TestServer = url === undefined ? await startOwnServer() : { connection: parseDatabaseUrl(url), stop: async () => {} };
  const template = uniqueName('pergamin_template');
  try {
    await runOnServer(server.connection, `create database ${template} template template0 encoding 'UTF8'`);
    await makePortalRole(server.connection);
    const connection = { ...server.connection, database: template };
    await prepareDatabase({
      address: { connection: asRole(connection, PORTAL_ROLE) },
      migrationAddress: { connection },
      log: silentLog(),
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('databaseServer', server.connection);
  project.provide('databaseTemplate', template);
  return async () => {
    await runOnServer(server.connection, `drop database ${template} with (force)`);
    await server.stop();
  };
}

/**
 * @NOTE it does not flush to disk: its data never outlive the run, and tests make many databases. The launcher's own tests start theirs with
 * the real settings.
 */
async function startOwnServer(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: silentLog(),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  return {
    connection: postgres.connection,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
