import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareDatabase } from '#app/prepare-database.ts';
import { openDatabase } from '#platform/database/database.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { silentLog } from '#platform/log/log.ts';
import { formatDatabaseUrl } from './database-server.ts';
import type { TestDatabase } from './test-database.ts';

export interface RestartableDatabase extends TestDatabase {
  /** PostgreSQL is stopped as an operator stops it, breaking off what runs; the portal's own watch starts it again. Resolves when it answers. */
  restart(): Promise<void>;
}

/** A migrated database on a PostgreSQL of its own. */
export const startRestartableDatabase = async (): Promise<RestartableDatabase> => {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-restarted-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = silentLog();
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  starting.defer(() => postgres.stop());
  const { connection: owned, portalConnection: connection } = postgres;
  await prepareDatabase({ address: { connection }, migrationAddress: { connection: owned }, log });
  const [used, owner] = [connection, owned].map((one) => openDatabase({ connection: one, maxConnections: 5, log }));
  if (used === undefined || owner === undefined) throw new Error('two connections');
  starting.defer(() => used.close());
  starting.defer(() => owner.close());
  /** In the first line of its own file. */
  const pidOf = async (): Promise<number> => {
    const { rows } = await owner.pool.query<{ pid: string }>(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`);
    return Number(rows[0]?.pid);
  };
  const left = starting.move();
  return {
    connection,
    url: formatDatabaseUrl(connection),
    db: used.db,
    pool: used.pool,
    listen: used.listen,
    owner: { db: owner.db, pool: owner.pool, connection: owned },
    async restart() {
      const before = await pidOf();
      process.kill(before, 'SIGINT');
      const isAgain = async (): Promise<boolean> => (await pidOf().catch(() => before)) !== before;
      while (!(await isAgain())) await pause(100);
    },
    [Symbol.asyncDispose]: () => left.disposeAsync(),
  };
};
