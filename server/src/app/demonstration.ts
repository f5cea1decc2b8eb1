import { join } from 'node:path';
import { removeAccounts } from '@pergamin/identity';
import { sql } from 'kysely';
import { createDemoRemoval, type DemoRemoval } from '#features/publishing/publishing.door.ts';
import { createRendering } from '#features/rendering/rendering.door.ts';
import { type DatabaseAddress, openDatabase } from '#platform/database/database.ts';
import type { Db } from '#platform/database/schema.ts';
import { createReadSpace } from '#platform/disk/free-space.ts';
import { isLoopback } from '#platform/http/host-guard.ts';
import { destroyObjectKeys } from '#platform/encryption/keys.store.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { openStore } from '#platform/objects/open-store.ts';
import { createPdfPool } from '#platform/pdf/pdf-pool.ts';
import { createRenditions } from '#platform/renditions/renditions.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { prepareDatabase } from './prepare-database.ts';

/** Thrown at a start that would show invented people to real ones. */
export class DemonstrationError extends Error {
  override readonly name = 'DemonstrationError';
}

type Counts = Awaited<ReturnType<DemoRemoval['remove']>>;

const rowsSql = sql<Counts & { readonly others: number }>`select
  (select count(*) from client where demo) as clients,
  (select count(*) from document where demo) as documents,
  (select count(*) from statute where demo) as statutes,
  (select count(*) from document_category where demo) + (select count(*) from publisher_key where demo and revoked_at is null) as others`;

const countRows = async (db: Db): Promise<Counts & { readonly others: number }> => {
  const { rows } = await rowsSql.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count has one row');
  return row;
};

/** Demonstration people sign in with a password that is printed. Throws DemonstrationError when there are any and others could reach them. */
export const refuseDemonstration = async (db: Db, publicUrl: URL): Promise<void> => {
  if (isLoopback(publicUrl)) return;
  const { clients, documents, statutes, others } = await countRows(db);
  if (clients + documents + statutes + others === 0) return;
  throw new DemonstrationError(
    `This database holds demonstration data (${clients} clients, ${documents} documents, ${statutes} statutes), and PUBLIC_URL is not loopback. ` +
      'Remove them, and nothing else, with the same settings: npx --no pergamin demo remove --offline',
  );
};

export type OfflineRemoval = Awaited<ReturnType<typeof openOfflineRemoval>>;

/** The removal without a portal: it does not start while demonstration data would be within everybody's reach. */
export const openOfflineRemoval = async (
  {
    dataDir,
    bucket,
    renditionsMaxBytes,
    diskReservePercent,
  }: Pick<Settings, 'dataDir' | 'bucket' | 'renditionsMaxBytes' | 'diskReservePercent'>,
  { address, migrationAddress, log }: { address: DatabaseAddress; migrationAddress?: DatabaseAddress | undefined; log: Log },
) => {
  await prepareDatabase({ address, migrationAddress, log });
  const { db, close } = openDatabase({ ...address, maxConnections: 4, log });
  const { objects: store } = await openStore({ bucket, dataDir });
  // Nothing is read, so that the key file is not needed.
  const objects = {
    ...store,
    async discard(key: string) {
      await destroyObjectKeys(db, key);
      return store.discard(key);
    },
  };
  const reserve = { percent: diskReservePercent, readSpace: createReadSpace(dataDir) };
  const renditions = createRenditions({ dir: join(dataDir, 'renditions'), maxBytes: renditionsMaxBytes, reserve });
  const pdf = createPdfPool({ log, workers: 1 });
  const rendering = createRendering({ objects, pdf, renditions, jobs: createJobs(db), log });
  const removal = createDemoRemoval({
    db,
    objects,
    removeAccounts: (personalIds) => removeAccounts(db, personalIds),
    forgetPages: (sha256s) => rendering.forget(sha256s),
    log,
  });
  return {
    count: (): Promise<Counts> => countRows(db),
    remove: () => removal.remove(),
    async close(): Promise<void> {
      await pdf.close();
      await close();
    },
  };
};
