import { join } from 'node:path';
import { createBatches } from '#features/publishing/batches/batches.service.ts';
import { batchRoutes } from '#features/publishing/batches/batches.routes.ts';
import { createFinishing } from '#features/publishing/batches/finishing.ts';
import type { BatchJobs } from '#platform/jobs/jobs.ts';
import { createCovered } from './covered.ts';
import { createDemoRemoval } from './demo-removal.ts';
import { createPublisherKeys, type Running } from './publisher-keys.ts';
import { publishingRoutes } from './publishing.routes.ts';
import { createPublishingService, type PublishingParts } from './publishing.service.ts';
import { removeOlder } from '#platform/disk/files.ts';

export { createDemoRemoval, type DemoRemoval } from './demo-removal.ts';
export { judgeFirstKey } from './judge-first-key.ts';
export { createKeyRegister, KeyRegisterError, type KeyRegister } from './key-register.ts';
export type { PublisherKeys } from './publisher-keys.ts';

interface Given extends Omit<PublishingParts, 'keys' | 'clock'> {
  readonly removeSignInAccounts: (personalIds: readonly string[]) => Promise<void>;
  readonly jobs: BatchJobs;
  readonly settings: PublishingParts['settings'] & { readonly dataDir: string; readonly publishMaxBytes: number };
  readonly running: Running;
}

/** Longer than any upload takes. Short, since these bytes belong to no row that could name them. */
const uploadsKeptMs = 3_600_000;

/** The organisation's side: publishes documents and statutes, keeps clients and dictionaries, by API keys with scopes. */
export const createPublishing = ({ db, stores, rooms, removeSignInAccounts, jobs, settings, running }: Given) => {
  const { clock, log } = running;
  const keys = createPublisherKeys(db, running);
  const uploads = { folder: join(settings.dataDir, 'uploads'), maxBytes: settings.publishMaxBytes };
  const parts = { db, stores, rooms, keys, settings, clock };
  return {
    keys,
    routes: [
      ...publishingRoutes({
        db,
        publishing: createPublishingService(parts),
        accounts: rooms.accounts,
        metadata: rooms.metadata,
        demoRemoval: createDemoRemoval({
          db,
          objects: stores.objects,
          removeAccounts: removeSignInAccounts,
          forgetPages: rooms.rendering.forget,
          log,
        }),
        uploads,
      }),
      ...batchRoutes({ batches: createBatches({ ...parts, jobs }), uploads }),
    ],
    /** What becomes visible with a checkpoint of the ledger. */
    covered: createCovered({ ...parts, jobs, log }),
    /** `publishing:sweep` removes what killed processes left of uploads; to be run every hour or so. */
    jobs: {
      ...createFinishing({ ...parts, jobs, log }),
      async 'publishing:sweep'() {
        // Their arrival was never confirmed.
        const files = await removeOlder(uploads.folder, new Date(clock.now().getTime() - uploadsKeptMs));
        if (files > 0) log.info({ files }, 'files of interrupted uploads were removed');
      },
    },
  };
};
