import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres/embedded-postgres.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import type { Measuring } from './promise.ts';

export interface Fresh {
  /** Gone when all is over, like everything that is in it. */
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  /** What is deferred here is done first. */
  readonly cleanUp: AsyncDisposableStack;
}

/** An empty database in a folder of its own for one measurement, which ends both. */
export const onFreshPostgres = async (
  prepare: (fresh: Fresh) => Promise<Omit<Measuring, typeof Symbol.asyncDispose>>,
): Promise<Measuring> => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    // The database's user has to get to it, when root measures.
    await chmod(folder, 0o711);
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: silentLog() });
    cleanUp.defer(() => postgres.stop());
    return { ...(await prepare({ folder, postgres, cleanUp })), [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};
